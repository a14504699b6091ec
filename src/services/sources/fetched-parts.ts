import { Context, DateTime, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db, type Sql } from "../../../layers/db/db.ts"
import type { BundleMeeting } from "../../../schema/bundle.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { addFlows } from "../queue/add-flows.ts"
import { byLead, isListing } from "./listings.ts"

/** The parts of a meeting that are fetched from its source. */
const fetchedParts = ["agenda", "items", "captions", "recording"] as const
export type FetchedPart = (typeof fetchedParts)[number]

/** The days before and after a meeting on which its source is asked whether a part has changed. */
const daysBefore = 14
const daysAfter = 30
/** Hours between two looks at a part whose address has stayed. Agendas are amended; a recording seldom is replaced. */
const hoursBetween = { agenda: 24, items: 24, captions: 24, recording: 72 } as const satisfies Record<
  FetchedPart,
  number
>
/** The most meetings of a source that one crawl has looked at; those that have waited longest come first. */
const mostFollowed = 100

/** What was fetched: the validators and the length as the server gave them, and the SHA-256 in hexadecimal. */
export interface Fetched {
  readonly address: string
  readonly etag?: string | undefined
  readonly last_modified?: string | undefined
  readonly bytes: number
  readonly digest: string
}

/** What was fetched last. */
interface KnownPart {
  readonly address: string
  readonly etag: string | null
  readonly last_modified: string | null
  readonly bytes: number
  readonly digest: string
}

/** How many items of an agenda came, went, or have another title or number. */
export interface ItemChanges {
  readonly added: number
  readonly removed: number
  readonly renamed: number
}

/** Where a part of a meeting is published, and how it stands on record. */
export interface PartStanding {
  readonly part: FetchedPart
  readonly address: string | null
  /** What was fetched last; null if nothing was. */
  readonly known: KnownPart | null
  /** Whether the part on record is what was fetched; if not, it was imported or made, and stands. */
  readonly standing: "none" | "fetched" | "other"
  /** Whether its address is new or was not asked for long enough. */
  readonly isDue: boolean
}

/** What a new version replaces, beside what is known of it: a kept object, or a list of items. */
export interface Replaced {
  readonly key?: string | undefined
  readonly items?: BundleMeeting["agenda_items"] | undefined
  readonly changes?: ItemChanges | undefined
}

/** A row per part of a meeting `m`: its name, its address, and the hours between two looks at it. */
const partsOf = (db: Sql) => db`lateral (
  select part.* from (
    select ${db.csv(
      ["items_url", "captions_url"].map(
        (field) => db`(array_agg(d.${db.literal(field)} order by ${byLead(db)})
          filter (where d.${db.literal(field)} is not null))[1] as ${db.literal(field)}`
      )
    )} from discovered d where ${isListing(db)}) listed,
  lateral (values
    ('agenda', m.agenda_url, ${hoursBetween.agenda}::int), ('items', listed.items_url, ${hoursBetween.items}::int),
    ('captions', listed.captions_url, ${hoursBetween.captions}::int),
    ('recording', m.video_url, ${hoursBetween.recording}::int)) part (name, address, hours)) part`

/** Whether a part, with its row `f` of what was fetched, is to be looked at. */
const isDue = (db: Sql, now: string) => db`(f.checked_at is null or f.address <> part.address
  or f.checked_at < ${now}::timestamptz - part.hours * interval '1 hour')`

/** What shows whether a part of a meeting is as it was put on record; null if there is none. */
const markOf = (db: Sql, meeting: MeetingId, part: FetchedPart) =>
  ({
    agenda: db`(select content_hash from media where meeting_id = ${meeting} and role = 'agenda')`,
    recording: db`(select content_hash from media where meeting_id = ${meeting} and role = 'source')`,
    captions: db`(
      select coalesce(max(content_hash) filter (where version = 'raw'), max(version)) from transcript
      where meeting_id = ${meeting})`,
    // When each begins is set later, by the chapters.
    items: db`(
      select md5(string_agg(json_build_array(id, number, title, description, outcome)::text, ',' order by position))
      from agenda_item where meeting_id = ${meeting})`
  })[part]

/**
 * Has the meetings of a source looked at whose parts have another address than the one they were fetched from, were not
 * fetched yet though their meeting was, or were not looked at for a day, in the caller's transaction. Not those whose
 * flow is about to fetch them.
 */
export const followParts = Effect.fnUntraced(function* (db: Sql, source: string, now: string) {
  const due = yield* db<{ meeting_id: MeetingId }>`
    select m.id as meeting_id
    from meeting m cross join ${partsOf(db)}
    left join fetched_part f on f.meeting_id = m.id and f.part = part.name
    cross join lateral (
      select count(*) > 0 as is_made, count(*) filter (
        where fl.state = 'open' and exists (
          select from task t where t.flow_id = fl.id and t.stage = 'fetch' and t.state <> 'done')
          -- One that waits for its recording may wait for two weeks.
          and not exists (
            select from task t where t.flow_id = fl.id and t.stage = 'detect' and t.state = 'waiting'
              and t.due_at > clock_timestamp() + interval '1 minute')) > 0 as is_pending
      from flow fl where fl.meeting_id = m.id and fl.kind = 'meeting') flows
    where m.id in (select coalesce(d.same_meeting, d.id) from discovered d where d.source_id = ${source})
      and m.status <> 'cancelled' and part.address is not null and flows.is_made
      and ${isDue(db, now)}
      and (m.date between ${now}::date - ${daysAfter}::int and ${now}::date + ${daysBefore}::int
        or f.address <> part.address)
      and (part.name in ('agenda', 'items') or m.status = 'held')
      and (not flows.is_pending or m.status = 'upcoming')
    group by m.id order by min(f.checked_at) nulls first, m.id limit ${mostFollowed}`
  yield* addFlows(db, "follow", due)
})

