import { IncomingMessage } from "node:http"
import { ByteSize, Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { WireError } from "../../api/errors/classes.ts"
import { bodyTooLarge, invalidRequest, noSuchRoute, shortened, unsupportedMediaType } from "../../api/errors/common.ts"
import { problemResponse } from "../problem.ts"

/** The largest body, in bytes (contract section 1). */
export const bodyLimit = 64 * 1024
export const bodyLimitSize = ByteSize.fromInputUnsafe(bodyLimit)

/**
 * A fault in a request's address, whatever it asks for, else undefined. PostgreSQL cannot store U+0000 in text, and
 * text that is not UTF-8 names nothing; both are refused here, before anything is looked up.
 */
export const malformed = (request: HttpServerRequest.HttpServerRequest): WireError | undefined => {
  const host = malformedHost(request)
  if (host !== undefined) {
    return invalidRequest("The Host header", host, "Send Host once, with the host name of the address.")
  }
  const [path = "", query] = split(request.url)
  // The router begins the query at either character, and other readers do not; a request target has no fragment (RFC
  // 9112).
  if (path.includes(";") || request.url.includes("#") || !isText(path)) return noSuchRoute(path)
  return malformedParameter(query)
}

/**
 * A fault in the Host, else undefined: HTTP/1.1 requires exactly one, which names a host (RFC 9112, section 3.2);
 * HTTP/1.0, in which proxies check health by default, requires none.
 */
const malformedHost = ({ headers, source }: HttpServerRequest.HttpServerRequest): string | undefined => {
  const sent = source instanceof IncomingMessage ? source : undefined
  // The headers contain only the first of several.
  if ((sent?.headersDistinct.host?.length ?? 0) > 1) return "is there twice"
  if (headers.host === undefined) return sent?.httpVersion === "1.0" ? undefined : "is missing"
  return /[/?#@\\\s]/.test(headers.host) || !URL.canParse(`http://${headers.host}`) ? "names no host" : undefined
}

const split = (url: string): ReadonlyArray<string> => {
  const at = url.indexOf("?")
  return at === -1 ? [url] : [url.slice(0, at), url.slice(at + 1)]
}

const decoded = (encoded: string): string | undefined => {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

const isText = (encoded: string): boolean => decoded(encoded)?.includes("\u0000") === false

const malformedParameter = (query: string | undefined): WireError | undefined => {
  const pair = query?.split("&").find((part) => part.includes("%") && !isText(part))
  if (pair === undefined) return undefined
  const name = pair.slice(0, pair.includes("=") ? pair.indexOf("=") : undefined)
  return invalidRequest(
    isText(name) ? shortened(decoded(name) ?? name) : "A query parameter",
    "must be UTF-8 text, percent-encoded, without the character U+0000",
    "Encode the parameter as described in RFC 3986, then send the request again."
  )
}

/**
 * A fault in the body that shows before reading it, else undefined. A body without a type is what a page on another
 * origin could send without a preflight.
 */
export const malformedBody = ({ headers }: HttpServerRequest.HttpServerRequest): WireError | undefined => {
  const length = Number(headers["content-length"] ?? 0)
  if (length > bodyLimit) return bodyTooLarge(bodyLimit)
  const hasBody = length > 0 || headers["transfer-encoding"] !== undefined
  return hasBody && headers["content-type"] === undefined ? unsupportedMediaType(undefined) : undefined
}

/** The path of the first text in a JSON value that PostgreSQL cannot store (`candidates.0.name`), else undefined. */
const unstorableIn = (body: unknown): string | undefined => {
  // A worklist instead of recursion, because a body can be nested deeper than the stack.
  const left: Array<{ readonly path: string; readonly value: unknown }> = [{ path: "", value: body }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { path, value } = next
    if (typeof value === "string" && (value.includes("\u0000") || !value.isWellFormed())) return path
    if (typeof value !== "object" || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      left.push({ path: path === "" ? key : `${path}.${key}`, value: inner })
    }
  }
  return undefined
}

/**
 * JSON escapes can spell characters that no text can hold; as raw bytes, both would make the body invalid JSON or
 * UTF-8.
 */
const spelledUnstorable = /\\u(?:0000|d[89a-f])/i

/** A fault in the text of a JSON body, else undefined. A body that cannot be read or parsed is left to the handler. */
const malformedText = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) return undefined
  const text = yield* Effect.orElseSucceed(request.text, () => "")
  if (!spelledUnstorable.test(text)) return undefined
  const field = yield* Effect.orElseSucceed(Effect.map(request.json, unstorableIn), () => undefined)
  return field === undefined
    ? undefined
    : invalidRequest(
        field === "" ? "The body" : shortened(field),
        "must be text without the character U+0000 and without half of a surrogate pair",
        "Take the character out, then send the request again."
      )
})

/** Runs a handler, unless there is a fault in the body that it would read. */
export const withWellFormedBody = <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const wrong = malformedBody(request) ?? (yield* malformedText(request))
    return wrong === undefined ? yield* handler : problemResponse(wrong)
  })
