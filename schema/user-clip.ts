import { Schema } from "effect"
import { Count, Instant, MeetingId, Seconds, UserClipId } from "./primitives.ts"

/** Longest clip a reader may cut, in seconds (spec section 8). */
export const longestUserClip = 300
/** Shortest, in seconds: less is a still picture. */
export const shortestUserClip = 1
/** How many clips an account may have of one meeting (spec section 8). */
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
  download_url: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "UserClip", description: "A clip that a reader trimmed from a meeting." })
export interface UserClip extends Schema.Schema.Type<typeof UserClip> {}

export const UserClipList = Schema.Struct({ clips: Schema.Array(UserClip) }).annotate({
  identifier: "UserClips",
  description: "The newest first."
})
export interface UserClipList extends Schema.Schema.Type<typeof UserClipList> {}

export const SharedClip = Schema.Struct({
  slug: Schema.String,
  meeting_id: MeetingId,
  title: Schema.optionalKey(Schema.String),
  start: Seconds,
  end: Seconds,
  duration: Seconds,
  url: Schema.String.annotate({ description: "Signed address, minted for this visit: watch-only, valid six hours." }),
  expires_at: Instant
}).annotate({ identifier: "SharedClip", description: "A clip as whoever has its link sees it." })
export interface SharedClip extends Schema.Schema.Type<typeof SharedClip> {}

export const CreateUserClipRequest = Schema.Struct({
  meeting_id: MeetingId,
  start: Seconds,
  end: Seconds,
  title: Schema.optionalKey(Title)
}).annotate({ identifier: "CreateUserClipRequest" })
export interface CreateUserClipRequest extends Schema.Schema.Type<typeof CreateUserClipRequest> {}

export const AutoUserClipRequest = Schema.Struct({ meeting_id: MeetingId, start: Seconds }).annotate({
  identifier: "AutoUserClipRequest"
})
export interface AutoUserClipRequest extends Schema.Schema.Type<typeof AutoUserClipRequest> {}

export const AutoUserClip = Schema.Struct({
  meeting_id: MeetingId,
  start: Seconds,
  end: Seconds,
  title: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "AutoUserClip", description: "Where the discussion starts and ends; no clip is made." })
export interface AutoUserClip extends Schema.Schema.Type<typeof AutoUserClip> {}
