import { Schema } from "effect"
import { ErrorBody } from "../../../schema/errors.ts"

/** Response headers that an error brings with it, such as `Retry-After` and `Allow`. */
export type ErrorHeaders = Readonly<Record<string, string>>

interface Sent {
  readonly headers?: ErrorHeaders
}

/*
 * The errors of the wire: one class per status, all of one shape (spec section 7). A handler fails with one of these
 * and the contract encodes it; the edge sends the same for what never reaches a handler.
 */

export class InvalidRequest extends Schema.Error<InvalidRequest, Sent>("civic-record/InvalidRequest")(ErrorBody, {
  httpApiStatus: 400,
  description: "A parameter, header or body could not be decoded; `message` names it."
}) {
  readonly status = 400
}

export class Unauthorized extends Schema.Error<Unauthorized, Sent>("civic-record/Unauthorized")(ErrorBody, {
  httpApiStatus: 401,
  description: "The credential is missing or not valid."
}) {
  readonly status = 401
}

export class Forbidden extends Schema.Error<Forbidden, Sent>("civic-record/Forbidden")(ErrorBody, {
  httpApiStatus: 403,
  description: "Refused: the share grant is for another meeting, or the request came from another origin with a cookie."
}) {
  readonly status = 403
}

export class NotFound extends Schema.Error<NotFound, Sent>("civic-record/NotFound")(ErrorBody, {
  httpApiStatus: 404,
  description: "There is no such resource on record. A malformed id or slug gets the same answer."
}) {
  readonly status = 404
}

class MethodNotAllowed extends Schema.Error<MethodNotAllowed, Sent>("civic-record/MethodNotAllowed")(ErrorBody, {
  httpApiStatus: 405,
  description: "The path does not have this method; `Allow` lists those it has."
}) {
  readonly status = 405
}

export class Conflict extends Schema.Error<Conflict, Sent>("civic-record/Conflict")(ErrorBody, {
  httpApiStatus: 409,
  description: "The current state of the record does not allow it."
}) {
  readonly status = 409
}

export class Gone extends Schema.Error<Gone, Sent>("civic-record/Gone")(ErrorBody, {
  httpApiStatus: 410,
  description: "The meeting was taken off the record; `message` gives the reason that may be told."
}) {
  readonly status = 410
}

class BodyTooLarge extends Schema.Error<BodyTooLarge, Sent>("civic-record/BodyTooLarge")(ErrorBody, {
  httpApiStatus: 413,
  description: "The body is larger than 64 KB."
}) {
  readonly status = 413
}

export class UnsupportedMediaType extends Schema.Error<UnsupportedMediaType, Sent>("civic-record/UnsupportedMediaType")(
  ErrorBody,
  {
    httpApiStatus: 415,
    description: "The operation does not accept a body of this type."
  }
) {
  readonly status = 415
}

export class RangeNotSatisfiable extends Schema.Error<RangeNotSatisfiable, Sent>("civic-record/RangeNotSatisfiable")(
  ErrorBody,
  {
    httpApiStatus: 416,
    description: "The range is outside the object; `Content-Range` gives the object's length."
  }
) {
  readonly status = 416
}

export class Unprocessable extends Schema.Error<Unprocessable, Sent>("civic-record/Unprocessable")(ErrorBody, {
  httpApiStatus: 422,
  description: "The request is well formed but breaks a rule."
}) {
  readonly status = 422
}

export class RateLimited extends Schema.Error<RateLimited, Sent>("civic-record/RateLimited")(ErrorBody, {
  httpApiStatus: 429,
  description: "Over the rate limit; `Retry-After` says when to try again."
}) {
  readonly status = 429
}

export class Internal extends Schema.Error<Internal, Sent>("civic-record/Internal")(ErrorBody, {
  httpApiStatus: 500,
  description: "A fault of this service; the hint carries the request id."
}) {
  readonly status = 500
}

class NotImplemented extends Schema.Error<NotImplemented, Sent>("civic-record/NotImplemented")(ErrorBody, {
  httpApiStatus: 501,
  description: "The response is not made in the format that was asked for."
}) {
  readonly status = 501
}

export class Unavailable extends Schema.Error<Unavailable, Sent>("civic-record/Unavailable")(ErrorBody, {
  httpApiStatus: 503,
  description:
    "The database, or something else the operation depends on, cannot be reached; `Retry-After` says when to try again."
}) {
  readonly status = 503
}

/** Every code with the class of its status: the table of contract section 2. */
export const classOf = {
  invalid_request: InvalidRequest,
  sign_in_required: Unauthorized,
  share_grant_invalid: Unauthorized,
  agent_token_required: Unauthorized,
  agent_token_invalid: Unauthorized,
  share_grant_other_meeting: Forbidden,
  agent_token_read_only: Forbidden,
  signature_required: Forbidden,
  signature_invalid: Forbidden,
  signature_expired: Forbidden,
  media_forbidden: Forbidden,
  cross_origin: Forbidden,
  not_found: NotFound,
  method_not_allowed: MethodNotAllowed,
  ambiguous_body: Conflict,
  clip_limit_reached: Conflict,
  share_already_redeemed: Conflict,
  transcript_missing: Conflict,
  recording_too_short: Conflict,
  span_not_found: Conflict,
  removed: Gone,
  body_too_large: BodyTooLarge,
  unsupported_media_type: UnsupportedMediaType,
  range_not_satisfiable: RangeNotSatisfiable,
  clip_too_long: Unprocessable,
  clip_out_of_range: Unprocessable,
  code_incorrect: Unprocessable,
  code_expired: Unprocessable,
  password_too_weak: Unprocessable,
  password_incorrect: Unprocessable,
  phone_invalid: Unprocessable,
  email_in_use: Unprocessable,
  rate_limited: RateLimited,
  internal: Internal,
  format_not_supported: NotImplemented,
  unavailable: Unavailable,
  auto_clips_disabled: Unavailable,
  cloud_model_unavailable: Unavailable
} as const

export type ErrorCode = keyof typeof classOf
type ErrorOf = { readonly [Code in ErrorCode]: InstanceType<(typeof classOf)[Code]> }
export type WireError = ErrorOf[ErrorCode]

const constructors: { readonly [Code in ErrorCode]: new (body: ErrorBody) => ErrorOf[Code] } = classOf

/**
 * An error as it is sent. A handler fails with it and the contract encodes it; the edge sends the same for what never
 * reaches a handler. `message` names the field and what is wrong with it, `hint` the exact next step (contract section
 * 2).
 */
export const wireError = <Code extends ErrorCode>(
  error: Code,
  message: string,
  hint: string,
  headers: ErrorHeaders = {}
): ErrorOf[Code] => Object.assign(new constructors[error]({ error, message, hint }), { headers })

const errorClasses = new Set<unknown>(Object.values(classOf))
/** Whether something that failed is one of these errors. */
export const isWireError = (error: unknown): error is WireError =>
  error instanceof Error && errorClasses.has(error.constructor)
