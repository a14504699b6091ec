import { Schema } from "effect"
import { signed } from "./clip.ts"
import { Count, MeetingId, Seconds, WebAddress } from "./primitives.ts"

export const Video = Schema.Struct({
  meeting_id: MeetingId,
  media_type: Schema.String.annotate({ examples: ["video/mp4"] }),
  width: Count,
  height: Count,
  duration: Seconds,
  ...signed,
  poster_url: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Video", description: "The 720p web rendition, with an address signed for this visit." })
export interface Video extends Schema.Schema.Type<typeof Video> {}

export const AgendaCopy = Schema.Struct({
  meeting_id: MeetingId,
  media_type: Schema.String.annotate({ examples: ["application/pdf"] }),
  bytes: Count,
  ...signed,
  source_url: Schema.optionalKey(WebAddress)
}).annotate({
  identifier: "AgendaCopy",
  description: "The copy of the agenda PDF, with an address signed for this visit."
})
export interface AgendaCopy extends Schema.Schema.Type<typeof AgendaCopy> {}
