import { Context, Effect, Layer, Schema } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { dbDies, ReadDb } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import type { ClipCard } from "../../../schema/clip.ts"
import type { DocumentCard } from "../../../schema/document.ts"
import {
  type AgendaItem,
  Chapter,
  type Meeting,
  type MeetingCard,
  type MeetingLinks,
  type MeetingRecord,
  type MeetingTeaser
} from "../../../schema/meeting.ts"
import { AgendaItemId, MeetingId } from "../../../schema/primitives.ts"
import { TranscriptVersion } from "../../../schema/transcript.ts"
import { mayRead, type Viewer } from "../../../schema/viewer.ts"
import { meetingNotFound, type NotFound, Removed } from "../failures.ts"
import { given } from "../wire.ts"
import { CardRow, card, cardColumns, cardsOf } from "./cards.ts"
import { documentPagePath, documentsOf } from "./documents.ts"
import { meetingLinks, partsBesideCard } from "./meeting-links.ts"
import { newsletterTeaser, TeaserSource } from "./newsletter-teaser.ts"
import { handedOut, isShown } from "./part-sql.ts"
import { ClipRow, clipCard, matterRef } from "./refs.ts"
import { verificationOf } from "./serving.ts"
import { clipColumns, idOf } from "./sql.ts"

/** A matter, with the slug of its place. */
const MatterRow = Schema.Struct({
  slug: Schema.String,
  identifier: Schema.String,
  title: Schema.String,
  place: Schema.String
})

const AgendaRow = Schema.Struct({
  id: AgendaItemId,
  number: Schema.NullOr(Schema.String),
  title: Schema.String,
  description: Schema.NullOr(Schema.String),
  outcome: Schema.NullOr(Schema.String),
  start: Schema.NullOr(Schema.Finite),
  matter: Schema.NullOr(MatterRow),
  packet: Schema.Array(Schema.Struct({ document: Schema.String, title: Schema.String, page: Schema.Finite }))
})

const DetailRow = Schema.Struct({
  ...CardRow.fields,
  agenda_changed_at: Schema.NullOr(Schema.Date),
  agenda_items: Schema.Array(AgendaRow),
  chapters: Schema.Array(Chapter),
  clip_rows: Schema.Array(ClipRow),
  pending_verification: Schema.NullOr(Schema.Boolean),
  briefing: Schema.NullOr(TeaserSource),
  parts: Schema.Record(Schema.Literals(partsBesideCard), Schema.Boolean),
  recording: Schema.NullOr(Schema.Struct({ width: Schema.Finite, height: Schema.Finite })),
  transcript: Schema.NullOr(
    Schema.Struct({
      version: TranscriptVersion,
      language: Schema.String,
      word_count: Schema.Finite,
      generator: Schema.NullOr(Schema.String)
    })
  )
})
interface DetailRow extends Schema.Schema.Type<typeof DetailRow> {}

const detailRows = rowsBy(DetailRow)

const agendaItem = (row: typeof AgendaRow.Type): AgendaItem => ({
  id: row.id,
  ...given("number", row.number),
  title: row.title,
  ...given("start", row.start),
  ...given("matter", row.matter === null ? null : matterRef(row.matter)),
  ...(row.packet.length === 0
    ? {}
    : { packet: row.packet.map((one) => ({ ...one, path: documentPagePath(one.document, one.page) })) }),
  ...given("description", row.description),
  ...given("outcome", row.outcome)
})

/** The neighbors of a meeting in its body's calendar. */
export interface Neighbors {
  readonly previous?: MeetingCard
  readonly next?: MeetingCard
}

/** Reads meetings, as far as the viewer may. */
export class Meetings extends Context.Service<
  Meetings,
  {
    /**
     * The id that `ref` names: an id, a slug, or a slug cut off anywhere after its short id (contract section 3); of a
     * meeting that was merged into another, the other's. Fails with `Removed` if the meeting was taken off the record.
     */
    readonly resolve: (ref: string) => Effect.Effect<MeetingId, NotFound | Removed>
    /** The full record if the viewer may read it, otherwise the teaser (spec 4.2). */
    readonly open: (ref: string, viewer: Viewer) => Effect.Effect<Meeting, NotFound | Removed>
    /** The cards of these meetings, in the order of the ids; unknown ids are skipped. */
    readonly cards: (ids: ReadonlyArray<MeetingId>) => Effect.Effect<ReadonlyArray<MeetingCard>>
    /** The meetings of the same body before and after this one, held or upcoming; cancelled ones are skipped. */
    readonly beside: (id: MeetingId) => Effect.Effect<Neighbors>
  }
