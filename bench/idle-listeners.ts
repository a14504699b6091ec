/**
 * Measures the cost of idle listeners: opens 2,000 streams of `GET /api/meetings/stream` over loopback to the streams
 * server in a process of its own, and prints its memory before, during and after, and how long one event takes to reach
 * all of them. Beside it, the same for a bare `node:http` server that writes only the comments. Takes about a minute.
 *
 *     node bench/idle-listeners.ts [listeners]
 */
import { type ChildProcess, fork } from "node:child_process"
import * as fs from "node:fs"
import * as http from "node:http"
import * as net from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { Context, Effect, Layer, Logger, Redacted, Schema } from "effect"
import { Environment, readEnvironment } from "../layers/config/config.ts"
import { Db } from "../layers/db/db.ts"
import { startEmbeddedPostgres } from "../layers/db/embedded-postgres/embedded-postgres.ts"
import { migrate } from "../layers/db/migrate.ts"
import { MeetingId } from "../schema/primitives.ts"
import { recordFeed } from "../src/services/feed/record.ts"
import { addressOf, streamsServer } from "../test/support/streams-server.ts"

const Memory = Schema.Struct({ rss: Schema.Number, heapUsed: Schema.Number, external: Schema.Number })
const Told = Schema.Union([Schema.Struct({ base: Schema.String }), Memory])

/** Sends the parent its address, and its memory on request. */
const answerFrom = (base: string) =>
  Effect.sync(() => {
    process.send?.({ base })
    process.on("message", () => {
      globalThis.gc?.()
      const { rss, heapUsed, external } = process.memoryUsage()
      process.send?.({ rss, heapUsed, external })
    })
    process.on("disconnect", () => process.exit())
  })

const serveStreams = (database: Redacted.Redacted) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(streamsServer(database).pipe(Layer.provide(Logger.layer([]))))
    yield* answerFrom(yield* Effect.provide(addressOf, context))
    return yield* Effect.never
  }).pipe(Effect.scoped, Effect.orDie)

const serveBare = Effect.callback<never>(() => {
  const responses = new Set<http.ServerResponse>()
  const server = http.createServer((_, response) => {
    responses.add(response)
    response.on("close", () => responses.delete(response))
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write("retry: 3000\n\n")
  })
  setInterval(() => {
    for (const response of responses) response.write(":\n\n")
  }, 15_000)
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    Effect.runSync(answerFrom(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`))
  })
})

const told = (child: ChildProcess): Effect.Effect<typeof Told.Type> =>
  Effect.callback((resume) => {
    child.once("message", (message) => resume(Effect.orDie(Schema.decodeUnknownEffect(Told)(message))))
  })

const memory = Effect.fnUntraced(function* (child: ChildProcess) {
  child.send("memory")
  const answer = yield* told(child)
  return "rss" in answer ? answer : yield* Effect.die("not what was asked for")
})

/** Opens a connection and waits for its first bytes; calls `onEvent` for each event. */
const listen = (port: number, onEvent: () => void): Effect.Effect<net.Socket> =>
  Effect.callback((resume) => {
    const socket = net.connect(port, "127.0.0.1")
    socket.write("GET /api/meetings/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
    socket.on("error", (error) => resume(Effect.die(error)))
    socket.on("data", (bytes) => {
      const text = bytes.toString("latin1")
      if (text.includes("retry: 3000")) resume(Effect.succeed(socket))
      if (text.includes("event: meeting.removed")) onEvent()
    })
  })

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`
const seconds = (count: number) => Effect.promise(() => wait(count * 1000))

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => {
    const made = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-bench-"))
    fs.chmodSync(made, 0o711)
    return made
  }),
  (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
)

/** Opens the listeners against a server of this kind and prints their cost; `tell` makes one event. */
const measure = Effect.fnUntraced(function* (
  kind: "streams" | "bare",
  listeners: number,
  database: Redacted.Redacted,
  tell: Effect.Effect<void>
) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      fork(import.meta.filename, [kind], {
        execArgv: ["--expose-gc"],
        env: { ...process.env, BENCH_DATABASE: Redacted.value(database) }
      })
    ),
    (started) => Effect.sync(() => started.kill())
  )
  const ready = yield* told(child)
  const port = "base" in ready ? Number(new URL(ready.base).port) : 0

  let heard = 0
  const open = (count: number) =>
    Effect.forEach(Array.from({ length: count }), () => listen(port, () => heard++), { concurrency: 50 })
  // Warms the server up, so that one-time costs are not counted.
  for (const socket of yield* open(50)) socket.destroy()
  yield* seconds(1)
  const before = yield* memory(child)
  const sockets = yield* open(listeners)
  // Long enough for the first comment, sent after 15 seconds.
  yield* seconds(17)
  const during = yield* memory(child)

  const began = performance.now()
  yield* tell
  while (kind === "streams" && heard < listeners) yield* Effect.promise(() => wait(1))
  const took = performance.now() - began

  for (const socket of sockets) socket.destroy()
  yield* seconds(2)
  const after = yield* memory(child)

  const each = (now: number, then: number) => `${((now - then) / listeners / 1024).toFixed(1)} KB`
  const server = kind === "streams" ? "GET /api/meetings/stream" : "bare node:http"
  console.log(`
  ${server}, ${listeners} idle listeners, Node ${process.version}

    resident before    ${megabytes(before.rss)}
    with them          ${megabytes(during.rss)}   ${each(during.rss, before.rss)} a listener
    once they left     ${megabytes(after.rss)}
    heap before        ${megabytes(before.heapUsed)}
    with them          ${megabytes(during.heapUsed)}   ${each(during.heapUsed, before.heapUsed)} a listener
    once they left     ${megabytes(after.heapUsed)}${
      kind === "streams" ? `\n    one event reached them all ${took.toFixed(0)} ms after it was told` : ""
    }`)
}, Effect.scoped)

const measureBoth = Effect.fnUntraced(function* (listeners: number) {
  const { url: database } = yield* startEmbeddedPostgres("own").pipe(
    Effect.provideServiceEffect(
      Environment,
      readEnvironment({ PATH: process.env.PATH, DATA_DIR: yield* temporaryFolder })
    )
  )
  const context = yield* Layer.build(Db.layerUrl(database))
  yield* Effect.provide(migrate(), context)
  const tell = recordFeed(Context.get(context, Db), [
    { event: "meeting.removed", data: { id: MeetingId.make("3f2b8c1e-5a7d-4e0b-9c41-7d2f6a1b8e90") } }
  ]).pipe(Effect.orDie)
  yield* measure("streams", listeners, database, tell)
  yield* measure("bare", listeners, database, Effect.void)
}, Effect.scoped)

const [, , kind] = process.argv
const database = Redacted.make(process.env.BENCH_DATABASE ?? "")
const program =
  kind === "streams"
    ? serveStreams(database)
    : kind === "bare"
      ? serveBare
      : measureBoth(Number(kind ?? 2000)).pipe(Effect.timeout("3 minutes"), Effect.orDie)
await Effect.runPromise(program)
