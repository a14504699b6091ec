import { HttpApiMiddleware } from "effect/http-api"
import { InvalidRequest, RateLimited } from "./errors/classes.ts"

/** Answers what does not decode with `invalid_request`, naming the field. */
export class NamesBadFields extends HttpApiMiddleware.Service<NamesBadFields>()("civic-record/NamesBadFields", {
  error: InvalidRequest
}) {}

/** Counts a request against its client address: 300 a minute by default (spec section 8). */
export class PublicRead extends HttpApiMiddleware.Service<PublicRead>()("civic-record/PublicRead", {
  error: RateLimited
}) {}
