import { Effect, Layer, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Setup } from "../../../layers/config.ts"
import { anonymous, type Viewer } from "../../../schema/viewer.ts"
import { Access, CurrentViewer } from "../../api/access.ts"
import { crossOrigin } from "../../api/errors.ts"
import { Sessions } from "../../services/sessions.ts"
import { Shares } from "../../services/shares.ts"
import { isCrossOrigin } from "./cross-origin.ts"

/** Longer than any token of ours: not worth a look-up. */
const longestToken = 1024

const given = (value: string | null | undefined): string | undefined =>
  value === null || value === undefined || value === "" || value.length > longestToken ? undefined : value

/** Works out who is asking, from `cr_session`, `st` and `cr_share`; a bearer token counts for nothing here (spec section 5). */
const viewerOf = Effect.fn("Access.viewer")(function* (
  sessions: Sessions["Service"],
  shares: Shares["Service"],
  request: HttpServerRequest.HttpServerRequest
) {
  const session = given(request.cookies.cr_session)
  if (session !== undefined) {
    const reader = yield* sessions.reader(session)
    if (Option.isSome(reader)) return { _tag: "Reader", accountId: reader.value } satisfies Viewer
  }
  const token = given(new URL(request.url, "http://localhost").searchParams.get("st"))
  const cookie = given(request.cookies.cr_share)
  if (token === undefined && cookie === undefined) return anonymous
  const ofToken = token === undefined ? Option.none() : yield* shares.ofToken(token)
  const held = Option.isSome(ofToken) || cookie === undefined ? ofToken : yield* shares.ofCookie(cookie)
  return Option.match(held, {
    onNone: (): Viewer => ({ _tag: "Anonymous", grantRefused: true }),
    onSome: (meetingId): Viewer => ({ _tag: "ShareHolder", meetingId })
  })
})

/** Settles the viewer, refuses a write from another origin, and keeps from caches what is answered to one with a credential. */
export const AccessLive = Layer.effect(
  Access,
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const shares = yield* Shares
    const { baseUrl } = yield* Setup
    return (handler) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (isCrossOrigin(request, request.url.split("?", 1)[0] ?? "/", baseUrl)) {
          return yield* Effect.fail(crossOrigin(request.method))
        }
        const viewer = yield* viewerOf(sessions, shares, request)
        const response = yield* Effect.provideService(handler, CurrentViewer, viewer)
        return viewer._tag === "Anonymous"
          ? response
          : HttpServerResponse.setHeader(response, "cache-control", "private, no-store")
      })
  })
)
