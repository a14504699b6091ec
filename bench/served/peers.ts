/** The peers that the service is measured against: the same bytes from nginx and from a bare `node:http` server. */

import { type ChildProcess, execFile, fork, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { promisify } from "node:util"
import { Effect } from "effect"
import { freePort } from "../../test/support/free-port.ts"

/** A server, and the request that fetches the bytes from it. */
interface Peer {
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

interface Service {
  readonly base: string
  readonly cookie: string
  readonly transcript: string
  readonly media: string
  /** The path of the recording's file. */
  readonly file: string
}

const children: Array<ChildProcess> = []
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-bench-"))

/** Stops every process started here. */
export const stop = async () => {
  for (const child of children) {
    if (child.exitCode !== null) continue
    const ended = new Promise((resolve) => child.once("exit", resolve))
    child.kill("SIGINT")
    await Promise.race([ended, wait(8000)])
    child.kill("SIGKILL")
  }
  fs.rmSync(folder, { recursive: true, force: true })
}

const toldBy = async <A>(child: ChildProcess): Promise<A> => {
  children.push(child)
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as A))
    child.once("exit", () => reject(new Error("It did not start.")))
  })
}

export const startService = (): Promise<Service> =>
  toldBy(
    fork(path.join(import.meta.dirname, "service.ts"), {
      env: {
        ...process.env,
        DATA_DIR: path.join(folder, "data"),
        PORT: "0",
        LOCAL_IDENTITY_PORT: "0",
        PUBLIC_READ_LIMIT: "1000000"
      }
    })
  )

/** A bare server that does nothing but write a file held in memory, or a range of a streamed file. */
export const startBare = (
  file: string,
  headers: Readonly<Record<string, string>>
): Promise<{ readonly base: string }> =>
  toldBy(fork(path.join(import.meta.dirname, "bare.ts"), [file, JSON.stringify(headers)]))

/** nginx serving one file with a single process, as the service has. */
export const startNginx = async (file: string, headers: Readonly<Record<string, string>>) => {
  const port = await Effect.runPromise(freePort)
  const root = path.join(folder, `nginx-${port}`)
  fs.mkdirSync(root)
  fs.chmodSync(folder, 0o755)
  fs.copyFileSync(file, path.join(root, "file"))
  fs.chmodSync(path.join(root, "file"), 0o644)
  const added = Object.entries(headers).map(([name, value]) => `add_header ${name} "${value}";`)
  const config = path.join(root, "nginx.conf")
  fs.writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${root}/pid; error_log ${root}/error.log;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
  types {} default_type application/octet-stream;
  client_body_temp_path ${root}; proxy_temp_path ${root}; fastcgi_temp_path ${root};
  uwsgi_temp_path ${root}; scgi_temp_path ${root};
  server { listen 127.0.0.1:${port}; root ${root}; ${added.join(" ")} }
}`
  )
  children.push(spawn("nginx", ["-c", config, "-p", root], { stdio: "ignore" }))
  const url = `http://127.0.0.1:${port}/file`
  for (let tries = 0; ; tries++) {
    const answers = await fetch(url, { method: "HEAD" }).then(
      ({ ok }) => ok,
      () => false
    )
    if (answers) return url
    if (tries > 50) throw new Error("nginx did not start")
    await wait(100)
  }
}

const run = promisify(execFile)

/** Requests per second over 16 keep-alive connections, by wrk. */
const rateOf = async ({ url, headers }: Peer, seconds: number): Promise<number> => {
  const given = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`])
  const { stdout } = await run("wrk", ["-t1", "-c16", `-d${seconds}s`, ...given, url])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
}

const bytesOf = async ({ url, headers }: Peer) => {
  // The bytes on the wire; `fetch` would decompress them.
  const { stdout } = await run(
    "curl",
    ["-sS", ...Object.entries(headers).flatMap(([n, v]) => ["-H", `${n}: ${v}`]), url],
    {
      encoding: "buffer",
      maxBuffer: 256 * 1024 * 1024
    }
  )
  return stdout
}

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/**
 * Checks that the peers send the same bytes, measures them in turn, and prints the ratios of the first to the others.
 */
export const compare = async (title: string, peers: ReadonlyArray<Peer>, rounds = 5, seconds = 3) => {
  const [first, ...others] = peers
  if (first === undefined) return
  const bytes = await bytesOf(first)
  for (const other of others) {
    if (!(await bytesOf(other)).equals(bytes)) throw new Error(`${other.name} sends other bytes`)
  }
  const rates = new Map(peers.map(({ name }) => [name, [] as Array<number>]))
  for (let round = 0; round < rounds; round++) {
    for (const peer of peers) rates.get(peer.name)?.push(await rateOf(peer, seconds))
  }
  const of = (name: string) => median(rates.get(name) ?? [])
  console.log(`${title}: ${bytes.length} bytes, the same from all`)
  for (const { name } of peers) {
    const ratio = name === first.name ? "" : `  ${first.name} does ${(of(first.name) / of(name)).toFixed(2)} of it`
    const [requests, megabytes] = [of(name), (of(name) * bytes.length) / 1e6].map((n) => n.toFixed(0).padStart(6))
    console.log(`  ${name.padEnd(12)} ${requests} requests/s, ${megabytes} MB/s${ratio}`)
  }
}
