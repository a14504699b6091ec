import { DateTime, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Environment } from "../../../layers/config/config.ts"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { Shares } from "../../services/accounts/shares.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { reader } from "../caller.ts"
import { answerWithCookie, shareCookie } from "../cookies.ts"

export const SharingLive = HttpApiBuilder.group(
  Api,
  "sharing",
  Effect.fnUntraced(function* (handlers) {
    const meetings = yield* Meetings
    const shares = yield* Shares
    const { baseUrl } = yield* Environment
    return handlers.handleAll({
      mint: Effect.fnUntraced(function* ({ params, request }) {
        if (request.method === "HEAD") {
          yield* Effect.mapError(meetings.resolve(params.id), wire)
          return HttpServerResponse.empty({ status: 200, headers: { "content-type": "application/json" } })
        }
        return yield* Effect.mapError(shares.mint(params.id, yield* reader), wire)
      }),
      record: Effect.fnUntraced(function* ({ payload }) {
        yield* Effect.mapError(shares.record(payload, yield* reader), wire)
      }),
      redeem: Effect.fnUntraced(function* ({ payload }) {
        const { meetingId, expiresAt, cookie } = yield* Effect.mapError(shares.redeem(payload.token), wire)
        yield* answerWithCookie(baseUrl, { name: shareCookie, value: cookie, expires: expiresAt })
        return { meeting_id: meetingId, expires_at: DateTime.formatIso(expiresAt) }
      })
    })
  })
)
