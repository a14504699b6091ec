import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import * as fs from "node:fs"
import type * as http from "node:http"
import type * as net from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { AwsClient } from "aws4fetch"
import { Effect, Redacted, Schedule } from "effect"
import { buildApp } from "fauxqs"
import type { S3Settings } from "../../layers/object-store/s3/requests.ts"
import { freePort } from "./free-port.ts"
import { signedDoor } from "./signed-requests.ts"
import { reachable } from "./way.ts"

const bucket = "media"

/** The bucket of a server on a port. */
export const bucketSettings = (port: number): S3Settings => ({
  endpoint: `http://127.0.0.1:${port}`,
  bucket,
  region: "us-east-1",
  accessKeyId: "test:tester",
  secretAccessKey: Redacted.make("testing")
})

/** Tries again for half a minute, while a server starts. */
const whileStarting = Effect.retry({ schedule: Schedule.spaced("200 millis"), times: 150 })

/** Creates the bucket once the server answers. */
export const makeBucket = (of: S3Settings) =>
  Effect.tryPromise(async () => {
    const { accessKeyId, secretAccessKey, region } = of
    const client = new AwsClient({
      accessKeyId,
      secretAccessKey: Redacted.value(secretAccessKey),
      region,
      service: "s3",
      retries: 0
    })
    const response = await client.fetch(`${of.endpoint}/${of.bucket}`, { method: "PUT" })
    if (!response.ok) throw new Error(`no bucket: status ${response.status}`)
    return of
  }).pipe(whileStarting)

/** A small S3 that is always available; it does not check signatures. */
export const startFauxqs = Effect.gen(function* () {
  const app = yield* Effect.acquireRelease(
    Effect.sync(() => buildApp({ logger: false })),
    (app) => Effect.promise(() => app.close())
  )
  yield* Effect.promise(() => app.listen({ host: "127.0.0.1", port: 0 }))
  return yield* makeBucket(bucketSettings((app.server.address() as net.AddressInfo).port))
})

/** The same behind a listener that checks signatures; `passed` are the requests that it let through. */
export const startSigned = Effect.gen(function* () {
  const behind = yield* startFauxqs
  const passed: Array<http.IncomingMessage> = []
  const secretOf = (id: string) => (id === behind.accessKeyId ? Redacted.value(behind.secretAccessKey) : undefined)
  const door = yield* Effect.acquireRelease(
    Effect.callback<http.Server>((resume) => {
      const server = signedDoor(Number(new URL(behind.endpoint).port), secretOf, (request) => passed.push(request))
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  const { port } = door.address() as net.AddressInfo
  return { settings: { ...behind, endpoint: `http://127.0.0.1:${port}` } satisfies S3Settings, passed }
})

/** Whether Debian's OpenStack Swift is installed: a full S3, which checks signatures. */
export const hasSwift = ["/usr/bin/swift-proxy-server", "/usr/bin/memcached", "/etc/swift/swift.conf"].every((file) =>
  fs.existsSync(file)
)
if (!hasSwift) console.warn("ObjectStore in Swift: skipped, because OpenStack Swift and memcached are not installed")

/** A program that ends with the scope. */
export const started = (command: string, args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn(command, args, { stdio: "ignore" })),
    (child: ChildProcess) =>
      Effect.callback<void>((resume) => {
        if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
        child.once("exit", () => resume(Effect.void))
        child.kill("SIGKILL")
      })
  )

/** Swift on one disk, in one folder, on its own ports. */
export const startSwift = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "swift-"))),
    (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
  )
  fs.mkdirSync(path.join(folder, "disks", "sda"), { recursive: true })
  const memory = yield* freePort
  const common = (port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${os.userInfo().username}
swift_dir = ${folder}
devices = ${path.join(folder, "disks")}
mount_check = false
log_level = ERROR
`
  for (const server of ["account", "container", "object"]) {
    const port = yield* freePort
    const config = path.join(folder, `${server}.conf`)
    fs.writeFileSync(
      config,
      `${common(port)}[pipeline:main]\npipeline = ${server}-server\n[app:${server}-server]\nuse = egg:swift#${server}\n`
    )
    const ring = path.join(folder, `${server}.builder`)
    for (const step of [["create", "4", "1", "1"], ["add", `r1z1-127.0.0.1:${port}/sda`, "1"], ["rebalance"]]) {
      execFileSync("swift-ring-builder", [ring, ...step], { stdio: "ignore" })
    }
    yield* started(`swift-${server}-server`, [config])
    // The proxy creates a bucket without the object server, and then refuses objects until that has started.
    yield* reachable("127.0.0.1", port).pipe(whileStarting)
  }
  yield* started("memcached", ["-l", "127.0.0.1", "-p", String(memory), "-U", "0", "-u", os.userInfo().username])
  const port = yield* freePort
  const config = path.join(folder, "proxy.conf")
  fs.writeFileSync(
    config,
    `${common(port)}[pipeline:main]
pipeline = catch_errors proxy-logging cache listing_formats s3api tempauth bulk slo dlo proxy-logging proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:proxy-logging]
use = egg:swift#proxy_logging
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memory}
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`
  )
  yield* started("swift-proxy-server", [config])
  return yield* makeBucket(bucketSettings(port))
})
