import { execFileSync, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { AwsClient } from "aws4fetch"
import { Effect } from "effect"
import { programPath } from "./needs.ts"
import { listens } from "./ports.ts"
import { answers, ownFolder, program, spawned, writeOwn } from "./program.ts"
import { operations } from "./proxies.ts"

/** Redis as rate limits want it: nothing is kept. */
export const redis = (folder: string, logs: string, port: number) =>
  program({
    name: "redis",
    logs,
    spawn: (log) => {
      const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
      return spawned("redis-server", [...args, "--dir", ownFolder(folder)], { PATH: programPath }, log)
    },
    isReady: listens(port)
  })

export const bucket = "media"

/** The keys with which nodes sign what they ask of the store. */
export interface StoreKeys {
  readonly id: string
  readonly secret: string
}

/** The store, with a folder of objects that outlives it. It takes what is signed with one of the keys that it knows. */
export const store = Effect.fnUntraced(function* (folder: string, logs: string, port: number, first: StoreKeys) {
  const objects = path.join(folder, "objects")
  fs.mkdirSync(objects, { recursive: true })
  const file = path.join(folder, "keys.json")
  // The store reads it at each request, and never half of it.
  const know = (keys: ReadonlyArray<StoreKeys>) => {
    fs.writeFileSync(`${file}.part`, JSON.stringify(keys), { mode: 0o600 })
    fs.renameSync(`${file}.part`, file)
  }
  know([first])
  const server = path.join(import.meta.dirname, "store-server.ts")
  const run = yield* program({
    name: "store",
    logs,
    spawn: (log) =>
      spawn(process.execPath, ["--disable-warning=ExperimentalWarning", server, `${port}`, objects, file], {
        env: { PATH: programPath },
        stdio: ["ignore", log, log],
        detached: true
      }),
    isReady: listens(port)
  })
  return { ...run, know }
})

export const makeBucket = (port: number, keys: StoreKeys) =>
  Effect.promise(async () => {
    const client = new AwsClient({
      accessKeyId: keys.id,
      secretAccessKey: keys.secret,
      region: "us-east-1",
      service: "s3",
      retries: 0
    })
    const response = await client.fetch(`http://127.0.0.1:${port}/${bucket}`, { method: "PUT" })
    if (!response.ok) throw new Error(`The store made no bucket: status ${response.status}`)
  })

/** Prometheus with the alerts that operators are given, reading every node. */
export const prometheus = (folder: string, logs: string, port: number, nodes: ReadonlyArray<number>) =>
  program({
    name: "prometheus",
    logs,
    spawn: (log) => {
      ownFolder(folder)
      const targets = nodes.map((node) => `"127.0.0.1:${node}"`).join(", ")
      const config = writeOwn(
        path.join(folder, "prometheus.yml"),
        `global: { scrape_interval: 2s, evaluation_interval: 2s }
rule_files: [${JSON.stringify(path.join(operations, "alerts.yml"))}]
scrape_configs:
  - job_name: civic-record
    static_configs: [{ targets: [${targets}] }]
`
      )
      const args = [`--config.file=${config}`, `--storage.tsdb.path=${folder}/data`]
      return spawned("prometheus", [...args, `--web.listen-address=127.0.0.1:${port}`], { PATH: programPath }, log)
    },
    isReady: answers(`http://127.0.0.1:${port}/-/ready`)
  })

/** A certificate of our own for localhost: the file that the proxy reads, and the one that clients trust. */
export const certificate = (folder: string) => {
  ownFolder(folder)
  const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")]
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"],
      ...["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
      ...["-keyout", key, "-out", cert]
    ],
    { stdio: "ignore", env: { PATH: programPath } }
  )
  const both = path.join(folder, "site.pem")
  writeOwn(both, fs.readFileSync(cert, "utf8") + fs.readFileSync(key, "utf8"), 0o600)
  return { file: both, trusted: fs.readFileSync(cert, "utf8") }
}
