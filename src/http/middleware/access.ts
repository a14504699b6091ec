import { Context, type DateTime, Effect, Layer, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Environment } from "../../../layers/config/config.ts"
import { isLoopback } from "../../../layers/networks/host.ts"
import { anonymous, type Viewer } from "../../../schema/viewer.ts"
import { Access, CurrentViewer } from "../../api/access.ts"
import { crossOrigin } from "../../api/errors/common.ts"
import { needsCredential, type Requirement, Security } from "../../api/security.ts"
import { ChangesOnGet } from "../../api/surface.ts"
import { wire } from "../../failures/failures.ts"
import {
  requireSession,
  requireSessionOrGrant,
  type ShareGrantInvalid,
  type SignInRequired
} from "../../services/accounts/access.ts"
import { Sessions } from "../../services/accounts/sessions.ts"
import { Shares } from "../../services/accounts/shares.ts"
import { answerWithCookie, sessionCookie, shareCookie } from "../cookies.ts"
import { problemResponse } from "../problem.ts"
import { withWellFormedBody } from "./well-formed.ts"

const safe = ["GET", "HEAD", "OPTIONS"]

/**
 * Whether a page on another origin sent a state-changing request with a reader's cookie. Browsers say where a request
 * comes from (Fetch Metadata; `Origin`, RFC 6454); a program that does not is not a browser. The operation says whether
 * its GET changes state, because one path can be spelled in many ways.
 */
const isCrossOrigin = (
  request: HttpServerRequest.HttpServerRequest,
  changesOnGet: boolean,
  baseUrl: string
): boolean => {
  const { origin, host, cookie, "sec-fetch-site": site } = request.headers
  if (cookie === undefined || (safe.includes(request.method) && !changesOnGet)) return false
  if (origin !== undefined) return origin !== new URL(baseUrl).origin && !isOwn(origin, host, baseUrl)
  return site !== undefined && site !== "same-origin" && site !== "none"
}

/**
 * Whether it is the address that the browser itself used for this service, such as localhost for 127.0.0.1. A page
 * without TLS, which anybody on the way may have written, is not of a service with TLS.
 */
const isOwn = (origin: string, host: string | undefined, baseUrl: string): boolean => {
  const from = URL.parse(origin)
  if (from === null || host === undefined || from.host !== host) return false
  return from.protocol === new URL(baseUrl).protocol || isLoopback(from.hostname)
}

/** Longer than any token of the service, so not worth looking up. */
const longestToken = 1024

const presented = (value: string | null | undefined): string | undefined =>
  value === null || value === undefined || value === "" || value.length > longestToken ? undefined : value

/** Who is asking, and until when their session lives if this request renewed it. */
interface Asking {
  readonly viewer: Viewer
  readonly renewedUntil: Option.Option<DateTime.Utc>
}

const asking = (viewer: Viewer): Asking => ({ viewer, renewedUntil: Option.none() })

/**
 * Determines who is asking, from `cr_session`, `st` and `cr_share`; bearer tokens are ignored here (spec section 5).
 */
const viewerOf = Effect.fn("Access.viewer")(function* (
  sessions: Sessions["Service"],
  shares: Shares["Service"],
  request: HttpServerRequest.HttpServerRequest
): Effect.fn.Return<Asking> {
  const session = presented(request.cookies[sessionCookie])
  if (session !== undefined) {
    const reader = yield* sessions.reader(session)
    if (Option.isSome(reader)) {
      const { accountId, renewedUntil } = reader.value
      return { viewer: { _tag: "Reader", accountId }, renewedUntil }
    }
  }
  const token = presented(new URL(request.url, "http://localhost").searchParams.get("st"))
  const cookie = presented(request.cookies[shareCookie])
  if (token === undefined && cookie === undefined) return asking(anonymous)
  const ofToken = token === undefined ? Option.none() : yield* shares.ofToken(token)
  const held = Option.isSome(ofToken) || cookie === undefined ? ofToken : yield* shares.ofCookie(cookie)
  return Option.match(held, {
    onNone: () => asking({ _tag: "Anonymous", grantRefused: true }),
    onSome: (meetingId) => asking({ _tag: "ShareHolder", meetingId })
  })
})

/** Determines the viewer, refuses writes from another origin, and keeps answers to credentials out of caches. */
export const settlingViewer = Effect.gen(function* () {
  const sessions = yield* Sessions
  const shares = yield* Shares
  const { baseUrl } = yield* Environment
  return <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>, changesOnGet = false) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (isCrossOrigin(request, changesOnGet, baseUrl)) {
        return yield* Effect.fail(crossOrigin(request.method))
      }
      const { viewer, renewedUntil } = yield* viewerOf(sessions, shares, request)
      // The cookie lives as long as its session. Set before the handler runs: signing in or out overrides it.
      if (Option.isSome(renewedUntil)) {
        const value = request.cookies[sessionCookie] ?? ""
        yield* answerWithCookie(baseUrl, { name: sessionCookie, value, expires: renewedUntil.value })
      }
      const response = yield* Effect.provideService(handler, CurrentViewer, viewer)
      return viewer._tag === "Anonymous"
        ? response
        : HttpServerResponse.setHeader(response, "cache-control", "private, no-store")
    })
})

/** The credential an operation requires: none, a session, or a session or a grant to its meeting. */
const askedOf = (requirement: Requirement | undefined): "nothing" | "session" | "session or grant" =>
  !needsCredential(requirement)
    ? "nothing"
    : requirement?.some((one) => "share_grant" in one) === true
      ? "session or grant"
      : "session"

/**
 * Credentials are checked before anything else (contract section 1): a caller without the required one is refused for
 * that, whatever else is wrong with the request. Whether a grant is for the requested meeting is for the handler to
 * say, because the meeting has to be found first.
 */
export const AccessLive = Layer.effect(
  Access,
  Effect.map(settlingViewer, (settled) => (answering, { endpoint, group }) => {
    const asked = askedOf(Context.get(Context.merge(group.annotations, endpoint.annotations), Security))
    const handler = withWellFormedBody(answering)
    const refusal = (refused: SignInRequired | ShareGrantInvalid) => Effect.succeed(problemResponse(wire(refused)))
    const admitted = Effect.flatMap(CurrentViewer, (viewer) => {
      if (asked === "nothing") return handler
      const required = asked === "session" ? requireSession(viewer) : requireSessionOrGrant(viewer)
      return Effect.matchEffect(required, { onFailure: refusal, onSuccess: () => handler })
    })
    return settled(admitted, Context.get(endpoint.annotations, ChangesOnGet))
  })
)
