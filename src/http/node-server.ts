import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { type Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { Drain } from "../../layers/drain.ts"
import { cannotListen } from "../../layers/networks/cannot-listen.ts"
import { invalidRequest } from "../api/errors/common.ts"
import { problemText } from "./problem.ts"

/** How long requests in progress may take to finish once the server is told to stop. */
const grace = "5 seconds"

/**
 * A listening HTTP server. What is not HTTP at all never reaches the router, but is still answered in the one error
 * shape.
 */
export const listen = Effect.fnUntraced(function* (
  address: { readonly host: string; readonly port: number },
  setting: "PORT" | "OPERATOR_PORT"
) {
  const server = createServer({
    // The edge requires a Host, in the error shape.
    requireHostHeader: false,
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5_000,
    // Longer than the idle time of common load balancers, so that they are the ones to hang up.
    keepAliveTimeout: 65_000
  })
  answerUnreadable(server)
  closeAsDrained(server, yield* Drain)
  const listening = yield* NodeHttpServer.make(() => server, { ...address, gracefulShutdownTimeout: grace }).pipe(
    Effect.mapError(({ cause }) => cannotListen(setting, address, cause))
  )
  yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
  return listening
})

/**
 * Once the process drains, each answer is the last on its connection, so that a client that keeps connections alive
 * sends its next request elsewhere, and not as this one is closed.
 */
const closeAsDrained = (server: Server, { hasBegun, onBegin }: Context.Service.Shape<typeof Drain>) => {
  const open = new Set<ServerResponse>()
  const closeAfter = (response: ServerResponse) => {
    response.shouldKeepAlive = false
  }
  onBegin(() => open.forEach(closeAfter))
  const onRequest = (_: IncomingMessage, response: ServerResponse) => {
    if (hasBegun()) closeAfter(response)
    open.add(response)
    response.once("close", () => {
      open.delete(response)
      // A connection kept alive after its last response would hold up a server that has stopped listening.
      if (!server.listening) setImmediate(() => server.closeIdleConnections())
    })
  }
  server.on("request", onRequest)
  server.on("checkContinue", onRequest)
}

/** A server that goes on while the process drains: the last layer built stops first, and waits. */
export const drainedFirst = <A, E, R>(server: Layer.Layer<A, E, R>) =>
  Layer.effectDiscard(Effect.flatMap(Drain, ({ over }) => Effect.addFinalizer(() => over))).pipe(
    Layer.provideMerge(server)
  )

/** The public server, on `HOST` and `PORT`. */
export const nodeServer = (address: { readonly host: string; readonly port: number }) =>
  Layer.effect(HttpServer.HttpServer, listen(address, "PORT"))

const unreadable: Readonly<Record<string, readonly [status: string, problem: string, hint: string]>> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "has more than 16 KB of headers",
    "Send smaller headers."
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "took too long to arrive", "Send the request without pauses."]
}
const notHttp = ["400 Bad Request", "is not valid HTTP", "Send an HTTP/1.1 request."] as const
const tunnel = ["400 Bad Request", "asks for a tunnel, and this is no proxy", "Send GET with a path instead."] as const
const expectation = [
  "417 Expectation Failed",
  "has an expectation that is not supported",
  "Leave out the Expect header."
] as const

/** How long a caller may take to hang up after a refusal before the connection is closed, in milliseconds. */
const farewell = 1000

/** Closes a connection whose last bytes were written, whatever the caller does with its end. */
const letGo = (socket: Duplex) => {
  // What still arrives is read and discarded, because closing on unread bytes would lose the answer.
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), farewell)
  socket.once("close", () => clearTimeout(timer))
  socket.on("error", () => socket.destroy())
}

/** Answers what no router sees. */
const hangUp = (socket: Duplex, problem: readonly [string, string, string]) => {
  socket.end(rawProblem(problem))
  letGo(socket)
}

const answerUnreadable = (server: Server) => {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === "ECONNRESET") return socket.destroy()
    hangUp(socket, unreadable[error.code ?? ""] ?? notHttp)
  })
  server.on("checkExpectation", ({ socket }) => hangUp(socket, expectation))
  server.on("connect", (_, socket) => hangUp(socket, tunnel))
  // No other protocol is spoken here: the request is answered as any other, and the library ends the connection after
  // it.
  server.on("upgrade", (_, socket) => socket.once("finish", () => letGo(socket)))
}

const rawProblem = ([status, problem, hint]: readonly [string, string, string]): string => {
  const body = problemText(invalidRequest("The request", problem, hint))
  return [
    `HTTP/1.1 ${status}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    `X-Request-Id: ${randomUUID()}`,
    "",
    body
  ].join("\r\n")
}
