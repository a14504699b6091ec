import { Schema } from "effect"
import { Instant, MeetingId } from "./primitives.ts"

export const ShareGrant = Schema.Struct({
  token: Schema.String.annotate({ description: "The `st` token; shown once." }),
  url: Schema.String,
  meeting_id: MeetingId,
  expires_at: Instant
}).annotate({ identifier: "ShareGrant", description: "Opens one meeting for 14 days." })
export interface ShareGrant extends Schema.Schema.Type<typeof ShareGrant> {}

export const RecordShareRequest = Schema.Struct({
  meeting_id: MeetingId,
  channel: Schema.Literals(["link", "email", "sms", "native"])
}).annotate({ identifier: "RecordShareRequest" })
export interface RecordShareRequest extends Schema.Schema.Type<typeof RecordShareRequest> {}

export const RedeemShareRequest = Schema.Struct({
  token: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(512))
}).annotate({ identifier: "RedeemShareRequest" })
export interface RedeemShareRequest extends Schema.Schema.Type<typeof RedeemShareRequest> {}

export const RedeemedShare = Schema.Struct({ meeting_id: MeetingId, expires_at: Instant }).annotate({
  identifier: "RedeemedShare"
})
export interface RedeemedShare extends Schema.Schema.Type<typeof RedeemedShare> {}
