import { DateTime, Effect, Option, Result, Schema } from "effect"
import { BodyKind } from "../../../schema/agency.ts"
import { type BundleAgency, BundleAgendaItem, BundleMeeting, type BundlePlace } from "../../../schema/bundle.ts"
import { MeetingStatus } from "../../../schema/meeting.ts"
import { PlaceKind } from "../../../schema/place.ts"
import {
  CalendarDate,
  Instant,
  Language,
  NonEmptyText,
  StateCode,
  TimeZone,
  WebAddress
} from "../../../schema/primitives.ts"
import { TranscriptVersion } from "../../../schema/transcript.ts"
import { bodySlugs, slugify } from "../slug.ts"
import { type Fault, tolerantDecoder } from "./decode.ts"
import { agendaItemId, meetingId } from "./ids.ts"
import { type PlaceZone, zoneOfPlace } from "./place-zone.ts"
import { shorten, tidy } from "./text.ts"

/** What kind of body a name means; the first match counts, so a committee of a council is a committee. */
const kinds: ReadonlyArray<readonly [RegExp, BodyKind]> = [
  [/\b(?:sub-?committees?|committees?|task ?force|work(?:ing)? ?group|panel)\b/, "committee"],
  [
    /\b(?:boards? of ed(?:ucation)?|school (?:board|committee|district)|education board|board of school|school trustees)\b/,
    "school_board"
  ],
  [
    /\b(?:planning|plan)\b.*\b(?:commissions?|board)\b|\bzoning (?:and \w+ )?commission\b|^planning and zoning$|\bplanning agency\b/,
    "planning_commission"
  ],
  [
    /\b(?:county|parish|borough) (?:board|council|commission|commissioners|court|legislature|supervisors|freeholders)\b|\bboard of (?:county )?(?:commissioners|supervisors|freeholders)\b|\bcounty board\b|\bpolice jury\b|\b(?:commissioners['’]? |fiscal |quorum )court\b/,
    "county_board"
  ],
  [
    /\b(?:city|town|village|borough|township|municipal|common|metro|metropolitan) council\b|\bboard of (?:mayor and )?(?:aldermen|alderpersons|selectmen)\b|\bselect ?board\b|\b(?:town|township|village) (?:board|trustees)\b|\b(?:village|town|township) board of trustees\b|^(?:city )?council\b|\bcity commission\b/,
    "city_council"
  ]
]

/**
 * The kind of a body by its name alone: "Committee on Finance" is a committee, "Board of Supervisors" a county board.
 */
export const bodyKind = (name: string): BodyKind => {
  const plain = name.toLowerCase().replace(/&/g, "and").replace(/\s+/g, " ").trim()
  return kinds.find(([words]) => words.test(plain))?.[1] ?? "other"
}

const optional = Schema.optionalKey

/** An agenda item in a row. */
const RowItem = Schema.Struct({
  number: optional(Schema.String),
  title: NonEmptyText,
  description: optional(Schema.String),
  outcome: optional(Schema.String),
  identifier: BundleAgendaItem.fields.identifier,
  matter: BundleAgendaItem.fields.matter
})

const rowFields = {
  body: NonEmptyText,
  /** Derived from the name if missing. */
  kind: optional(BodyKind),
  place: NonEmptyText,
  /** A county if the name says so, else a city. */
  place_kind: optional(PlaceKind),
  county: optional(NonEmptyText),
  state: StateCode,
  title: optional(NonEmptyText),
  date: optional(CalendarDate),
  starts_at: optional(Instant),
  timezone: optional(TimeZone),
  status: optional(MeetingStatus),
  location: BundleMeeting.fields.location,
  join_url: BundleMeeting.fields.join_url,
  source_url: optional(WebAddress),
  agenda_url: optional(WebAddress),
  minutes_url: BundleMeeting.fields.minutes_url,
  video_url: BundleMeeting.fields.video_url,
  attachments: BundleMeeting.fields.attachments,
  /** A WebVTT or SRT file, by its path beside the manifest. */
  captions: optional(NonEmptyText),
  language: optional(Language),
  /**
   * Whether a transcript is a recognizer's own (`raw`) or corrected (`refined`); if missing, the file's signs decide.
   */
  transcript_version: optional(TranscriptVersion),
  items: optional(Schema.Array(RowItem))
}

/** A meeting as manifests, plain agendas and `meeting.json` beside a recording describe it: one flat object. */
export const MeetingRow = Schema.Struct(rowFields)
export type MeetingRow = typeof MeetingRow.Type

/** A row whose day and time zone are settled, from its own fields or otherwise. */
export type SettledRow = MeetingRow & { readonly date: string; readonly timezone: string }

/** Facts about a meeting that its file lacks: from the flags, or from `meeting.json` beside it. */
export const MeetingFacts = Schema.Struct({
  ...rowFields,
  body: optional(NonEmptyText),
  place: optional(NonEmptyText),
  state: optional(StateCode),
  /** Which column of a table is what: `date=Meeting Date; body=Committee`. */
  columns: optional(NonEmptyText)
})
export type MeetingFacts = typeof MeetingFacts.Type

/** The fields that identify a meeting or its place. */
const settling = ["title", "date", "place_kind", "county", "timezone"]

/** Rows are often foreign: an optional field of the wrong shape costs the field. */
export const decodeRow = tolerantDecoder(MeetingRow, settling)
export const decodeFacts = tolerantDecoder(MeetingFacts, ["body", "place", "state", ...settling])

/** The place a row names. */
export const placeOf = (row: Pick<MeetingRow, "place" | "place_kind" | "county" | "state">): BundlePlace => {
  const name = tidy(row.place)
  const kind = row.place_kind ?? (/\b(county|parish|borough)$/i.test(name) ? "county" : "city")
  const county = row.county === undefined ? (kind === "county" ? name : undefined) : tidy(row.county)
  return {
    type: "place",
    slug: slugify(name),
    name,
    kind,
    state: row.state,
    ...(county === undefined ? {} : { county })
  }
}

/**
 * The body that a row names, at its place. A bare "City Council" is prefixed with the place's name. `others` are the
 * other places of the source: a body named for two of them, "Knoxville-Knox County Planning Commission", serves both.
 */
export const agencyOf = (
  body: { readonly name: string; readonly kind?: BodyKind },
  place: BundlePlace,
  others: Iterable<BundlePlace> = []
): BundleAgency => {
  const written = tidy(body.name)
  const kind = body.kind ?? bodyKind(written)
  const name = /^(city|town|village|county|common) (council|commission|board)$/i.test(written)
    ? `${place.name} ${written}`
    : written
  const { slug, segment } = bodySlugs(name, place)
  const joint = [...others].filter(
    (other) =>
      other.slug !== place.slug && other.state === place.state && slug.startsWith(`${other.slug}-${place.slug}-`)
  )
  return { type: "agency", slug, segment, name, kind, places: [place.slug, ...joint.map((other) => other.slug)] }
}

/** The key of a row's meeting, whatever its other fields: its body, day and title. */
export const sameMeeting = (row: SettledRow, agency: BundleAgency): ReadonlyArray<string> => [
  agency.slug,
  row.date,
  tidy(row.title).toLowerCase()
]

/**
 * Settles a row on a day, in its own time zone or else that of its place; `note` says how that was chosen. Fails where
 * there is no such state.
 */
export const settle = Effect.fnUntraced(function* (row: MeetingRow, date: string) {
  const zone: PlaceZone | undefined = row.timezone === undefined ? yield* zoneOfPlace(row) : { timezone: row.timezone }
  return zone === undefined
    ? Result.fail<Fault>({
        field: "state",
        message: "is not a state or territory of the United States; write two letters such as IL"
      })
    : Result.succeed({ row: { ...row, date, timezone: zone.timezone } satisfies SettledRow, note: zone.note })
})

const statusOf = (row: SettledRow, now: DateTime.Utc): MeetingStatus => {
  const today = DateTime.setZoneNamed(now, row.timezone).pipe(
    Option.getOrElse(() => now),
    DateTime.formatIsoDate
  )
  if (row.starts_at !== undefined) return Date.parse(row.starts_at) > DateTime.toEpochMillis(now) ? "upcoming" : "held"
  return row.date > today ? "upcoming" : "held"
}

/** The fields that a row and a meeting share. */
const detailsOf = ({
  location,
  join_url,
  source_url,
  agenda_url,
  minutes_url,
  video_url,
  attachments
}: MeetingRow) => ({
  ...(location === undefined ? {} : { location: tidy(location) }),
  ...(join_url === undefined ? {} : { join_url }),
  ...(source_url === undefined ? {} : { source_url }),
  ...(agenda_url === undefined ? {} : { agenda_url }),
  ...(minutes_url === undefined ? {} : { minutes_url }),
  ...(video_url === undefined ? {} : { video_url }),
  ...(attachments === undefined ? {} : { attachments })
})

/**
 * The meeting of a row. One without a status counts as held unless its day is in the future. `key` identifies it
 * forever (see `sameMeeting`).
 */
export const meetingOf = Effect.fnUntraced(function* (
  row: SettledRow,
  agency: BundleAgency,
  key: ReadonlyArray<string>
) {
  const now = yield* DateTime.now
  const id = meetingId(...key)
  return {
    type: "meeting",
    id,
    agency: agency.slug,
    title: shorten(tidy(row.title) || `${agency.name} Meeting`, 300),
    date: row.date,
    ...(row.starts_at === undefined ? {} : { starts_at: row.starts_at }),
    timezone: row.timezone,
    status: row.status ?? statusOf(row, now),
    ...detailsOf(row),
    agenda_items: (row.items ?? []).map((item, at) => ({ id: agendaItemId(id, String(at + 1)), ...item })),
    chapters: []
  } satisfies BundleMeeting
})
