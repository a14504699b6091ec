import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Cookies, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Environment } from "../../../layers/config.ts"
import { anonymous, type Viewer } from "../../../schema/viewer.ts"
import { Access, CurrentViewer } from "../../api/access.ts"
import { crossOrigin } from "../../api/errors/common.ts"
import { ChangesOnGet } from "../../api/surface.ts"
import { Sessions } from "../../services/accounts/sessions.ts"
import { Shares } from "../../services/accounts/shares.ts"
import { cookieOptions } from "../cookies.ts"
import { isCrossOrigin } from "./cross-origin.ts"

/** Longer than any token of ours: not worth a look-up. */
const longestToken = 1024

const given = (value: string | null | undefined): string | undefined =>
  value === null || value === undefined || value === "" || value.length > longestToken ? undefined : value

/** Who is asking, and until when their session now lives where it was just drawn out. */
interface Asking {
  readonly viewer: Viewer
  readonly drawnOut: Option.Option<DateTime.Utc>
}

const asking = (viewer: Viewer): Asking => ({ viewer, drawnOut: Option.none() })

/** Works out who is asking, from `cr_session`, `st` and `cr_share`; a bearer token counts for nothing here (spec section 5). */
const viewerOf = Effect.fn("Access.viewer")(function* (
  sessions: Sessions["Service"],
  shares: Shares["Service"],
  request: HttpServerRequest.HttpServerRequest
): Effect.fn.Return<Asking> {
  const session = given(request.cookies.cr_session)
  if (session !== undefined) {
    const reader = yield* sessions.reader(session)
    if (Option.isSome(reader)) {
      const { accountId, drawnOut } = reader.value
      return { viewer: { _tag: "Reader", accountId }, drawnOut }
    }
  }
  const token = given(new URL(request.url, "http://localhost").searchParams.get("st"))
  const cookie = given(request.cookies.cr_share)
  if (token === undefined && cookie === undefined) return asking(anonymous)
  const ofToken = token === undefined ? Option.none() : yield* shares.ofToken(token)
  const held = Option.isSome(ofToken) || cookie === undefined ? ofToken : yield* shares.ofCookie(cookie)
  return Option.match(held, {
    onNone: () => asking({ _tag: "Anonymous", grantRefused: true }),
    onSome: (meetingId) => asking({ _tag: "ShareHolder", meetingId })
  })
})

/** Settles the viewer, refuses a write from another origin, and keeps from caches what is answered to one with a credential. */
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
      const { viewer, drawnOut } = yield* viewerOf(sessions, shares, request)
      const response = yield* Effect.provideService(handler, CurrentViewer, viewer)
      if (viewer._tag === "Anonymous") return response
      const kept = HttpServerResponse.setHeader(response, "cache-control", "private, no-store")
      // The cookie lives as long as its session; signing in or out has its own word.
      return Option.isNone(drawnOut) || Option.isSome(Cookies.get(kept.cookies, "cr_session"))
        ? kept
        : HttpServerResponse.setCookieUnsafe(kept, "cr_session", request.cookies.cr_session ?? "", {
            ...cookieOptions(baseUrl),
            expires: DateTime.toDate(drawnOut.value)
          })
    })
})

export const AccessLive = Layer.effect(
  Access,
  Effect.map(
    settlingViewer,
    (settled) =>
      (handler, { endpoint }) =>
        settled(handler, Context.get(endpoint.annotations, ChangesOnGet))
  )
)
