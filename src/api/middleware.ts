import { HttpApiMiddleware } from "effect/http-api"
import { InvalidRequest, RateLimited } from "./errors/classes.ts"

/** Answers what does not decode with `invalid_request`, naming the field. */
export class NamesBadFields extends HttpApiMiddleware.Service<NamesBadFields>()("civic-record/NamesBadFields", {
  error: InvalidRequest
}) {}

/** Counts a request against its client address: 300 per minute by default (spec section 8). */
export class PublicRead extends HttpApiMiddleware.Service<PublicRead>()("civic-record/PublicRead", {
  error: RateLimited
}) {}

/**
 * Serves and stores cached answers (see `Cached`). It is the first middleware of a group, and stands before `Access` on
 * an endpoint, so that it is innermost: a cached answer has passed everything that any other answer passes.
 */
export class CachesResponses extends HttpApiMiddleware.Service<CachesResponses>()("civic-record/CachesResponses") {}

/** Sends the headers that an error brings with it, such as `Retry-After`; its class encodes only the body. */
export class SendsErrorHeaders extends HttpApiMiddleware.Service<SendsErrorHeaders>()(
  "civic-record/SendsErrorHeaders"
) {}
