import { Schema } from "effect"
import { Instant, MeetingId } from "./primitives.ts"

export const ShareGrant = Schema.Struct({
  token: Schema.String.annotate({ description: "The `st` token, which is shown only once." }),
  url: Schema.String,
  meeting_id: MeetingId,
  expires_at: Instant
}).annotate({ identifier: "ShareGrant", description: "Access to one meeting for 14 days." })
export interface ShareGrant extends Schema.Schema.Type<typeof ShareGrant> {}

export const RecordShareRequest = Schema.Struct({
  meeting_id: MeetingId,
  channel: Schema.Literals(["link", "email", "sms", "native"])
}).annotate({ identifier: "RecordShareRequest", description: "The meeting that was shared, and how." })
export interface RecordShareRequest extends Schema.Schema.Type<typeof RecordShareRequest> {}

export const RedeemShareRequest = Schema.Struct({
  token: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(512))
}).annotate({ identifier: "RedeemShareRequest", description: "The share grant to redeem." })
export interface RedeemShareRequest extends Schema.Schema.Type<typeof RedeemShareRequest> {}

export const RedeemedShare = Schema.Struct({ meeting_id: MeetingId, expires_at: Instant }).annotate({
  identifier: "RedeemedShare",
  description: "What the `cr_share` cookie opens, and until when."
})
export interface RedeemedShare extends Schema.Schema.Type<typeof RedeemedShare> {}
