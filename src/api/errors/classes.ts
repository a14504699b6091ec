import { Schema } from "effect"
import { ErrorBody } from "../../../schema/errors.ts"

/**
 * The errors of the wire: one class a status, all of one shape (spec section 7). A handler fails with one of these, and
 * the contract encodes it; the edge uses the same for what never reaches a handler.
 */
export class InvalidRequest extends Schema.Error<InvalidRequest>("civic-record/InvalidRequest")(ErrorBody, {
  httpApiStatus: 400,
  description: "A parameter, header or body that does not decode; `message` names it."
}) {
  readonly status = 400
}

export class Unauthorized extends Schema.Error<Unauthorized>("civic-record/Unauthorized")(ErrorBody, {
  httpApiStatus: 401,
  description: "No credential, or one that is not good."
}) {
  readonly status = 401
}

export class Forbidden extends Schema.Error<Forbidden>("civic-record/Forbidden")(ErrorBody, {
  httpApiStatus: 403,
  description: "Refused, whatever is presented."
}) {
  readonly status = 403
}

export class NotFound extends Schema.Error<NotFound>("civic-record/NotFound")(ErrorBody, {
  httpApiStatus: 404,
  description: "Names nothing on record; a malformed id or slug too."
}) {
  readonly status = 404
}

export class MethodNotAllowed extends Schema.Error<MethodNotAllowed>("civic-record/MethodNotAllowed")(ErrorBody, {
  httpApiStatus: 405,
  description: "Not a method of this path; `Allow` lists those that are."
}) {
  readonly status = 405
}

export class Conflict extends Schema.Error<Conflict>("civic-record/Conflict")(ErrorBody, {
  httpApiStatus: 409,
  description: "What is on record does not allow it."
}) {
  readonly status = 409
}

export class Gone extends Schema.Error<Gone>("civic-record/Gone")(ErrorBody, {
  httpApiStatus: 410,
  description: "A meeting that was taken off the record; `message` gives the reason that may be told."
}) {
  readonly status = 410
}

export class BodyTooLarge extends Schema.Error<BodyTooLarge>("civic-record/BodyTooLarge")(ErrorBody, {
  httpApiStatus: 413,
  description: "A body over 64 KB."
}) {
  readonly status = 413
}

export class UnsupportedMediaType extends Schema.Error<UnsupportedMediaType>("civic-record/UnsupportedMediaType")(
  ErrorBody,
  { httpApiStatus: 415, description: "A body of another type than the operation takes." }
) {
  readonly status = 415
}

export class RangeNotSatisfiable extends Schema.Error<RangeNotSatisfiable>("civic-record/RangeNotSatisfiable")(
  ErrorBody,
  { httpApiStatus: 416, description: "A range outside the object; `Content-Range` has its length." }
) {
  readonly status = 416
}

export class Unprocessable extends Schema.Error<Unprocessable>("civic-record/Unprocessable")(ErrorBody, {
  httpApiStatus: 422,
  description: "Well formed, and breaks a rule."
}) {
  readonly status = 422
}

export class RateLimited extends Schema.Error<RateLimited>("civic-record/RateLimited")(ErrorBody, {
  httpApiStatus: 429,
  description: "Past the rate limit; `Retry-After` says when to come back."
}) {
  readonly status = 429
}

export class Internal extends Schema.Error<Internal>("civic-record/Internal")(ErrorBody, {
  httpApiStatus: 500,
  description: "A fault of this service; the hint carries the request id."
}) {
  readonly status = 500
}

export class Unavailable extends Schema.Error<Unavailable>("civic-record/Unavailable")(ErrorBody, {
  httpApiStatus: 503,
  description: "The database, or what else it takes, cannot be reached; `Retry-After` says when to try again."
}) {
  readonly status = 503
}

export type WireError =
  | InvalidRequest
  | Unauthorized
  | Forbidden
  | NotFound
  | MethodNotAllowed
  | Conflict
  | Gone
  | BodyTooLarge
  | UnsupportedMediaType
  | RangeNotSatisfiable
  | Unprocessable
  | RateLimited
  | Internal
  | Unavailable
