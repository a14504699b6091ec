import { Effect, Schema } from "effect"
import type { ReadSql } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import { type MeetingCard, MeetingStatus } from "../../../schema/meeting.ts"
import { MeetingId } from "../../../schema/primitives.ts"
import { clampAtWord } from "../../text/clamp.ts"
import { distinctItems } from "../../text/meeting-name.ts"
import { sourcePlayer } from "../../text/source-player.ts"
import { given, givenAddress } from "../wire.ts"
import { mediaPath, posterKey } from "./media-tier.ts"
import { longestHeadline } from "./newsletter-teaser.ts"
import { handedOut, isShown } from "./part-sql.ts"
import { BodyRow, bodyPath, bodyRef, PlaceRow, placeRef } from "./refs.ts"
import { durationOf, placesOf } from "./sql.ts"

export const CardRow = Schema.Struct({
  ...BodyRow.fields,
  id: MeetingId,
  short_id: Schema.String,
  title: Schema.String,
  date: Schema.String,
  starts_at: Schema.NullOr(Schema.Date),
  timezone: Schema.String,
  status: MeetingStatus,
  duration: Schema.NullOr(Schema.Finite),
  location: Schema.NullOr(Schema.String),
  join_url: Schema.NullOr(Schema.String),
  agenda_url: Schema.NullOr(Schema.String),
  minutes_url: Schema.NullOr(Schema.String),
  source_url: Schema.NullOr(Schema.String),
  video_url: Schema.NullOr(Schema.String),
  updated_at: Schema.Date,
  places: Schema.Array(PlaceRow),
  headline: Schema.NullOr(Schema.String),
  first_items: Schema.Array(Schema.String),
  has_transcript: Schema.Boolean,
  has_briefing: Schema.Boolean,
  has_claims: Schema.Boolean,
  has_recap: Schema.Boolean,
  has_video: Schema.Boolean,
  has_agenda: Schema.Boolean,
  has_poster: Schema.Boolean,
  clips: Schema.Finite
})
export interface CardRow extends Schema.Schema.Type<typeof CardRow> {}

const cardRows = rowsBy(CardRow)

/** `<short-id>-<body-slug>-<date>` (spec section 2). */
export const meetingSlug = (row: Pick<CardRow, "short_id" | "slug" | "date">): string =>
  `${row.short_id}-${row.slug}-${row.date}`

/** `/in/{place}/{body}/{date}-{id}` (spec section 1). */
export const meetingPath = (
  row: Pick<CardRow, "short_id" | "segment" | "date"> & { readonly places: ReadonlyArray<Pick<PlaceRow, "slug">> }
): string => `${bodyPath(row.places[0]?.slug, row.segment)}/${row.date}-${row.short_id}`

/** Where its recording is played by whoever published it, if that is known, or else the page it comes from. */
const sourceOf = ({ video_url, source_url }: Pick<CardRow, "video_url" | "source_url">): string | null =>
  video_url !== null && sourcePlayer(video_url) !== undefined ? video_url : source_url

/** A card from its row. Anyone may read it, so it shows no more of a briefing's headline than the teaser does. */
export const card = (row: CardRow, baseUrl: string): MeetingCard => {
  const first = row.places[0]
  const about = distinctItems(row.first_items)
  return {
    id: row.id,
    slug: meetingSlug(row),
    path: meetingPath(row),
    title: row.title,
    date: row.date,
    ...given("starts_at", row.starts_at?.toISOString()),
    timezone: row.timezone,
    status: row.status,
    type: row.kind,
    body: bodyRef(row, first?.slug),
    places: row.places.map(placeRef),
    state: first?.state ?? "",
    ...given("county", first?.kind === "county" ? first.name : first?.county),
    ...given("city", first?.kind === "city" ? first.name : undefined),
    ...given("duration", row.duration),
    ...(row.has_poster ? { poster_url: `${baseUrl}${mediaPath(posterKey(row.id))}` } : {}),
    ...given("location", row.location),
    ...givenAddress("join_url", row.join_url),
    ...givenAddress("agenda_url", row.agenda_url),
    ...givenAddress("minutes_url", row.minutes_url),
    ...given("headline", row.headline === null ? null : clampAtWord(row.headline, longestHeadline)),
    ...given("about", about.length === 0 ? undefined : about),
    has: {
      transcript: row.has_transcript,
      briefing: row.has_briefing,
      claims: row.has_claims,
      recap: row.has_recap,
      video: row.has_video,
      agenda: row.has_agenda,
      clips: row.clips
    },
    updated_at: row.updated_at.toISOString(),
    ...givenAddress("source_url", sourceOf(row))
  }
}

/** The columns of a `CardRow`, from a row `m` of `meeting` and its row `b` of `body`. */
export const cardColumns = (db: ReadSql) => db`
  m.id, m.short_id, m.title, m.date::text as date, m.starts_at, m.timezone, m.status,
  ${durationOf(db)} as duration, m.location, m.join_url, m.agenda_url, m.minutes_url, m.source_url, m.video_url, m.updated_at,
  b.slug, b.segment, b.name, b.kind, ${placesOf(db)} as places,
  (select coalesce(f.headline, m.title) from published_briefing f where f.meeting_id = m.id) as headline,
  array(select left(i.title, 400) from agenda_item i where i.meeting_id = m.id order by i.position limit 12)
    as first_items,
  ${isShown(db, "briefing")} as has_briefing, ${isShown(db, "transcript")} as has_transcript,
  ${isShown(db, "claims")} as has_claims, ${isShown(db, "recap")} as has_recap,
  ${isShown(db, "video")} as has_video, ${isShown(db, "agenda")} as has_agenda,
  (select count(*)::int from ${handedOut(db)} where c.meeting_id = m.id) as clips,
  exists (select from media d where d.meeting_id = m.id and d.role = 'poster') as has_poster`

/**
 * The cards of these meetings, in the order of the ids; unknown ids are skipped. `baseUrl` is the origin of their
 * addresses.
 */
export const cardsOf = Effect.fn("Cards.of")(function* (db: ReadSql, ids: ReadonlyArray<string>, baseUrl: string) {
  if (ids.length === 0) return []
  const rows = yield* cardRows(db`
    select ${cardColumns(db)}
    from unnest(${ids}::uuid[]) with ordinality wanted (id, position)
    join meeting m on m.id = wanted.id
    join body b on b.id = m.body_id
    order by wanted.position`)
  return rows.map((row) => card(row, baseUrl))
})
