import type { Sql } from "postgres"
import type { AgendaItemId } from "../../schema/primitives.ts"
import { anonymous } from "../../schema/viewer.ts"
import { type DocumentCardRow, documentCard } from "../../src/services/meetings/documents.ts"
import { meetingLinks } from "../../src/services/meetings/meeting-links.ts"
import { newsletterTeaser, type TeaserSource } from "../../src/services/meetings/newsletter-teaser.ts"
import { type ClipRow, clipCard } from "../../src/services/meetings/refs.ts"
import { given } from "../../src/services/wire.ts"
import { cardsOf } from "./cards.ts"

interface DetailRow {
  readonly pending_verification: boolean | null
  readonly briefing: typeof TeaserSource.Type | null
  readonly agenda_copy: boolean
  readonly agenda_summary: boolean
  readonly figures: boolean
  readonly community_clips: boolean
}

/** The public part of a meeting, by its id. */
export const meeting = async (sql: Sql, id: string) => {
  const [[card], agenda, documents, chapters, clips, [detail]] = await Promise.all([
    cardsOf(sql, [id]),
    sql<ReadonlyArray<{ id: AgendaItemId; number: string | null; title: string; start: number | null }>>`
      select id, number, title, start::float8 as start from agenda_item where meeting_id = ${id} order by position`,
    sql<ReadonlyArray<DocumentCardRow>>`
      select d.id, d.kind, d.title, d.source_url, i.id as agenda_item_id, d.version, d.failure, v.media_type,
        v.bytes::float8 as bytes, v.pages, v.unread, v.removals, v.fetched_at, exists (
          select from document_page p where p.document_id = d.id and p.version = d.version and p.text <> '') as has_text
      from document d left join document_version v on v.document_id = d.id and v.version = d.version
      left join agenda_item i on i.meeting_id = d.meeting_id and i.id = d.agenda_item_id
      where d.meeting_id = ${id}
      order by array_position('{agenda,packet,minutes,attachment}', d.kind), d.position, d.id`,
    sql`
      select title, start::float8 as start, "end"::float8 as "end" from chapter
      where meeting_id = ${id} order by position`,
    sql<ReadonlyArray<ClipRow>>`
      select c.id, c.title, c.start::float8 as start, c."end"::float8 as "end", c.agenda_item_id from clip c
      join media d on d.meeting_id = c.meeting_id and d.role = 'clip' and d.subject = c.id
      where c.meeting_id = ${id} and c.state = 'published' order by c.start, c.id`,
    sql<ReadonlyArray<DetailRow>>`
      select
        (select b.served is null from briefing b where b.meeting_id = ${id}) as pending_verification,
        (select b.served || jsonb_build_object('verification',
            case when exists (select from claim c join claims k on k.meeting_id = c.meeting_id
              where c.meeting_id = b.meeting_id and k.checked_by is not null) then 'verified' else 'unchecked' end)
          from briefing b where b.meeting_id = ${id}) as briefing,
        exists (select from media where meeting_id = ${id} and role = 'agenda') as agenda_copy,
        exists (select from agenda_summary where meeting_id = ${id}) as agenda_summary,
        exists (select from media where meeting_id = ${id} and role = 'figure') as figures,
        exists (select from user_clip where meeting_id = ${id} and state = 'ready') as community_clips`
  ])
  if (card === undefined || detail === undefined) return undefined
  return {
    ...card,
    gated: true,
    agenda_items: agenda.map(({ id, number, title, start }) => ({
      id,
      ...given("number", number),
      title,
      ...given("start", start)
    })),
    chapters,
    documents: documents.map(documentCard),
    clips: clips.map(clipCard),
    ...(detail.briefing === null ? {} : { newsletter_teaser: newsletterTeaser(detail.briefing, card.title) }),
    links: meetingLinks(card, { ...detail, documents: documents.length > 0 }, anonymous)
  }
}
