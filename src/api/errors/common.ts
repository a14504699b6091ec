import { type ErrorHeaders, wireError } from "./classes.ts"

/* Errors that belong to HTTP itself. What a service fails with gets its words in src/failures/. */

/** The caller's value, shortened so that it can be repeated to them. */
export const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)

/** `field` as the caller wrote it; `problem` completes the sentence: `must be a whole number`. */
export const invalidRequest = (field: string, problem: string, hint: string) =>
  wireError("invalid_request", `${field} ${problem}.`, hint)

export const noSuchRoute = (path: string) =>
  wireError(
    "not_found",
    `There is nothing at ${shortened(path)}.`,
    "GET /api lists where to start, and /openapi.json describes every operation."
  )

export const methodNotAllowed = (method: string, path: string, allowed: ReadonlyArray<string>) =>
  wireError(
    "method_not_allowed",
    `${shortened(path)} does not have the method ${method}.`,
    `Use ${allowed.join(", ")}.`,
    { allow: allowed.join(", ") }
  )

/** `limit` in bytes. */
export const bodyTooLarge = (limit: number) =>
  wireError("body_too_large", `The body is larger than ${limit / 1024} KB.`, `Send at most ${limit} bytes of JSON.`)

export const unsupportedMediaType = (sent: string | undefined) =>
  wireError(
    "unsupported_media_type",
    sent === undefined ? "Content-Type is missing." : `Content-Type ${shortened(sent)} is not accepted here.`,
    "Send the body as JSON, with Content-Type: application/json."
  )

/** For the one operation that takes a form. */
export const notAForm = (sent: string) =>
  wireError(
    "unsupported_media_type",
    `Content-Type ${shortened(sent)} is not accepted here.`,
    "Send a form: application/x-www-form-urlencoded or multipart/form-data."
  )

/** What oEmbed demands of a provider that lacks a format (oembed.com, section 2.3.3). */
export const clipFormatUnknown = (format: string) =>
  wireError("format_not_supported", `format ${shortened(format)} is not one of json and xml.`, "Send format=json.")

export const crossOrigin = (method: string) =>
  wireError(
    "cross_origin",
    `${method} was sent from another origin with a cookie.`,
    "Send it from a page on this origin, or without cookies."
  )

export const signatureRequired = () =>
  wireError(
    "signature_required",
    "sig is missing, and this object is served only through a signed address.",
    "Use the url returned by the meeting's clips, video, agenda or graphics operation."
  )

/** The same bytes for every key that is never served, whether or not the object exists (spec 4.5). */
export const mediaForbidden = () =>
  wireError(
    "media_forbidden",
    "No object with this key is served, whatever the credential.",
    "Use the urls returned by GET /api/meetings/{id}/clips, /video, /agenda and /graphics."
  )

export const noSuchObject = (key: string) =>
  wireError(
    "not_found",
    `No object has the key ${shortened(key)}.`,
    "Use a url returned by the meeting that the object belongs to."
  )

/** The conditions of a request for a media object name another version; sent with status 412. */
export const anotherVersion = () =>
  invalidRequest(
    "If-Match or If-Unmodified-Since",
    "names another version of this object",
    "Ask for the object without conditions, and use the ETag that comes with it."
  )

/** `size` of the object in bytes. */
export const rangeNotSatisfiable = (size: number) =>
  wireError(
    "range_not_satisfiable",
    "Range is outside the object.",
    `Ask for bytes from 0 to ${size - 1}, or leave out Range.`,
    { "content-range": `bytes */${size}` }
  )

/** `whose` names what was counted; `headers` say what is left of the allowance. */
export const rateLimited = (
  { limit, windowSeconds }: { readonly limit: number; readonly windowSeconds: number },
  whose: "address" | "account",
  retryAfter: number,
  headers: ErrorHeaders
) =>
  wireError(
    "rate_limited",
    `More than ${limit} requests in ${windowSeconds} seconds came from this ${whose}.`,
    waitThen(retryAfter),
    headers
  )

/** How long until a browser that has gone away is noticed, in seconds. */
const streamsRetryAfter = 60

/** `limit` streams are open from the caller's address. The headers have no window: a stream ends when it is closed. */
export const tooManyStreamsOfAddress = (limit: number) =>
  wireError(
    "rate_limited",
    `${limit} streams are open from this address, which is as many as may be.`,
    `Close one of them. ${waitThen(streamsRetryAfter, "open it again")}`,
    {
      "ratelimit-policy": `"streams";q=${limit}`,
      ratelimit: `"streams";r=0`,
      "retry-after": String(streamsRetryAfter)
    }
  )

/** The next step of an error that carries `Retry-After`. */
export const waitThen = (seconds: number, next = "send the request again"): string =>
  `Wait ${seconds} ${seconds === 1 ? "second" : "seconds"}, as Retry-After says, then ${next}.`

export const internal = (requestId: string) =>
  wireError(
    "internal",
    "The service failed to answer this request.",
    `Try again; if it fails again, report it with the request id ${requestId}.`
  )

/** How long a caller should wait for something that is unavailable. */
const retryAfterSeconds = 5

/** `next` completes the hint: what to do once the wait is over. */
export const unavailable = (message: string, next?: string) =>
  wireError("unavailable", message, waitThen(retryAfterSeconds, next), { "retry-after": String(retryAfterSeconds) })

export const databaseAway = () => unavailable("The database cannot be reached at the moment.")

export const atCapacity = () => unavailable("The service is answering as many requests as it can at the moment.")

export const tooManyStreams = () => unavailable("As many streams are open as the service can serve.", "open it again")

export const stopping = () => unavailable("The service stopped before it finished this request.")
