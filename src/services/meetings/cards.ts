import { Effect } from "effect"
import type { ReadSql } from "../../../layers/db/db.ts"
import type { MeetingCard, MeetingStatus } from "../../../schema/meeting.ts"
import { MeetingId } from "../../../schema/primitives.ts"
import { given } from "../wire.ts"
import { mediaPath, posterKey } from "./media-tier.ts"
import { handedOut, isShown } from "./part-sql.ts"
import { type BodyRow, bodyPath, bodyRef, type PlaceRow, placeRef } from "./refs.ts"
import { durationOf, placesOf } from "./sql.ts"

export interface CardRow extends BodyRow {
  readonly id: string
  readonly short_id: string
  readonly title: string
  readonly date: string
  readonly starts_at: Date | null
  readonly timezone: string
  readonly status: MeetingStatus
  readonly duration: number | null
  readonly location: string | null
  readonly join_url: string | null
  readonly agenda_url: string | null
  readonly source_url: string | null
  readonly updated_at: Date
  readonly places: ReadonlyArray<PlaceRow>
  readonly headline: string | null
  readonly has_transcript: boolean
  readonly has_briefing: boolean
  readonly has_video: boolean
  readonly has_agenda: boolean
  readonly has_poster: boolean
  readonly clips: number
}

/** `<short-id>-<body-slug>-<date>` (spec section 2). */
export const meetingSlug = (row: Pick<CardRow, "short_id" | "slug" | "date">): string =>
  `${row.short_id}-${row.slug}-${row.date}`

/** `/in/{place}/{body}/{date}-{id}` (spec section 1). */
export const meetingPath = (
  row: Pick<CardRow, "short_id" | "segment" | "date"> & { readonly places: ReadonlyArray<Pick<PlaceRow, "slug">> }
): string => `${bodyPath(row.places[0]?.slug, row.segment)}/${row.date}-${row.short_id}`

/** A card from its row. */
export const card = (row: CardRow, baseUrl: string): MeetingCard => {
  const first = row.places[0]
  return {
    id: MeetingId.make(row.id),
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
    ...(row.has_poster ? { poster_url: `${baseUrl}${mediaPath(posterKey(MeetingId.make(row.id)))}` } : {}),
    ...given("location", row.location),
    ...given("join_url", row.join_url),
    ...given("agenda_url", row.agenda_url),
    ...given("headline", row.headline),
    has: {
      transcript: row.has_transcript,
      briefing: row.has_briefing,
      video: row.has_video,
      agenda: row.has_agenda,
      clips: row.clips
    },
    updated_at: row.updated_at.toISOString(),
    ...given("source_url", row.source_url)
  }
}

/** The columns of a `CardRow`, from a row `m` of `meeting` and its row `b` of `body`. */
export const cardColumns = (db: ReadSql) => db`
  m.id, m.short_id, m.title, m.date::text as date, m.starts_at, m.timezone, m.status,
  ${durationOf(db)} as duration, m.location, m.join_url, m.agenda_url, m.source_url, m.updated_at,
  b.slug, b.segment, b.name, b.kind, ${placesOf(db)} as places,
  (select coalesce(f.headline, m.title) from published_briefing f where f.meeting_id = m.id) as headline,
  ${isShown(db, "briefing")} as has_briefing, ${isShown(db, "transcript")} as has_transcript,
  ${isShown(db, "video")} as has_video, ${isShown(db, "agenda_copy")} as has_agenda,
  (select count(*)::int from ${handedOut(db)} where c.meeting_id = m.id) as clips,
  exists (select from media d where d.meeting_id = m.id and d.role = 'poster') as has_poster`

/**
 * The cards of these meetings, in the order of the ids. Ids that name nothing are skipped. `baseUrl` begins the addresses
 * on them.
 */
export const cardsOf = Effect.fn("Cards.of")(function* (db: ReadSql, ids: ReadonlyArray<string>, baseUrl: string) {
  if (ids.length === 0) return []
  const rows = yield* db<CardRow>`
    select ${cardColumns(db)}
    from unnest(${ids}::uuid[]) with ordinality wanted (id, position)
    join meeting m on m.id = wanted.id
    join body b on b.id = m.body_id
    order by wanted.position`
  return rows.map((row) => card(row, baseUrl))
})
