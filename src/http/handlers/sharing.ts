import { DateTime, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Environment } from "../../../layers/config.ts"
import { Api } from "../../api/api.ts"
import { shareAlreadyRedeemed } from "../../api/errors/common.ts"
import { Shares } from "../../services/accounts/shares.ts"
import type { NotFound } from "../../services/failures.ts"
import { cookieOptions } from "../cookies.ts"
import { refusedForNow } from "./account-failures.ts"
import { wireNotFound } from "./failures.ts"
import { reader, wireRefusal } from "./refusals.ts"

const refusals = { NotFound: (failure: NotFound) => Effect.fail(wireNotFound(failure)), TooOften: refusedForNow }

export const SharingLive = HttpApiBuilder.group(
  Api,
  "sharing",
  Effect.fnUntraced(function* (handlers) {
    const shares = yield* Shares
    const { baseUrl } = yield* Environment
    return handlers.handleAll({
      mint: Effect.fnUntraced(function* ({ params }) {
        return yield* Effect.catchTags(shares.mint(params.id, yield* reader), refusals)
      }),
      record: Effect.fnUntraced(function* ({ payload }) {
        yield* Effect.catchTags(shares.record(payload, yield* reader), refusals)
      }),
      redeem: Effect.fnUntraced(function* ({ payload }) {
        const { meetingId, expiresAt, cookie } = yield* shares
          .redeem(payload.token)
          .pipe(
            Effect.mapError((failure) =>
              failure._tag === "ShareAlreadyRedeemed" ? shareAlreadyRedeemed() : wireRefusal(failure)
            )
          )
        return HttpServerResponse.setCookieUnsafe(
          HttpServerResponse.jsonUnsafe({ meeting_id: meetingId, expires_at: DateTime.formatIso(expiresAt) }),
          "cr_share",
          cookie,
          { ...cookieOptions(baseUrl), expires: DateTime.toDate(expiresAt) }
        )
      })
    })
  })
)
