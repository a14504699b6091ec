import { Schema } from "effect"
import { BodyKind } from "./agency.ts"
import { Decision, Evidence, Sentence, Verdict, WorthWatching } from "./briefing.ts"
import { BundleDocument } from "./bundle-document.ts"
import { BundleMatter, BundleMembership, BundlePerson, BundleVote } from "./bundle-people.ts"
import { ClipState } from "./clip.ts"
import { Chapter, MeetingStatus } from "./meeting.ts"
import { PlaceKind } from "./place.ts"
import {
  AgendaItemId,
  CalendarDate,
  ClaimId,
  ClipId,
  Count,
  FigureId,
  Instant,
  Language,
  MeetingId,
  Name,
  NonEmptyText,
  Seconds,
  Slug,
  StateCode,
  TimeZone,
  WebAddress
} from "./primitives.ts"
import { Segment, TranscriptVersion } from "./transcript.ts"
import { Identifier } from "./vote.ts"

/**
 * The bundle format, version 1 (docs/bundle.md): NDJSON, one entity per line, distinguished by `type`. An entity comes
 * after those it refers to: places, then the agencies that serve them, then their meetings, then what belongs to a
 * meeting.
 */
const optional = Schema.optionalKey

export const BundlePlace = Schema.Struct({
  type: Schema.tag("place"),
  slug: Slug,
  name: Name,
  kind: PlaceKind,
  state: StateCode,
  county: optional(NonEmptyText),
  zips: optional(
    Schema.Array(Schema.String.check(Schema.isPattern(/^\d{5}$/, { message: "must be a ZIP code of 5 digits" })))
  ),
  latitude: optional(Schema.Finite.check(Schema.isBetween({ minimum: -90, maximum: 90 }))),
  longitude: optional(Schema.Finite.check(Schema.isBetween({ minimum: -180, maximum: 180 })))
})

export const BundleAgency = Schema.Struct({
  type: Schema.tag("agency"),
  slug: Slug,
  segment: Slug,
  name: Name,
  kind: BodyKind,
  /** Slugs of the places it serves; the body's path is at the first. */
  places: Schema.Array(Slug).check(Schema.isMinLength(1, { message: "must name at least one place" })),
  retired_slugs: optional(Schema.Array(Slug)),
  /** Addresses that it used to have, as `place/segment`. */
  retired_paths: optional(
    Schema.Array(
      Schema.String.check(
        Schema.isPattern(/^[a-z0-9]+(-[a-z0-9]+)*\/[a-z0-9]+(-[a-z0-9]+)*$/, {
          message: "must be a place's slug, a slash, and a segment"
        })
      )
    )
  ),
  website: optional(WebAddress)
})

export const BundleAgendaItem = Schema.Struct({
  id: AgendaItemId,
  number: optional(Schema.String),
  title: NonEmptyText,
  description: optional(Schema.String),
  outcome: optional(Schema.String),
  start: optional(Seconds),
  /** Its number at its source, by which votes and actions name it. */
  identifier: optional(Identifier),
  /** The identifier of the matter it is about: `Ord. 2026-14`. */
  matter: optional(Identifier)
})

/** A public document about a meeting, or about an item of its agenda, at its source. */
const BundleAttachment = Schema.Struct({ title: NonEmptyText, url: WebAddress, item: optional(AgendaItemId) })

export const BundleMeeting = Schema.Struct({
  type: Schema.tag("meeting"),
  id: MeetingId,
  agency: Slug,
  title: Name,
  date: CalendarDate,
  starts_at: optional(Instant),
  timezone: TimeZone,
  status: MeetingStatus,
  /** Its number at its source, by which votes and actions name it. */
  identifier: optional(Identifier),
  /** Length of the recording, if known. */
  duration: optional(Seconds),
  /** Where it takes place: a room and an address, as one line. */
  location: optional(NonEmptyText),
  /** Where anyone can attend remotely. */
  join_url: optional(WebAddress),
  source_url: optional(WebAddress),
  agenda_url: optional(WebAddress),
  /** When the body last amended the agenda. */
  agenda_changed_at: optional(Instant),
  minutes_url: optional(WebAddress),
  /** The recording at its source; the copy that is served is `media`. */
  video_url: optional(WebAddress),
  attachments: optional(Schema.Array(BundleAttachment)),
  agenda_items: Schema.Array(BundleAgendaItem),
  chapters: Schema.Array(Chapter)
})

const ofMeeting = { meeting_id: MeetingId }

/**
 * A speaker of a transcript, by the name in its segments: the second that shows the name, and the slug of who it is.
 */
export const BundleSpeaker = Schema.Struct({
  name: Schema.String,
  shown_at: optional(Seconds),
  person: optional(Slug)
})
export type BundleSpeaker = typeof BundleSpeaker.Type

export const BundleTranscript = Schema.Struct({
  type: Schema.tag("transcript"),
  ...ofMeeting,
  version: TranscriptVersion,
  language: Language,
  generator: optional(Schema.String),
  duration: optional(Seconds),
  speakers: optional(Schema.Array(BundleSpeaker)),
  segments: Schema.Array(Segment)
})

