import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { RecordShareRequest, RedeemedShare, RedeemShareRequest, ShareGrant } from "../../schema/sharing.ts"
import { Access } from "./access.ts"
import { Conflict, Forbidden, Internal, NotFound, RateLimited, Unauthorized, Unavailable } from "./errors/classes.ts"
import { meetingRef } from "./meetings.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { grantOnly, Security, sessionOnly } from "./security.ts"
import { ChangesOnGet } from "./surface.ts"

/** Spec 4.6 and the grant of 4.2: how a reader shows a meeting to somebody without an account. */
export const SharingGroup = HttpApiGroup.make("sharing")
  .add(
    HttpApiEndpoint.get("mint", "/api/meetings/:id/share", {
      params: { id: meetingRef },
      success: ShareGrant,
      error: [Unauthorized, Forbidden, NotFound, RateLimited, Internal, Unavailable]
    })
      .annotate(Security, sessionOnly)
      .annotate(ChangesOnGet, true)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "mintShareGrant",
          summary: "Mint a share grant",
          description:
            "A token `st` that opens this one meeting for 14 days, and the link that carries it. It is shown once. A request from a page of another origin is refused. An account mints at most 100 in a day."
        })
      ),
    HttpApiEndpoint.post("record", "/api/share/record", {
      payload: RecordShareRequest,
      success: HttpApiSchema.NoContent,
      error: [Unauthorized, Forbidden, NotFound, RateLimited, Internal, Unavailable]
    })
      .annotate(Security, sessionOnly)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "recordShare",
          summary: "Record a share",
          description: "Counts that a reader shared a meeting, and by which channel; at most 300 times in a day."
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
            "Exchanges a token `st`, once, for the cookie `cr_share`, which opens the meeting for what is left of the 14 days. Of two at the same instant one is answered with 409."
        })
      )
  )
  .middleware(Access)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(
    OpenApi.annotations({ title: "Sharing", description: "Showing one meeting to somebody without an account." })
  )
