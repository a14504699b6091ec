import type { Sql } from "postgres"
import type { MeetingCard, MeetingStatus } from "../../schema/meeting.ts"
import { MeetingId } from "../../schema/primitives.ts"
import { type BodyRow, bodyPath, bodyRef, type PlaceRow, placeRef } from "../../src/services/meetings/refs.ts"
import { given } from "../../src/services/wire.ts"
import { distinctItems } from "../../src/text/meeting-name.ts"

interface CardRow extends BodyRow {
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
  readonly first_items: ReadonlyArray<string>
  readonly has_transcript: boolean
  readonly has_briefing: boolean
  readonly has_claims: boolean
  readonly has_recap: boolean
  readonly has_video: boolean
  readonly has_agenda: boolean
  readonly clips: number
}

const card = (row: CardRow): MeetingCard => {
  const first = row.places[0]
  const about = distinctItems(row.first_items)
  return {
    id: MeetingId.make(row.id),
    slug: `${row.short_id}-${row.slug}-${row.date}`,
    path: `${bodyPath(first?.slug, row.segment)}/${row.date}-${row.short_id}`,
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
    ...given("location", row.location),
    ...given("join_url", row.join_url),
    ...given("agenda_url", row.agenda_url),
    ...given("headline", row.headline),
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
    ...given("source_url", row.source_url)
  }
}

/** The cards of these meetings, in the order of the ids. */
export const cardsOf = async (sql: Sql, ids: ReadonlyArray<string>): Promise<ReadonlyArray<MeetingCard>> => {
  if (ids.length === 0) return []
  const rows = await sql<ReadonlyArray<CardRow>>`
    select m.id, m.short_id, m.title, m.date::text as date, m.starts_at, m.timezone, m.status,
      m.duration::float8 as duration, m.location, m.join_url, m.agenda_url, m.source_url, m.updated_at,
      b.slug, b.segment, b.name, b.kind, f.headline,
      array(select left(i.title, 400) from agenda_item i where i.meeting_id = m.id order by i.position limit 12)
        as first_items,
      (select json_agg(json_build_object('slug', p.slug, 'name', p.name, 'kind', p.kind,
          'state', p.state, 'county', p.county)
          order by bp.position)
        from body_place bp join place p on p.id = bp.place_id where bp.body_id = b.id) as places,
      exists (select from briefing w where w.meeting_id = m.id) as has_briefing,
      exists (select from claim c where c.meeting_id = m.id and c.verdict is not null) as has_claims,
      exists (select from recap r where r.meeting_id = m.id) as has_recap,
      exists (select from published_transcript t where t.meeting_id = m.id) as has_transcript,
      exists (select from media d where d.meeting_id = m.id and d.role = 'rendition') as has_video,
      exists (select from agenda_item i where i.meeting_id = m.id)
        or exists (select from media d where d.meeting_id = m.id and d.role = 'agenda') as has_agenda,
      (select count(*)::int from clip c join media d on d.meeting_id = c.meeting_id
          and d.role = 'clip' and d.subject = c.id
        where c.meeting_id = m.id and c.state = 'published') as clips
    from unnest(${[...ids]}::uuid[]) with ordinality wanted (id, position)
    join meeting m on m.id = wanted.id
    join body b on b.id = m.body_id
    left join published_briefing f on f.meeting_id = m.id
    order by wanted.position`
  return rows.map(card)
}
