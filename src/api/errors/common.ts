import type { ErrorCode } from "../../../schema/errors.ts"
import {
  BodyTooLarge,
  Conflict,
  Forbidden,
  Gone,
  Internal,
  InvalidRequest,
  MethodNotAllowed,
  NotFound,
  RangeNotSatisfiable,
  RateLimited,
  Unauthorized,
  Unavailable,
  UnsupportedMediaType
} from "./classes.ts"

export const errorBody = (error: ErrorCode, message: string, hint: string) => ({ error, message, hint })

/** `field` as the caller wrote it, `problem` as what follows it in a sentence: `must be a whole number`. */
export const invalidRequest = (field: string, problem: string, hint: string) =>
  new InvalidRequest(errorBody("invalid_request", `${field} ${problem}.`, hint))

export const notFound = (message: string, hint: string) => new NotFound(errorBody("not_found", message, hint))

/** A meeting that was taken off the record; `reason` is the one that may be told. */
export const removed = (ref: string, reason: string | undefined) => {
  const why = reason === undefined ? "" : `: ${reason.replace(/\.$/, "")}`
  return new Gone(
    errorBody(
      "removed",
      `The meeting "${shortened(ref)}" was taken off the record${why}.`,
      "Delete any copy of it. GET /api/meetings/browse finds the meetings that are on record."
    )
  )
}

export const noSuchRoute = (path: string) =>
  notFound(`Nothing is at ${shortened(path)}.`, "GET /api lists where to start, and /openapi.json every operation.")

export const methodNotAllowed = (method: string, path: string, allowed: ReadonlyArray<string>) =>
  new MethodNotAllowed(
    errorBody("method_not_allowed", `${method} is not a method of ${shortened(path)}.`, `Use ${allowed.join(", ")}.`)
  )

/** Names neither of the bodies: which one was meant is not ours to guess (spec section 7, rule 7). */
export const ambiguousBody = (place: string, segment: string) =>
  new Conflict(
    errorBody(
      "ambiguous_body",
      `More than one body at "${shortened(place)}" is called "${shortened(segment)}".`,
      "Use the slug of the body that you mean: GET /api/agencies lists them all."
    )
  )

export const bodyTooLarge = (limit: number) =>
  new BodyTooLarge(
    errorBody("body_too_large", `The body is larger than ${limit / 1024} KB.`, `Send at most ${limit} bytes of JSON.`)
  )

export const unsupportedMediaType = (given: string | undefined) =>
  new UnsupportedMediaType(
    errorBody(
      "unsupported_media_type",
      given === undefined ? "Content-Type is missing." : `Content-Type ${shortened(given)} is not accepted here.`,
      "Send the body as JSON, with Content-Type: application/json."
    )
  )

/** Where a form is taken, and only there. */
export const notAForm = (given: string) =>
  new UnsupportedMediaType(
    errorBody(
      "unsupported_media_type",
      `Content-Type ${shortened(given)} is not accepted here.`,
      "Send a form: application/x-www-form-urlencoded or multipart/form-data."
    )
  )

export const signInRequired = () =>
  new Unauthorized(
    errorBody(
      "sign_in_required",
      "This takes a session, and nobody is signed in.",
      "Sign in at /signin (accounts are free), or open a meeting with a share link."
    )
  )

export const shareGrantInvalid = () =>
  new Unauthorized(
    errorBody(
      "share_grant_invalid",
      "The share grant (st or cr_share) is unknown, expired or already redeemed.",
      "Ask for a new share link, or sign in at /signin."
    )
  )

export const shareGrantOtherMeeting = () =>
  new Forbidden(
    errorBody(
      "share_grant_other_meeting",
      "The share grant is for another meeting.",
      "Open the meeting that the link was made for, or sign in at /signin to read this one."
    )
  )

export const shareAlreadyRedeemed = () =>
  new Conflict(
    errorBody(
      "share_already_redeemed",
      "token was redeemed before, and can be redeemed once.",
      "Use the cookie cr_share that it was exchanged for, or ask for a new share link."
    )
  )

export const crossOrigin = (method: string) =>
  new Forbidden(
    errorBody(
      "cross_origin",
      `${method} was sent from another origin with a cookie.`,
      "Send it from a page of this origin, or without cookies."
    )
  )

export const signatureRequired = () =>
  new Forbidden(
    errorBody(
      "signature_required",
      "sig is missing: this object is reached through a signature.",
      "Use the url that the clips, video, agenda or graphics operation of its meeting mints."
    )
  )

export const signatureInvalid = () =>
  new Forbidden(
    errorBody(
      "signature_invalid",
      "The signature (sig or eg) was not made for this object.",
      "Use a url as it was minted, unchanged; fetch a new one from the operation that minted it."
    )
  )

export const signatureExpired = () =>
  new Forbidden(
    errorBody(
      "signature_expired",
      "sig has expired: a signature lives for six hours.",
      "Fetch a new url from the operation that minted this one."
    )
  )

/** The same bytes for every key that is not served, whether there is such an object or not (spec 4.5). */
export const mediaForbidden = () =>
  new Forbidden(
    errorBody(
      "media_forbidden",
      "No object of this key is handed out, whatever is presented.",
      "Use the urls of GET /api/meetings/{id}/clips, /video, /agenda and /graphics."
    )
  )

export const noSuchObject = (key: string) =>
  notFound(`No object has the key ${shortened(key)}.`, "Take the url from the meeting that the object belongs to.")

export const rangeNotSatisfiable = (size: number) =>
  new RangeNotSatisfiable(
    errorBody(
      "range_not_satisfiable",
      "Range lies outside the object.",
      `Ask for bytes from 0 to ${size - 1}, or leave Range out.`
    )
  )

export const rateLimited = (limit: number, windowSeconds: number, retryAfter: number, whose = "address") =>
  new RateLimited(
    errorBody(
      "rate_limited",
      `More than ${limit} requests in ${windowSeconds} seconds came from this ${whose}.`,
      `Wait ${retryAfter} seconds, as Retry-After says, and send the request again.`
    )
  )

export const internal = (requestId: string) =>
  new Internal(
    errorBody(
      "internal",
      "The service failed to answer this request.",
      `Try again; if it fails again, report it with the request id ${requestId}.`
    )
  )

export const unavailable = (retryAfter: number) =>
  new Unavailable(
    errorBody(
      "unavailable",
      "The database cannot be reached at the moment.",
      `Wait ${retryAfter} seconds, as Retry-After says, and send the request again.`
    )
  )

export const stopping = (retryAfter: number) =>
  new Unavailable(
    errorBody(
      "unavailable",
      "The service stopped before this request was finished.",
      `Wait ${retryAfter} seconds, as Retry-After says, and send the request again.`
    )
  )

export const notReady = (retryAfter: number) =>
  new Unavailable(
    errorBody(
      "unavailable",
      "The database is being brought to this build's schema.",
      `Wait ${retryAfter} seconds, as Retry-After says, and ask again.`
    )
  )

/** What a caller wrote, short enough to repeat to them. */
export const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)
