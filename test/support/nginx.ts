import { execFileSync, spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Schedule } from "effect"
import { freePort } from "./free-port.ts"
import { scratch } from "./rendering.ts"
import { reachable } from "./way.ts"

/** Where Debian and Homebrew put it, beside the path. */
const env = { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/bin` }

/** Whether nginx is installed; it is no package of npm. */
export const hasNginx = spawnSync("nginx", ["-v"], { env }).status === 0
if (!hasNginx) console.warn("docs/operations/nginx.conf: skipped, because nginx is not installed")

/**
 * nginx with `docs/operations/nginx.conf`, before one node and two that are gone, with a folder of media. Returns the
 * address of the proxy, whose certificate is signed by nobody.
 */
export const nginxBefore = Effect.fnUntraced(function* (node: string, media: string) {
  const folder = yield* scratch
  const [port, gone] = [yield* freePort, yield* freePort]
  const [certificate, key] = [path.join(folder, "tls.pem"), path.join(folder, "tls.key")]
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-out", certificate, "-keyout", key],
    { stdio: "ignore" }
  )
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((of) => `${of}_temp_path ${folder}/${of};`)
  const names: ReadonlyArray<readonly [string, string]> = [
    [
      "worker_processes auto;",
      `worker_processes 1; pid ${folder}/pid; ${process.getuid?.() === 0 ? "user root;" : ""}`
    ],
    ["stderr crit", `${folder}/error.log crit`],
    ["http {", `http { ${temporary.join(" ")}`],
    ["10.0.0.11:8787", new URL(node).host],
    ["10.0.0.12:8787", `127.0.0.1:${gone}`],
    ["10.0.0.13:8787", `127.0.0.1:${gone}`],
    ["listen 443", `listen 127.0.0.1:${port}`],
    ["/etc/nginx/record.example.gov.pem", certificate],
    ["/etc/nginx/record.example.gov.key", key],
    ["/var/lib/civic-record/media/;", `${media}/;`]
  ]
  const written = fs.readFileSync(path.join(import.meta.dirname, "../../docs/operations/nginx.conf"), "utf8")
  const config = path.join(folder, "nginx.conf")
  fs.writeFileSync(
    config,
    names.reduce((text, [name, here]) => {
      if (!text.includes(name)) throw new Error(`nginx.conf has no ${name}`)
      return text.replace(name, here)
    }, written)
  )
  yield* Effect.acquireRelease(
    Effect.sync(() => spawn("nginx", ["-g", "daemon off;", "-c", config, "-p", folder], { env, stdio: "ignore" })),
    (child) =>
      Effect.callback<void>((resume) => {
        if (child.exitCode !== null) return resume(Effect.void)
        child.once("exit", () => resume(Effect.void))
        child.kill("SIGTERM")
      })
  )
  yield* Effect.retry(reachable("127.0.0.1", port), { schedule: Schedule.spaced("50 millis"), times: 200 })
  return `https://127.0.0.1:${port}`
})
