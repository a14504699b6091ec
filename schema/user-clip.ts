import { Schema } from "effect"
import { captioned } from "./clip.ts"
import { Count, Instant, MeetingId, Seconds, UserClipId } from "./primitives.ts"

/** The longest clip a reader may cut, in seconds (spec section 8). */
export const longestUserClip = 300
/** The shortest clip, in seconds: anything less is a still picture. */
export const shortestUserClip = 1
/** How many clips of one meeting an account may have (spec section 8). */
export const mostUserClips = 10

const Title = Schema.String.check(Schema.isPattern(/\S/u, { message: "must not be empty" }), Schema.isMaxLength(200))

export const UserClip = Schema.Struct({
  id: UserClipId,
  slug: Schema.String,
  meeting_id: MeetingId,
  title: Schema.optionalKey(Schema.String),
  start: Seconds,
  end: Seconds,
  duration: Seconds,
  state: Schema.Literals(["rendering", "ready", "failed"]),
  created_at: Instant,
  share_url: Schema.String,
  shares: Count,
  visits: Count,
  url: Schema.optionalKey(Schema.String),
  expires_at: Schema.optionalKey(Instant),
  ...captioned,
  download_url: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "UserClip", description: "A clip that a reader cut out of a meeting." })
export interface UserClip extends Schema.Schema.Type<typeof UserClip> {}

export const UserClipList = Schema.Struct({ clips: Schema.Array(UserClip) }).annotate({
  identifier: "UserClips",
  description: "Your clips, newest first."
})
export interface UserClipList extends Schema.Schema.Type<typeof UserClipList> {}

export const SharedClip = Schema.Struct({
  slug: Schema.String,
  meeting_id: MeetingId,
  title: Schema.optionalKey(Schema.String),
  start: Seconds,
  end: Seconds,
  duration: Seconds,
  url: Schema.String.annotate({
    description: "An address signed for this visit: watch-only, and valid for six hours."
  }),
  expires_at: Instant,
  ...captioned
}).annotate({ identifier: "SharedClip", description: "A clip, as anyone with its link sees it." })
export interface SharedClip extends Schema.Schema.Type<typeof SharedClip> {}

export const CreateUserClipRequest = Schema.Struct({
  meeting_id: MeetingId,
  start: Seconds,
  end: Seconds,
  title: Schema.optionalKey(Title)
}).annotate({ identifier: "CreateUserClipRequest", description: "The span of the recording to cut out." })
export interface CreateUserClipRequest extends Schema.Schema.Type<typeof CreateUserClipRequest> {}

export const AutoUserClipRequest = Schema.Struct({ meeting_id: MeetingId, start: Seconds }).annotate({
  identifier: "AutoUserClipRequest",
  description: "The meeting, and a moment in the discussion to find."
})
export interface AutoUserClipRequest extends Schema.Schema.Type<typeof AutoUserClipRequest> {}

export const AutoUserClip = Schema.Struct({
  meeting_id: MeetingId,
  start: Seconds,
  end: Seconds,
  title: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "AutoUserClip", description: "Where the discussion starts and ends. No clip is created." })
export interface AutoUserClip extends Schema.Schema.Type<typeof AutoUserClip> {}