>()("civic-record/Meetings") {
  static readonly layer = Layer.effect(
    Meetings,
    Effect.gen(function* () {
      const db = yield* ReadDb
      const { baseUrl } = yield* Environment

      const resolve = Effect.fn("Meetings.resolve")(function* (ref: string) {
        const digits = /^[0-9a-f]{8,32}/.exec(ref.toLowerCase())?.[0]
        if (digits === undefined) return yield* meetingNotFound(ref)
        const id = idOf(ref)
        const prefixes = Array.from({ length: digits.length - 7 }, (_, at) => digits.slice(0, 8 + at))
        const names = id === null ? db`short_id = any(${prefixes})` : db`id = ${id}`
        // Meetings and tombstones share one space of short ids, so the longest match wins, whichever has it.
        const [row] = yield* db<{ id: string; removed: boolean; reason: string | null }>`
          select id, false as removed, null as reason, length(short_id) as digits from meeting where ${names}
          union all select coalesce(merged_into, id), merged_into is null, reason, length(short_id)
          from removed_meeting where ${names}
          order by digits desc limit 1`
        if (row === undefined) return yield* meetingNotFound(ref)
        return row.removed ? yield* new Removed({ ref, reason: row.reason ?? undefined }) : MeetingId.make(row.id)
      }, dbDies)

      /** The matter that an item `i` of the agenda of `m` is about, by its number in any spelling. */
      const matterOfItem = db`
        select json_build_object('slug', x.slug, 'identifier', x.identifier, 'title', x.title, 'place', l.slug)
        from body_place bp join matter x on x.place_id = bp.place_id and x.key = i.matter_key
        join place l on l.id = x.place_id where bp.body_id = m.body_id order by bp.position, x.id limit 1`

      /** A meeting's card and details, in one statement; undefined if it is not on record. */
      const read = Effect.fnUntraced(function* (id: MeetingId) {
        const [detail] = yield* detailRows(db`
          select ${cardColumns(db)}, m.agenda_changed_at,
            coalesce((select json_agg(json_build_object('id', i.id, 'number', i.number, 'title', i.title,
                'start', i.start, 'description', i.description, 'outcome', i.outcome, 'matter', case
                  when i.matter_key is not null then (${matterOfItem}) end, 'packet', coalesce((
                    select json_agg(json_build_object('document', d.id, 'title', d.title, 'page', p.page)
                      order by d.position, d.id)
                    from agenda_item_page p join document d on d.id = p.document_id and d.meeting_id = p.meeting_id
                    where p.meeting_id = i.meeting_id and p.agenda_item_id = i.id), '[]')) order by i.position)
              from agenda_item i where i.meeting_id = m.id), '[]') as agenda_items,
            coalesce((select json_agg(json_build_object('title', title, 'start', start, 'end', "end") order by position)
              from chapter where meeting_id = m.id), '[]') as chapters,
            coalesce((select json_agg(clip order by clip.start, clip.id)
              from (select ${clipColumns(db)} from ${handedOut(db)} where c.meeting_id = m.id) clip), '[]')
              as clip_rows,
            (select f.served is null from briefing f where f.meeting_id = m.id) as pending_verification,
            (select f.served || jsonb_build_object('verification', ${verificationOf(db)})
              from briefing f where f.meeting_id = m.id) as briefing,
            json_build_object(${db.csv(partsBesideCard.flatMap((part) => [`'${part}'`, isShown(db, part)]))})
              as parts,
            -- A rendition is 720p; if its width is unknown, 16:9 is assumed.
            (select json_build_object('width', coalesce(width, 1280), 'height', coalesce(height, 720)) from media
              where meeting_id = m.id and role = 'rendition') as recording,
            (select json_build_object('version', version, 'language', language, 'word_count', word_count,
              'generator', generator)
              from published_transcript where meeting_id = m.id order by version = 'refined' desc limit 1) as transcript
          from meeting m join body b on b.id = m.body_id where m.id = ${id}`)
        return detail === undefined ? undefined : { card: card(detail, baseUrl), detail }
      })

      const open = Effect.fn("Meetings.open")(function* (ref: string, viewer: Viewer) {
        const named = idOf(ref)
        // A full id is read directly; only if that finds nothing is it resolved.
        const found = named === null ? undefined : yield* read(MeetingId.make(named))
        const { card, detail } = found ?? (yield* Effect.flatMap(resolve(ref), read)) ?? (yield* meetingNotFound(ref))
        const { id } = card
        const items = detail.agenda_items.map(agendaItem)
        const clips = detail.clip_rows.map(clipCard)
        const documents = yield* documentsOf(db, id)
        const links = meetingLinks(card, { ...detail.parts, documents: documents.length > 0 }, viewer)
        return mayRead(viewer, id)
          ? record(card, items, documents, detail.chapters, clips, detail, links)
          : teaser(card, items, documents, detail.chapters, clips, detail, links)
      }, dbDies)

      const cards = Effect.fn("Meetings.cards")(
        (ids: ReadonlyArray<MeetingId>) => cardsOf(db, [...new Set(ids)], baseUrl),
        dbDies
      )

      /**
       * The id of the meeting before or after `m` in the calendar of its body. Held and upcoming meetings are queried
       * separately, because each status has an index of its own.
       */
      const nearest = (than: "<" | ">") => {
        const moment = (of: "m" | "o") => db.literal(`(${of}.date, coalesce(${of}.starts_at, 'epoch'), ${of}.id)`)
        const found = (status: "held" | "upcoming") => db`
          select o.id, o.date, o.starts_at from meeting o
          where o.body_id = m.body_id
            and ${status === "held" ? db`o.status = 'held'` : db`o.status <> 'held' and o.status = 'upcoming'`}
            and o.date ${db.literal(`${than}=`)} m.date and ${moment("o")} ${db.literal(than)} ${moment("m")}`
        const order = db.literal(than === "<" ? "desc" : "asc")
        return db`(
          select o.id from (${found("held")} union all ${found("upcoming")}) o
          order by ${moment("o")} ${order} limit 1)`
      }

      const beside = Effect.fn("Meetings.beside")(function* (id: MeetingId) {
        const [row] = yield* db<{ previous: string | null; next: string | null }>`
          select ${nearest("<")} as previous, ${nearest(">")} as next from meeting m where m.id = ${id}`
        const ids = [row?.previous, row?.next].filter((one) => typeof one === "string")
        const cards = yield* cardsOf(db, ids, baseUrl)
        const cardOf = (wanted: string | null | undefined) => cards.find((card) => card.id === wanted)
        return { ...given("previous", cardOf(row?.previous)), ...given("next", cardOf(row?.next)) }
      }, dbDies)

      return { resolve, open, cards, beside }
    })
  )

  /** The same on the primary. */
  static readonly fromPrimary = ReadDb.fromPrimary(Meetings.layer)
}