/**
 * A briefing as it was written. `headline_claim`, and the `claim` of a line or a sentence, names the claim that it
 * makes.
 */
export const BundleBriefing = Schema.Struct({
  type: Schema.tag("briefing"),
  ...ofMeeting,
  headline: NonEmptyText,
  headline_claim: optional(ClaimId),
  worth_watching: Schema.Array(Schema.Struct({ ...WorthWatching.fields, claim: optional(ClaimId) })),
  topics: Schema.Array(
    Schema.Struct({
      title: NonEmptyText,
      sentences: Schema.Array(Schema.Struct({ ...Sentence.fields, claim: optional(ClaimId) })),
      figures: Schema.Array(FigureId)
    })
  ),
  generator: optional(Schema.String),
  published_at: Instant
})

/**
 * The claims of a briefing. One without a verdict has not been checked; while any is left, verification is pending. A
 * briefing without claims is served as unchecked.
 */
export const BundleClaims = Schema.Struct({
  type: Schema.tag("claims"),
  ...ofMeeting,
  claims: Schema.Array(
    Schema.Struct({
      id: ClaimId,
      topic: Schema.String,
      text: NonEmptyText,
      verdict: optional(Verdict),
      evidence: Schema.Array(Evidence),
      checked_at: optional(Instant)
    })
  )
})

export const BundleRecap = Schema.Struct({
  type: Schema.tag("recap"),
  ...ofMeeting,
  headline: NonEmptyText,
  summary: NonEmptyText,
  decisions: Schema.Array(Decision)
})

export const BundleAgendaSummary = Schema.Struct({
  type: Schema.tag("agenda_summary"),
  ...ofMeeting,
  items: Schema.Array(Schema.Struct({ number: optional(Schema.String), title: Schema.String, summary: Schema.String }))
})

export const BundleClip = Schema.Struct({
  type: Schema.tag("clip"),
  ...ofMeeting,
  id: ClipId,
  title: NonEmptyText,
  start: Seconds,
  end: Seconds,
  agenda_item: optional(AgendaItemId),
  state: ClipState
})

export const BundleFigure = Schema.Struct({
  type: Schema.tag("figure"),
  ...ofMeeting,
  id: FigureId,
  title: NonEmptyText,
  alt: NonEmptyText
})

/** The role of a meeting's media file, which determines its key in the store. */
export const MediaRole = Schema.Literals(["source", "rendition", "poster", "agenda", "figure", "clip"])
export type MediaRole = typeof MediaRole.Type

/**
 * A media file by its path within the bundle; `subject` is the id of the figure or clip if the role is one of those.
 */
export const BundleMedia = Schema.Struct({
  type: Schema.tag("media"),
  ...ofMeeting,
  role: MediaRole,
  subject: optional(Schema.Union([FigureId, ClipId])),
  path: Schema.String.check(
    Schema.isPattern(/^(?!\/)(?!.*(^|\/)\.\.(\/|$))[^\\\0]+$/, { message: "must be a path inside the bundle" })
  ),
  media_type: Schema.String,
  width: optional(Count),
  height: optional(Count),
  duration: optional(Seconds)
})

/**
 * Takes something off the record: a meeting with everything that belongs to it, a meeting's transcript, or a body with
 * all of its meetings. `id` is the meeting's id or the body's slug. `reason` is shown at the addresses of the meetings.
 */
export const BundleRemoved = Schema.Struct({
  type: Schema.tag("removed"),
  what: Schema.Literals(["meeting", "transcript", "agency"]),
  id: Schema.Union([MeetingId, Slug]),
  reason: optional(NonEmptyText.check(Schema.isMaxLength(500, { message: "must have at most 500 characters" }))),
  /** Of a meeting that was listed twice: the one that it is, to which its addresses lead. */
  merged_into: optional(MeetingId)
})

export const BundleEntity = Schema.Union([
  BundlePlace,
  BundleAgency,
  BundleMeeting,
  BundleTranscript,
  BundleBriefing,
  BundleClaims,
  BundleRecap,
  BundleAgendaSummary,
  BundleClip,
  BundleFigure,
  BundleMedia,
  BundleDocument,
  BundlePerson,
  BundleMembership,
  BundleMatter,
  BundleVote,
  BundleRemoved
])
export type BundleEntity = typeof BundleEntity.Type
export type BundlePlace = typeof BundlePlace.Type
export type BundleAgency = typeof BundleAgency.Type
export type BundleMeeting = typeof BundleMeeting.Type
export type BundleTranscript = typeof BundleTranscript.Type
export type BundleBriefing = typeof BundleBriefing.Type
export type BundleClaims = typeof BundleClaims.Type
export type BundleRecap = typeof BundleRecap.Type
export type BundleAgendaSummary = typeof BundleAgendaSummary.Type
export type BundleClip = typeof BundleClip.Type
export type BundleFigure = typeof BundleFigure.Type
export type BundleMedia = typeof BundleMedia.Type
export type BundleRemoved = typeof BundleRemoved.Type
