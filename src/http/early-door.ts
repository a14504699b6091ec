import { IncomingMessage, Server, ServerResponse } from "node:http"
import { Context, Effect, Option, Tracer } from "effect"
import { Headers, HttpClientRequest, type HttpMiddleware, HttpServerRequest, HttpServerResponse } from "effect/http"
import { plainTarget } from "./exchange.ts"
import type { FromDoor, Presented } from "./middleware/kept-door.ts"

/** Answers a request, or has the application answer it. */
type Ask = (request: IncomingMessage, response: ServerResponse, otherwise: () => void) => void

/** What a server asks before it hands a request to the application, once there is something to ask. */
export class EarlyDoor extends Context.Service<EarlyDoor, { ask: Ask | undefined }>()("civic-record/EarlyDoor") {}

/** A server of `node:http` that asks at a door of its own before its listeners see a request. */
export class ServerWithDoor extends Server {
  readonly door: EarlyDoor["Service"] = { ask: undefined }

  override emit(event: string, ...args: Array<unknown>): boolean {
    const [request, response] = args
    if (event !== "request" || !(request instanceof IncomingMessage) || !(response instanceof ServerResponse)) {
      return super.emit(event, ...args)
    }
    this.hangUpOnceStopped(response)
    const otherwise = () => super.emit(event, request, response)
    if (this.door.ask === undefined) return otherwise()
    this.door.ask(request, response, otherwise)
    return true
  }

  /** A connection kept alive after its last response would hold up a server that has stopped listening. */
  private hangUpOnceStopped(response: ServerResponse) {
    response.once("close", () => {
      if (!this.listening) setImmediate(() => this.closeIdleConnections())
    })
  }
}

/** A request without anything in it, to be filled in: the library makes none from Node's outside of its own handler. */
const blank = HttpServerRequest.fromClientRequest(HttpClientRequest.get("/"))

/** Who asks, and for which host: what the connection says or, behind a proxy that is trusted, what the proxy says. */
type Forwarded = (incoming: IncomingMessage) => Pick<Presented, "remoteAddress"> & { readonly host: string | undefined }

const direct: Forwarded = ({ headers, socket }) => ({
  remoteAddress: Option.fromNullishOr(socket.remoteAddress),
  host: headers.host
})

const behind =
  (forwarded: ReturnType<typeof HttpMiddleware.xForwardedHeaders>): Forwarded =>
  (incoming) => {
    const request = blank.modify({
      headers: Headers.fromInput(incoming.headers),
      remoteAddress: Option.fromNullishOr(incoming.socket.remoteAddress)
    })
    let seen = request
    const see = Effect.map(HttpServerRequest.HttpServerRequest, (forwarded) => {
      seen = forwarded
      return HttpServerResponse.empty()
    })
    Effect.runSync(Effect.provideService(forwarded(see), HttpServerRequest.HttpServerRequest, request))
    return { remoteAddress: seen.remoteAddress, host: seen.headers.host }
  }

const presented = (incoming: IncomingMessage, forwarded: Forwarded): Presented => {
  const { headers, method = "", url = "" } = incoming
  const requestId = headers["x-request-id"]
  const { host, remoteAddress } = forwarded(incoming)
  return {
    method,
    url: plainTarget(url),
    source: incoming,
    remoteAddress,
    headers: {
      "accept-encoding": headers["accept-encoding"],
      "content-length": headers["content-length"],
      cookie: headers.cookie,
      host,
      "if-none-match": headers["if-none-match"],
      "transfer-encoding": headers["transfer-encoding"],
      "x-request-id": typeof requestId === "string" ? requestId : undefined
    }
  }
}

const write = ({ form: { body, headers, status }, own }: FromDoor, to: ServerResponse) => {
  if (to.destroyed) return
  to.writeHead(status, { ...headers, ...own })
  // Node leaves the body of an answer to HEAD out by itself.
  if (body._tag === "Uint8Array") to.end(body.body)
  else to.end()
}

/**
 * Opens the server's early door: requests whose answer `door` has are answered before the application sees them. What the
 * library does for every request (a span, a scope, a chain of middleware) costs as much as all that such an answer needs.
 * `forwarded` is the library's reading of what proxies say, undefined where none is trusted.
 *
 * The door stays shut where spans are recorded, because a request has to be among them, however it is answered; whether it is
 * open is returned.
 */
export const openEarlyDoor = Effect.fnUntraced(function* (
  door: (request: Presented) => Effect.Effect<FromDoor | undefined>,
  forwarded: ReturnType<typeof HttpMiddleware.xForwardedHeaders> | undefined
) {
  const server = yield* EarlyDoor
  const isTraced = (yield* Tracer.Tracer) !== Tracer.Tracer.defaultValue()
  if (isTraced) return false
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const asked = forwarded === undefined ? direct : behind(forwarded)

  const answer = Effect.fnUntraced(function* (
    incoming: IncomingMessage,
    response: ServerResponse,
    otherwise: () => void
  ) {
    const found = yield* door(presented(incoming, asked))
    if (found === undefined) return otherwise()
    write(found, response)
    yield* found.record
  })

  server.ask = (incoming, response, otherwise) => {
    const { headersDistinct, url = "" } = incoming
    // A target with an authority, and a Host that is missing or there twice, are for the edge to read or to refuse.
    if (!url.startsWith("/") || headersDistinct.host?.length !== 1) return otherwise()
    run(
      Effect.catchDefect(answer(incoming, response, otherwise), (defect) =>
        Effect.sync(() => {
          if (!response.headersSent) otherwise()
        }).pipe(Effect.andThen(Effect.logError("the early door failed", defect)))
      )
    )
  }
  return true
})