const teaser = (
  card: MeetingCard,
  items: ReadonlyArray<AgendaItem>,
  documents: ReadonlyArray<DocumentCard>,
  chapters: ReadonlyArray<Chapter>,
  clips: ReadonlyArray<ClipCard>,
  detail: DetailRow,
  links: MeetingLinks
): MeetingTeaser => ({
  ...card,
  gated: true,
  ...given("agenda_changed_at", detail.agenda_changed_at?.toISOString()),
  agenda_items: items.map(({ description: _, outcome: _1, ...item }) => item),
  documents,
  chapters,
  clips,
  ...given("newsletter_teaser", detail.briefing === null ? undefined : newsletterTeaser(detail.briefing, detail.title)),
  links
})

const record = (
  card: MeetingCard,
  agenda_items: ReadonlyArray<AgendaItem>,
  documents: ReadonlyArray<DocumentCard>,
  chapters: ReadonlyArray<Chapter>,
  clips: ReadonlyArray<ClipCard>,
  detail: DetailRow,
  links: MeetingLinks
): MeetingRecord => ({
  ...card,
  gated: false,
  ...given("agenda_changed_at", detail.agenda_changed_at?.toISOString()),
  agenda_items,
  documents,
  chapters,
  clips,
  ...given("recording", detail.recording === null ? null : { duration: card.duration ?? 0, ...detail.recording }),
  ...(detail.transcript === null
    ? {}
    : {
        transcript: {
          version: detail.transcript.version,
          language: detail.transcript.language,
          word_count: detail.transcript.word_count,
          ...given("generator", detail.transcript.generator)
        }
      }),
  ...(detail.pending_verification === null ? {} : { briefing: { pending_verification: detail.pending_verification } }),
  links
})
