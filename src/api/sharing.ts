import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { RecordShareRequest, RedeemedShare, RedeemShareRequest, ShareGrant } from "../../schema/sharing.ts"
import { Access } from "./access.ts"
import {
  Conflict,
  Forbidden,
  Gone,
  Internal,
  NotFound,
  RateLimited,
  Unauthorized,
  Unavailable
} from "./errors/classes.ts"
import { meetingRef } from "./meetings.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { grantOnly, Security, sessionOnly } from "./security.ts"
import { ChangesOnGet } from "./surface.ts"

/** Spec 4.6 and the grant of 4.2: how a reader shows a meeting to someone without an account. */
export const SharingGroup = HttpApiGroup.make("sharing")
  .add(
    HttpApiEndpoint.get("mint", "/api/meetings/:id/share", {
      params: { id: meetingRef },
      success: ShareGrant,
      error: [Unauthorized, Forbidden, NotFound, Gone, RateLimited, Internal, Unavailable]
    })
      .annotate(Security, sessionOnly)
      .annotate(ChangesOnGet, true)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "mintShareGrant",
          summary: "Mint a share grant",
          description:
            "Returns an `st` token that opens this meeting for 14 days, and a link that carries it. The token is shown only once. A request from a page on another origin is refused. An account can mint at most 100 a day."
        })
      ),
    HttpApiEndpoint.post("record", "/api/share/record", {
      payload: RecordShareRequest,
      success: HttpApiSchema.NoContent,
      error: [Unauthorized, Forbidden, NotFound, Gone, RateLimited, Internal, Unavailable]
    })
      .annotate(Security, sessionOnly)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "recordShare",
          summary: "Record a share",
          description: "Records that a reader shared a meeting, and through which channel; at most 300 times a day."
        })
      ),
    HttpApiEndpoint.post("redeem", "/api/share/redeem", {
      payload: RedeemShareRequest,
      success: RedeemedShare,
      error: [Unauthorized, Forbidden, Conflict, Internal, Unavailable]
    })
      .annotate(Security, grantOnly)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "redeemShare",
          summary: "Redeem a share grant",
          description:
            "Exchanges an `st` token for the `cr_share` cookie, which opens the meeting for the rest of the 14 days. A token can be redeemed only once: of two concurrent requests, one gets 409."
        })
      )
  )
  .middleware(Access)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(
    OpenApi.annotations({ title: "Sharing", description: "Showing a meeting to someone without an account." })
  )
