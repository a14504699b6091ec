import { Schema } from "effect"
import { MemberRole } from "./people.ts"
import { AgendaItemId, CalendarDate, MeetingId, Name, NonEmptyText, Seconds, Slug, WebAddress } from "./primitives.ts"
import {
  Identifier,
  MatterKind,
  MatterStatus,
  VoteCount,
  VoteKind,
  VoteOption,
  VoteOrigin,
  VoteResult
} from "./vote.ts"

/**
 * Entities of the bundle format about people, matters and votes (docs/bundle.md). They come after the bodies and the
 * meetings that they name.
 */
const optional = Schema.optionalKey

const Uuid = Schema.String.check(Schema.isUUID(undefined, { message: "must be a UUID" }))

/** Somebody in public office. Who is only a member of the public is never one. */
export const BundlePerson = Schema.Struct({
  type: Schema.tag("person"),
  slug: Slug,
  /** The place whose bodies they sit on. */
  place: optional(Slug),
  name: Name,
  sort_name: optional(NonEmptyText),
  other_names: optional(Schema.Array(NonEmptyText)),
  retired_slugs: optional(Schema.Array(Slug)),
  /** Slug of the person that they turned out to be. */
  merged_into: optional(Slug),
  image_url: optional(WebAddress),
  source_url: optional(WebAddress)
})

export const BundleMembership = Schema.Struct({
  type: Schema.tag("membership"),
  id: Uuid,
  person: Slug,
  /** Slug of the body, which may come on record later. */
  agency: Slug,
  /** The body's name as written. */
  name: Name,
  role: MemberRole,
  label: optional(NonEmptyText),
  start: optional(CalendarDate),
  end: optional(CalendarDate),
  party: optional(NonEmptyText),
  district: optional(NonEmptyText)
})

/** A meeting by its number at its source, where its id is not known: it may come on record later. */
const atSource = { event: optional(Identifier), item: optional(Identifier) }

const ofItem = { meeting_id: optional(MeetingId), agenda_item: optional(AgendaItemId), ...atSource }

export const BundleMatter = Schema.Struct({
  type: Schema.tag("matter"),
  slug: Slug,
  place: Slug,
  identifier: Identifier,
  title: NonEmptyText,
  description: optional(NonEmptyText),
  kind: MatterKind,
  kind_label: optional(NonEmptyText),
  status: MatterStatus,
  status_label: optional(NonEmptyText),
  introduced_on: optional(CalendarDate),
  enacted_as: optional(NonEmptyText),
  /** Slug of the body that has it. */
  agency: optional(Slug),
  sponsors: optional(
    Schema.Array(Schema.Struct({ person: optional(Slug), name: NonEmptyText, is_primary: optional(Schema.Boolean) }))
  ),
  source_url: optional(WebAddress),
  /** Its documents, at their source. */
  attachments: optional(Schema.Array(Schema.Struct({ title: NonEmptyText, url: WebAddress }))),
  history: Schema.Array(
    Schema.Struct({
      date: CalendarDate,
      action: NonEmptyText,
      result: optional(VoteResult),
      agency: optional(Slug),
      body_name: optional(NonEmptyText),
      ...ofItem
    })
  )
})

/**
 * A vote or a roll call. It names its meeting by `meeting_id`, or by `place` and `event`; `matter` is the slug of a
 * matter on record.
 */
export const BundleVote = Schema.Struct({
  type: Schema.tag("vote"),
  id: Uuid,
  kind: VoteKind,
  date: optional(CalendarDate),
  place: optional(Slug),
  ...ofItem,
  matter: optional(Slug),
  motion: optional(NonEmptyText),
  result: optional(VoteResult),
  result_label: optional(NonEmptyText),
  /** Missing: the sums of the ballots. */
  counts: optional(Schema.Array(VoteCount)),
  ballots: Schema.Array(
    Schema.Struct({ person: optional(Slug), name: NonEmptyText, option: VoteOption, note: optional(NonEmptyText) })
  ),
  moved_by: optional(NonEmptyText),
  seconded_by: optional(NonEmptyText),
  start: optional(Seconds),
  end: optional(Seconds),
  quote: optional(NonEmptyText),
  from: optional(VoteOrigin),
  source_url: optional(WebAddress)
})

export type BundlePerson = typeof BundlePerson.Type
export type BundleMembership = typeof BundleMembership.Type
export type BundleMatter = typeof BundleMatter.Type
export type BundleVote = typeof BundleVote.Type
