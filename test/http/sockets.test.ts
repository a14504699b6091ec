import * as net from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { askRaw, rawRequest } from "../support/asked.ts"
import { served } from "../support/served.ts"

/** The bytes sent to a caller that never hangs up itself. */
const stubborn = (port: number, bytes: string) =>
  Effect.callback<string>((resume) => {
    const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => socket.write(bytes, "latin1"))
    const received: Array<Buffer> = []
    socket.on("data", (chunk) => received.push(chunk))
    socket.on("error", () => {})
    // This end stays open and never signals its end; a write that fails shows that the server has closed.
    const knocking = setInterval(() => socket.write("x"), 100)
    socket.on("close", () => {
      clearInterval(knocking)
      resume(Effect.succeed(Buffer.concat(received).toString("utf8")))
    })
    return Effect.sync(() => {
      clearInterval(knocking)
      socket.destroy()
    })
  })

const host = "Host: record.example.gov\r\n"

describe("a raw request", () => {
  it.live("names one host, or is refused", () =>
    Effect.gen(function* () {
      const { port } = yield* served()
      for (const [headers, message] of [
        [["Host: elsewhere.example"], "The Host header is there twice."],
        [["host: record.example.gov"], "The Host header is there twice."]
      ] as const) {
        const { status, json } = yield* askRaw(port, rawRequest("GET /api/places", headers))
        assert.deepStrictEqual(json(), {
          error: "invalid_request",
          message,
          hint: "Send Host once, with the host name of the address."
        })
        assert.strictEqual(status, 400)
      }
      for (const name of ["", "a b", "record.example.gov/x", "me@record.example.gov", "record.example.gov:port"]) {
        const answer = yield* askRaw(port, `GET /api/places HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`)
        assert.deepStrictEqual([answer.status, answer.json().message], [400, "The Host header names no host."], name)
      }
      for (const name of ["localhost:8787", "[::1]:8787", "my_service", "127.0.0.1"]) {
        const answer = yield* askRaw(port, `GET /api/places HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`)
        assert.strictEqual(answer.status, 200, name)
      }
    })
  )

  it.live("needs no host in HTTP/1.0, in which proxies check health, and a HEAD is enough", () =>
    Effect.gen(function* () {
      const { port } = yield* served({ settings: { publicReadLimit: 1 } })
      for (const method of ["GET", "HEAD"]) {
        for (const target of ["/health", "/health/ready"]) {
          for (const rest of ["HTTP/1.0\r\n\r\n", `HTTP/1.1\r\n${host}Connection: close\r\n\r\n`]) {
            const { status } = yield* askRaw(port, `${method} ${target} ${rest}`)
            assert.strictEqual(status, 200, `${method} ${target} ${rest}`)
          }
        }
      }
      const { status, json } = yield* askRaw(port, "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n")
      assert.deepStrictEqual([status, json().message], [400, "The Host header is missing."])
    })
  )

  it.live("that is malformed is answered in the error shape and hung up on, a CONNECT too", () =>
    Effect.gen(function* () {
      const { port } = yield* served()
      const answers = yield* Effect.forEach(
        [
          `CONNECT elsewhere.example:443 HTTP/1.1\r\n${host}\r\n`,
          `CONNECT /api/places HTTP/1.1\r\n${host}\r\n`,
          `GET /api/places HTTP/1.1\r\n${host}Expect: the-unexpected\r\n\r\n`,
          `FOO /api/places HTTP/1.1\r\n${host}\r\n`,
          "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
          "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
          `GET /api/places HTTP/1.1\r\n${host}X: ${"y".repeat(20_000)}\r\n\r\n`,
          `POST /api/share/redeem HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`
        ],
        (bytes) => stubborn(port, bytes),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        answers.map((answer) => answer.slice(9, 12)),
        ["400", "400", "417", "400", "400", "400", "431", "400"]
      )
      for (const answer of answers) {
        assert.include(answer, "Connection: close\r\n")
        const body = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as object
        assert.deepStrictEqual(Object.keys(body), ["error", "message", "hint"])
      }
      assert.include(answers[0], "The request asks for a tunnel, and this is no proxy.")
    })
  )

  it.live("that offers another protocol is answered as any other, and then hung up on", () =>
    Effect.gen(function* () {
      const { port } = yield* served()
      const answer = yield* stubborn(
        port,
        `GET /api/places HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\nSec-WebSocket-Version: 13\r\n\r\n`
      )
      assert.match(answer, /^HTTP\/1\.1 200 /)
    })
  )
})
