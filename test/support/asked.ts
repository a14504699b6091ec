import * as net from "node:net"
import { Effect } from "effect"
import { undocumented } from "./documented.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON. */
  readonly json: () => Record<string, unknown>
}

/**
 * One request over real HTTP, with its response read to the end. Each response of an operation must be as the OpenAPI
 * document says.
 */
export const ask = (url: string, init: RequestInit = {}): Effect.Effect<Answer> =>
  Effect.promise(async () => {
    const response = await fetch(url, init)
    const text = await response.text()
    const { pathname } = new URL(url)
    const type = response.headers.get("content-type")
    const difference = undocumented(init.method ?? "GET", pathname, response.status, type, text)
    if (difference !== undefined) throw new Error(difference)
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) }
  })

/** The first bytes of an endless response. */
export const begin = (url: string, init: RequestInit = {}): Effect.Effect<Answer> =>
  Effect.promise(async () => {
    const hangUp = new AbortController()
    const response = await fetch(url, { ...init, signal: hangUp.signal })
    const first = await response.body?.getReader().read()
    hangUp.abort()
    const text = new TextDecoder().decode(first?.value)
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) }
  })

/** Sends raw bytes that no client would send, and reads until the server hangs up. */
export const askRaw = (port: number, bytes: string | Buffer): Effect.Effect<Answer> =>
  Effect.callback((resume) => {
    const socket = net.connect(port, "127.0.0.1", () => socket.write(bytes))
    const received: Array<Buffer> = []
    socket.on("data", (chunk) => received.push(chunk))
    socket.on("error", () => {})
    socket.on("close", () => {
      const [head = "", ...rest] = Buffer.concat(received).toString("utf8").split("\r\n\r\n")
      const [status = "", ...lines] = head.split("\r\n")
      const headers = new Headers(
        lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)])
      )
      const text = rest.join("\r\n\r\n")
      resume(Effect.succeed({ status: Number(status.split(" ")[1]), headers, text, json: () => JSON.parse(text) }))
    })
    return Effect.sync(() => socket.destroy())
  })

/** A request that closes its connection, so that `askRaw` ends. */
export const rawRequest = (line: string, headers: ReadonlyArray<string> = [], body = "") =>
  `${[`${line} HTTP/1.1`, "Host: record.example.gov", "Connection: close", ...headers].join("\r\n")}\r\n\r\n${body}`
