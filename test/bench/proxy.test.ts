import * as fs from "node:fs"
import * as http from "node:http"
import * as https from "node:https"
import * as path from "node:path"
import * as tls from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { certificate } from "../../bench/trust/stand/around.ts"
import { isThere } from "../../bench/trust/stand/needs.ts"
import { ownFolder, standFolder, until } from "../../bench/trust/stand/program.ts"
import { operations, readersProxy } from "../../bench/trust/stand/proxies.ts"
import { openApiDocument } from "../../src/http/openapi/document.ts"
import { freePort } from "../support/free-port.ts"

const hasProxy = isThere("haproxy")
if (!hasProxy) console.warn("docs/operations/haproxy.cfg: skipped, because HAProxy is not installed")

const config = fs.readFileSync(path.join(operations, "haproxy.cfg"), "utf8")
const nodes = 3
/** How many requests a node is given at once, and how many searches. */
const [places = 0, searches = 0] = ["nodes", "searches"].map((backend) =>
  Number(new RegExp(`^backend ${backend}\n(?: .*\n)*?.*maxconn (\\d+)`, "m").exec(config)?.[1])
)
const patience = 60_000

/** A node that is ready, and answers at once: `/large` with half a megabyte, but `/held` only once it is told to. */
const node = Effect.fnUntraced(function* () {
  const held: Array<http.ServerResponse> = []
  const server = http.createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    if (request.url?.startsWith("/held") === true) held.push(response)
    else response.end(request.url === "/large" ? Buffer.alloc(500_000) : "here")
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.sync(() => void server.close().closeAllConnections())
  )
  const address = server.address()
  return { port: typeof address === "object" ? (address?.port ?? 0) : 0, held }
})

/** The proxy of docs/operations before three such nodes. */
const proxied = Effect.gen(function* () {
  const folder = yield* standFolder(false)
  const port = yield* freePort
  const { file, trusted } = certificate(path.join(folder, "tls"))
  const each = yield* Effect.all(Array.from({ length: nodes }, node))
  const ports = each.map((one) => ({ port: one.port, check: one.port }))
  const proxy = yield* readersProxy(ownFolder(folder, "logs"), port, file, ports)
  yield* proxy.start
  const held = () => each.flatMap((one) => one.held)
  return { port, trusted, held }
})

interface Answer {
  readonly status: number | undefined
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
}

const asked = (agent: https.Agent, port: number, target: string) =>
  new Promise<Answer>((resolve, reject) => {
    https
      .get({ agent, port, path: target, host: "localhost", family: 4 }, (response) => {
        let text = ""
        response.on("data", (part) => (text += String(part)))
        response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }))
      })
      .on("error", reject)
  })

describe.runIf(hasProxy)("the proxy before nodes", () => {
  it.live(
    "refuses in time what nodes have no place for, lets in what lasts, keeps the connection, and searches apart",
    () =>
      Effect.gen(function* () {
        const { port, trusted, held } = yield* proxied
        const agent = new https.Agent({ ca: trusted, keepAlive: true })
        const one = new https.Agent({ ca: trusted, keepAlive: true, maxSockets: 1 })
        const ask = (target: string, by = agent) => Effect.promise(() => asked(by, port, target))
        const waiting: Array<Promise<Answer>> = []
        const taken = (target: string, count: number) => {
          for (let place = 0; place < nodes * count; place++) waiting.push(asked(agent, port, target))
          return until(
            "all places to be taken",
            Effect.sync(() => held().length === waiting.length)
          )
        }
        yield* taken("/held?page=1&q=bridge", searches)
        assert.strictEqual((yield* ask("/api/meetings/browse?q=bridge")).status, 503)
        assert.strictEqual((yield* ask("/api/meetings/browse")).status, 200)
        yield* taken("/held", places)
        const refused = yield* ask("/api/meetings/browse", one)
        assert.deepInclude(refused, { status: 503 })
        assert.deepInclude(refused.headers, { "retry-after": "1", "content-type": "application/json" })
        assert.deepInclude(JSON.parse(refused.text), { error: "unavailable" })
        for (const target of ["/api/events?meeting_id=a", "/api/media/a.mp4?sig=b", "/api/user-clips/a/download"])
          assert.strictEqual((yield* ask(target)).status, 200)
        for (const response of held()) response.end()
        for (const { status } of yield* Effect.promise(() => Promise.all(waiting))) assert.strictEqual(status, 200)
        assert.strictEqual((yield* ask("/", one)).status, 200)
        assert.strictEqual(Object.values(one.freeSockets).flat().length, 1)
        agent.destroy()
        one.destroy()
      }),
    patience
  )

  it.live(
    "keeps no place for readers who take an answer slowly",
    () =>
      Effect.gen(function* () {
        const { port, trusted } = yield* proxied
        const slow = yield* Effect.promise(() =>
          Promise.all(
            Array.from({ length: nodes * places + 1 }, () => {
              const socket = tls.connect({ port, host: "127.0.0.1", ca: trusted, servername: "localhost" })
              socket.write("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
              // Its first bytes are there, and it does not read on.
              return new Promise<tls.TLSSocket>((resolve, reject) => {
                socket.once("error", reject)
                socket.once("readable", () => resolve(socket))
              })
            })
          )
        )
        const agent = new https.Agent({ ca: trusted })
        assert.strictEqual((yield* Effect.promise(() => asked(agent, port, "/"))).status, 200)
        for (const socket of slow) socket.destroy()
      }),
    patience
  )
})

describe("the paths that last", () => {
  it("are those of streams, of recordings and of sign-ins", () => {
    const listed = [...config.matchAll(/^ +acl lasts (path\w*) (.*)$/gm)].flatMap(([, how = "", paths = ""]) =>
      paths.split(" ").map((one) => [how, one] as const)
    )
    const lasts = (target: string) =>
      listed.some(([how, one]) =>
        how === "path_beg" ? target.startsWith(one) : how === "path_end" ? target.endsWith(one) : target === one
      )
    const paths: Readonly<Record<string, object>> = openApiDocument("", "https://a.example").paths
    const isLong = (item: object) => /"(text\/event-stream|video\/mp4)":/.test(JSON.stringify(item))
    for (const [target, item] of Object.entries(paths))
      assert.strictEqual(
        lasts(target),
        isLong(item) || target.startsWith("/api/auth/") || target === "/api/user-clips/auto",
        target
      )
  })
})