/** What is fetched of meetings, how it is recognized when it has changed, and what was replaced. */
export class FetchedParts extends Context.Service<
  FetchedParts,
  {
    /** How each part of a meeting stands, in a fixed order; empty if the meeting is not on record. */
    readonly of: (meeting: MeetingId) => Effect.Effect<ReadonlyArray<PartStanding>, SqlError.SqlError>
    /** Notes that an address was asked and had nothing new, or nothing fit to be kept. */
    readonly asked: (
      meeting: MeetingId,
      part: FetchedPart,
      address: string,
      seen?: Fetched
    ) => Effect.Effect<void, SqlError.SqlError>
    /**
     * Notes what was fetched, in the transaction that has just put it on record. With `replaced`, what was there before
     * becomes a version, and if that amends the agenda, the meeting says so from now on.
     */
    readonly fetched: (
      meeting: MeetingId,
      part: FetchedPart,
      fetched: Fetched,
      replaced?: Replaced
    ) => Effect.Effect<void, SqlError.SqlError>
  }
>()("civic-record/FetchedParts") {
  static readonly layer = Layer.effect(
    FetchedParts,
    Effect.gen(function* () {
      const db = yield* Db
      const clock = Effect.map(DateTime.now, DateTime.formatIso)

      const of = Effect.fn("FetchedParts.of")(function* (meeting: MeetingId) {
        const marks = fetchedParts.map((part) => db`(${part}::text, ${markOf(db, meeting, part)}::text)`)
        return yield* db<PartStanding>`
          select part.name as part, part.address,
            case when f.digest is not null then json_build_object('address', f.address, 'etag', f.etag,
              'last_modified', f.last_modified, 'bytes', f.bytes, 'digest', f.digest) end as known,
            case when marked.mark is null then 'none' when marked.mark = f.mark then 'fetched' else 'other' end as standing,
            part.address is not null and ${isDue(db, yield* clock)} as "isDue"
          from meeting m cross join ${partsOf(db)}
          join (values ${db.csv(marks)}) marked (part, mark) on marked.part = part.name
          left join fetched_part f on f.meeting_id = m.id and f.part = part.name
          where m.id = ${meeting}`
      })

      const asked = Effect.fn("FetchedParts.asked")(function* (
        meeting: MeetingId,
        part: FetchedPart,
        address: string,
        seen?: Fetched
      ) {
        const now = yield* clock
        yield* db`
          insert into fetched_part (meeting_id, part, address, checked_at)
          select id, ${part}, ${address}, ${now} from meeting where id = ${meeting}
          on conflict (meeting_id, part) do update set address = excluded.address, checked_at = excluded.checked_at`
        if (seen === undefined) return
        yield* db`
          update fetched_part set etag = ${seen.etag ?? null}, last_modified = ${seen.last_modified ?? null},
            bytes = ${seen.bytes}, digest = ${seen.digest}
          where meeting_id = ${meeting} and part = ${part} and digest is not null`
      })

      const fetched = Effect.fn("FetchedParts.fetched")(function* (
        meeting: MeetingId,
        part: FetchedPart,
        { address, etag, last_modified, bytes, digest }: Fetched,
        replaced?: Replaced
      ) {
        const now = yield* clock
        if (replaced !== undefined) {
          const { key = null, items, changes } = replaced
          yield* db`
            insert into part_version (meeting_id, part, address, etag, bytes, digest, fetched_at, replaced_at, key, items,
              changes)
            select meeting_id, part, address, etag, bytes, digest, fetched_at, ${now}, ${key},
              ${items === undefined ? null : JSON.stringify(items)}::jsonb,
              ${changes === undefined ? null : JSON.stringify(changes)}::jsonb
            from fetched_part where meeting_id = ${meeting} and part = ${part} and digest is not null`
          const isAmended =
            part === "agenda" || (changes !== undefined && changes.added + changes.removed + changes.renamed > 0)
          if (isAmended) yield* db`update meeting set agenda_changed_at = ${now} where id = ${meeting}`
        }
        yield* db`
          insert into fetched_part (meeting_id, part, address, etag, last_modified, bytes, digest, mark, fetched_at,
            checked_at)
          select ${meeting}, ${part}, ${address}, ${etag ?? null}, ${last_modified ?? null}, ${bytes}::int8, ${digest},
            mark, ${now}::timestamptz, ${now}::timestamptz
          from (select ${markOf(db, meeting, part)} as mark) made where mark is not null
          on conflict (meeting_id, part) do update set address = excluded.address, etag = excluded.etag,
            last_modified = excluded.last_modified, bytes = excluded.bytes, digest = excluded.digest,
            mark = excluded.mark, fetched_at = excluded.fetched_at, checked_at = excluded.checked_at`
      })

      return { of, asked, fetched }
    })
  )
}
