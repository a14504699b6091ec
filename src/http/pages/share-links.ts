import { Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Environment } from "../../../layers/config/config.ts"
import { mayRead } from "../../../schema/viewer.ts"
import { CurrentViewer } from "../../api/access.ts"
import type { WireError } from "../../api/errors/classes.ts"
import { wire } from "../../failures/failures.ts"
import type { Asked } from "../../pages/page.ts"
import { meetingIn } from "../../pages/parts/paths.ts"
import { Shares } from "../../services/accounts/shares.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { answerWithCookie, shareCookie } from "../cookies.ts"
import { isVisit } from "./visit.ts"

/** A step before the page is loaded, given the parts of its path: it may answer in place of the page. */
export type First = (
  params: Asked["params"]
) => Effect.Effect<
  Option.Option<HttpServerResponse.HttpServerResponse>,
  WireError,
  HttpServerRequest.HttpServerRequest | CurrentViewer
>

/** For an answer to an address with a token in it: never cached, and the address is sent to nobody. */
export const secret = { "cache-control": "private, no-store", "referrer-policy": "no-referrer" }

/** The same address without the token. */
const withoutToken = ({ url }: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse => {
  const { pathname, searchParams } = new URL(url, "http://localhost")
  searchParams.delete("st")
  const query = searchParams.toString()
  return HttpServerResponse.redirect(query === "" ? pathname : `${pathname}?${query}`, { status: 303, headers: secret })
}

/**
 * Opening a meeting's page with a share link (`st`) redeems the token, and redirects to the address without it
 * (contract section 6). A token works once, so only a visit uses it up. A reader needs no grant, so the token stays
 * valid for somebody else. A token that does not open this meeting is left alone: the page says why.
 */
export const openingShareLinks = Effect.gen(function* () {
  const meetings = yield* Meetings
  const shares = yield* Shares
  const { baseUrl } = yield* Environment

  const first: First = Effect.fnUntraced(function* (params) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const token = new URL(request.url, "http://localhost").searchParams.get("st")
    const viewer = yield* CurrentViewer
    if (token === null || !isVisit(request) || viewer._tag === "Anonymous") return Option.none()
    if (viewer._tag === "Reader") return Option.some(withoutToken(request))
    if (!mayRead(viewer, yield* Effect.mapError(meetings.resolve(meetingIn(params.meeting)), wire)))
      return Option.none()
    // The viewer may already hold the cookie of this token, or of another one: then the link has done its work.
    const redeemed = yield* Effect.option(shares.redeem(token))
    if (Option.isSome(redeemed)) {
      const { cookie, expiresAt } = redeemed.value
      yield* answerWithCookie(baseUrl, { name: shareCookie, value: cookie, expires: expiresAt })
    }
    return Option.some(withoutToken(request))
  })
  return first
})
