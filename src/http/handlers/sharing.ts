import { DateTime, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Environment } from "../../../layers/config/config.ts"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { Shares } from "../../services/accounts/shares.ts"
import { reader } from "../caller.ts"
import { answerWithCookie, shareCookie } from "../cookies.ts"

export const SharingLive = HttpApiBuilder.group(
  Api,
  "sharing",
  Effect.fnUntraced(function* (handlers) {
    const shares = yield* Shares
    const { baseUrl } = yield* Environment
    return handlers.handleAll({
      mint: Effect.fnUntraced(function* ({ params }) {
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
