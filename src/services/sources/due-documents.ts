import { Context, DateTime, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db, type Sql } from "../../../layers/db/db.ts"
import type { DocumentKind } from "../../../schema/document.ts"
import type { AgendaItemId, MeetingId } from "../../../schema/primitives.ts"
import { addFlows } from "../queue/add-flows.ts"

/** The days before and after a meeting on which its source is asked whether a document has changed. */
const daysBefore = 14
const daysAfter = 30
const hoursBetween = 24
/** The most meetings of a source whose documents one crawl has read; those that have waited longest come first. */
const mostMeetings = 100
/** The most documents of a meeting that are told of at once. */
const mostAtOnce = 40

/** A document that is to be looked for, and what is known of it. */
export interface DueDocument {
  readonly id: string
  readonly kind: DocumentKind
  readonly title: string
  readonly agenda_item: AgendaItemId | null
  readonly source_url: string | null
  /** The version on record; null if nothing was read yet. */
  readonly version: number | null
  readonly digest: string | null
  readonly bytes: number | null
  /** Where it was last found, with the server's validators. */
  readonly asked_url: string | null
  readonly etag: string | null
  readonly last_modified: string | null
  /** The key and hash of the meeting's copy of its agenda, of which it is read then. */
  readonly file: { readonly key: string; readonly hash: string } | null
}

/** What came of looking for a document. */
export interface Looked {
  readonly address: string | null
  readonly etag?: string | undefined
  readonly last_modified?: string | undefined
  /** The hash of the stored file that it was read from. */
  readonly mark?: string
  /** Why there was nothing to read, as a sentence. */
  readonly failure?: string
}

/** The agenda's file of the meeting of a document `d`. */
const fileOf = (db: Sql) => db`lateral (
  select (array_agg(f.key))[1] as key, (array_agg(f.content_hash))[1] as hash from media f
  where d.kind = 'agenda' and f.meeting_id = d.meeting_id and f.role = 'agenda') file`

/**
 * Whether a document `d` is to be looked for. The agenda's file is fetched by its own stage, and the agenda is read
 * from its address only where that found none.
 */
const isDue = (db: Sql, now: string) => db`case
  when file.hash is not null then file.hash is distinct from d.mark
  else d.is_listed and d.source_url is not null
    and (d.asked_at is null or d.asked_url is distinct from d.source_url
      or d.asked_at < ${now}::timestamptz - ${hoursBetween}::int * interval '1 hour')
    and (d.kind <> 'agenda' or exists (
      select from fetched_part p where p.meeting_id = d.meeting_id and p.part = 'agenda' and p.digest is null)) end`

/**
 * Has the documents of a source's meetings read, in the caller's transaction: those that came, moved, or were not
 * looked at for a day near the meeting.
 */
export const followDocuments = Effect.fnUntraced(function* (db: Sql, source: string, now: string) {
  const due = yield* db<{ meeting_id: MeetingId }>`
    select d.meeting_id from document d join meeting m on m.id = d.meeting_id, ${fileOf(db)}
    where m.id in (select coalesce(l.same_meeting, l.id) from discovered l where l.source_id = ${source})
      and m.status <> 'cancelled' and ${isDue(db, now)}
      and (m.date between ${now}::date - ${daysAfter}::int and ${now}::date + ${daysBefore}::int
        or d.asked_url is distinct from d.source_url)
    group by d.meeting_id order by min(d.asked_at) nulls first, d.meeting_id limit ${mostMeetings}`
  yield* addFlows(db, "documents", due)
})

/** Which documents are to be read, and what came of it. */
export class DueDocuments extends Context.Service<
  DueDocuments,
  {
    /** The documents of a meeting that are to be looked for, the agenda first. */
    readonly of: (meeting: MeetingId) => Effect.Effect<ReadonlyArray<DueDocument>, SqlError.SqlError>
    /** Notes what came of it, in the caller's transaction. What was read before stays. */
    readonly looked: (id: string, looked: Looked) => Effect.Effect<void, SqlError.SqlError>
    /** The text of the version on record, a page each. */
    readonly pages: (id: string) => Effect.Effect<ReadonlyArray<string>, SqlError.SqlError>
  }
>()("civic-record/DueDocuments") {
  static readonly layer = Layer.effect(
    DueDocuments,
    Effect.gen(function* () {
      const db = yield* Db
      const clock = Effect.map(DateTime.now, DateTime.formatIso)

      const of = Effect.fn("DueDocuments.of")(function* (meeting: MeetingId) {
        return yield* db<DueDocument>`
          select d.id, d.kind, d.title, d.agenda_item_id as agenda_item, d.source_url, d.version, v.digest,
            v.bytes::float8 as bytes, d.asked_url, d.etag, d.last_modified,
            case when file.hash is not null then json_build_object('key', file.key, 'hash', file.hash) end as file
          from document d left join document_version v on v.document_id = d.id and v.version = d.version, ${fileOf(db)}
          where d.meeting_id = ${meeting} and ${isDue(db, yield* clock)}
          order by array_position('{agenda,minutes,packet,attachment}', d.kind), d.asked_at nulls first, d.position, d.id
          limit ${mostAtOnce}`
      })

      const looked = Effect.fn("DueDocuments.looked")(function* (id: string, looked: Looked) {
        const { address, etag, last_modified, mark, failure } = looked
        yield* db`
          update document set asked_at = ${yield* clock}, asked_url = ${address}, etag = ${etag ?? null},
            last_modified = ${last_modified ?? null}, mark = ${mark ?? null}, failure = ${failure ?? null}
          where id = ${id}`
      })

      const pages = Effect.fn("DueDocuments.pages")(function* (id: string) {
        const rows = yield* db<{ text: string }>`
          select p.text from document d join document_page p on p.document_id = d.id and p.version = d.version
          where d.id = ${id} order by p.number limit 1000`
        return rows.map(({ text }) => text)
      })

      return { of, looked, pages }
    })
  )
}
