import { Schema } from "effect"
import { MeetingCard } from "./meeting.ts"
import { ClipId, MeetingId, Slug } from "./primitives.ts"
import { TranscriptVersion } from "./transcript.ts"

/**
 * The payloads of the two streams (contract section 8). On the wire `event` is the event's name and `data` one line of
 * JSON; neither stream carries gated text.
 */
const streamed = <Name extends string, Data extends Schema.Constraint>(event: Name, data: Data, description: string) =>
  Schema.Struct({ event: Schema.Literal(event), data }).annotate({ description })

const MeetingPublished = streamed("meeting.published", MeetingCard, "A meeting, held or upcoming, was put on record.")
const MeetingUpdated = streamed(
  "meeting.updated",
  MeetingCard,
  "A meeting, or something that belongs to it, changed; the card is as it is after the change."
)
const MeetingRemoved = streamed(
  "meeting.removed",
  Schema.Struct({ id: MeetingId }),
  "A meeting is no longer on record."
)

/** Events of `GET /api/meetings/stream`. */
export const MeetingsEvent = Schema.Union([MeetingPublished, MeetingUpdated, MeetingRemoved]).annotate({
  identifier: "MeetingsEvent",
  description: "An event of the meetings stream: its name, and the content of its `data` line."
})
export type MeetingsEvent = typeof MeetingsEvent.Type

const ofMeeting = { meeting_id: MeetingId }

const TranscriptReady = streamed(
  "transcript.ready",
  Schema.Struct({ ...ofMeeting, version: TranscriptVersion }),
  "A version of the transcript was put on record or replaced."
)
const BriefingPending = streamed(
  "briefing.pending",
  Schema.Struct(ofMeeting),
  "The briefing or its claims changed, and it now waits for its claims to be checked."
)
const BriefingVerified = streamed(
  "briefing.verified",
  Schema.Struct(ofMeeting),
  "The briefing or its claims changed, and it is now served."
)
const ClipPublished = streamed(
  "clip.published",
  Schema.Struct({ ...ofMeeting, clip_id: ClipId }),
  "A published clip, or its video, was put on record or changed."
)
const CommunityClipReady = streamed(
  "community_clip.ready",
  Schema.Struct({
    ...ofMeeting,
    slug: Schema.String.annotate({ description: "The clip's share slug.", examples: ["k7Qm2xVt9a"] })
  }),
  "A clip that a reader cut has been rendered."
)
const VideoReady = streamed("video.ready", Schema.Struct(ofMeeting), "The web rendition was put on record or replaced.")
const FiguresReady = streamed(
  "figures.ready",
  Schema.Struct(ofMeeting),
  "Figures of the briefing were put on record or changed."
)

const VoteReady = streamed(
  "vote.ready",
  Schema.Struct({ ...ofMeeting, vote_id: Schema.String.check(Schema.isUUID()) }),
  "A vote or a roll call was put on record or changed."
)
const ActionReady = streamed(
  "action.ready",
  Schema.Struct({
    ...ofMeeting,
    matter: Slug.annotate({ description: "The matter's slug.", examples: ["springfield-ord-2026-14"] })
  }),
  "An action on a matter was put on record."
)

/** Events of `GET /api/events`, about one meeting. */
export const MeetingEvent = Schema.Union([
  TranscriptReady,
  BriefingPending,
  BriefingVerified,
  ClipPublished,
  CommunityClipReady,
  VideoReady,
  FiguresReady,
  VoteReady,
  ActionReady
]).annotate({
  identifier: "MeetingEvent",
  description: "An event about one meeting: its name, and the content of its `data` line."
})
export type MeetingEvent = typeof MeetingEvent.Type
