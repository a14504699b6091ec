import { Context, DateTime, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db } from "../../../layers/db/db.ts"
import type { BundleAgency } from "../../../schema/bundle.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { Credentials } from "../../text/address-credentials.ts"
import { meetingsChanged } from "../feed/changed.ts"
import {
  bringUpToDate,
  isToCome,
  noteLikeness,
  noteListed,
  noteWithdrawn,
  type SourceMeeting
} from "./discovered-meetings.ts"
import { isListing } from "./listings.ts"

/** A body that a source lists. */
export interface SourceBody {
  readonly name: string
  readonly external_id?: string | undefined
  /** The slug derived from the name at the source's place. */
  readonly slug: string
  /** The current name: of several names with one id, that of the newest meeting. */
  readonly is_current: boolean
}

/** A name that a source has for a body, and that no body on record has. */
interface UnknownBody {
  readonly name: string
  /** Whether an operator says that it is none of those on record. */
  readonly isNew: boolean
}

/** A source's list, and the days for which it is complete. */
export interface Listed {
  readonly meetings: ReadonlyArray<SourceMeeting>
  readonly whole?: { readonly from: string; readonly to: string } | undefined
}

/** The progress of a meeting, for the stages after the crawl. */
export interface Standing {
  readonly status: "upcoming" | "held" | "cancelled"
  /** Seconds until it begins, or until its day is over if it has no time; 0 once that has passed. */
  readonly seconds_to_come: number
  readonly days_past: number
  readonly video_url: string | null
  readonly agenda_url: string | null
  /** The source's address and what opens it; null if no source lists the meeting. */
  readonly source: { readonly url: string; readonly credentials: Credentials | null } | null
  /** The slug of the source's place; null if no source lists the meeting. */
  readonly place: string | null
  /** Whether the source recording is in the store. */
  readonly has_source: boolean
}

/** How similar a source's name for a body must be to the body's name to count as the same. */
const likeEnough = 0.4

/**
 * What crawls find and how it is recorded. Writes run in the caller's transaction, which must hold the source's lock.
 */
export class Discoveries extends Context.Service<
  Discoveries,
  {
    /**
     * Stores a source's bodies, and maps those that are certain: by the source's id for them, which survives a rename,
     * or by their name at the place. Returns the bodies on record that the source has renamed, and the names unlike any
     * body on record, or that an operator says are none of them.
     */
    readonly noteBodies: (
      source: { readonly id: string; readonly place: { readonly id: number } },
      bodies: ReadonlyArray<SourceBody>
    ) => Effect.Effect<
      { readonly renamed: ReadonlyArray<BundleAgency>; readonly unknown: ReadonlyArray<UnknownBody> },
      SqlError.SqlError
    >
    /** Brings the record up to a source's list; without a list, to its previous one, because time has passed. */
    readonly note: (
      source: { readonly id: string; readonly place: { readonly id: number } },
      listed: Listed | undefined
    ) => Effect.Effect<void, SqlError.SqlError>
    /** How many upcoming meetings of a source are on record. */
    readonly upcoming: (source: string) => Effect.Effect<number, SqlError.SqlError>
    readonly standing: (meeting: MeetingId) => Effect.Effect<Standing | undefined, SqlError.SqlError>
    /** Marks the meeting as held, because its time has passed, in a transaction of its own. Idempotent. */
    readonly held: (meeting: MeetingId) => Effect.Effect<void, SqlError.SqlError>
  }
>()("civic-record/Discoveries") {
  static readonly layer = Layer.effect(
    Discoveries,
    Effect.gen(function* () {
      const db = yield* Db
      const clock = Effect.map(DateTime.now, DateTime.formatIso)

      const noteBodies = Effect.fn("Discoveries.noteBodies")(function* (
        { id, place }: { readonly id: string; readonly place: { readonly id: number } },
        bodies: ReadonlyArray<SourceBody>
      ) {
        const named = db`json_to_recordset(${JSON.stringify(bodies)}::json)
          as named (name text, external_id text, slug text, is_current boolean)`
        yield* db`
          insert into source_body as sb (source_id, source_body, external_id)
          select ${id}, name, external_id from ${named} order by name
          on conflict (source_id, source_body) do update set external_id = excluded.external_id
          where sb.external_id is distinct from excluded.external_id`
        const byId = yield* db<{ body_id: number; source_body: string; was: string; is_current: boolean }>`
          update source_body sb set body_id = old.body_id from ${named}, source_body old
          where sb.source_id = ${id} and sb.source_body = named.name and sb.body_id is null
            and old.source_id = sb.source_id and old.source_body <> sb.source_body
            and old.external_id = sb.external_id and old.body_id is not null
          returning sb.body_id, sb.source_body, old.source_body as was, named.is_current`
        yield* db`
          update source_body sb set body_id = b.id from ${named}, body b
          where sb.source_id = ${id} and sb.source_body = named.name and sb.body_id is null
            and exists (select from body_place bp where bp.body_id = b.id and bp.place_id = ${place.id})
            and (b.slug = named.slug or fold(b.name) = fold(named.name)
              or exists (select from retired_slug r where r.body_id = b.id and r.slug = named.slug))`
        const renamed = yield* db<BundleAgency>`
          select distinct on (b.id) 'agency' as type, b.slug, b.segment, replace(b.name, now_named.was, now_named.source_body) as name,
            b.kind, b.place_slugs as places
          from json_to_recordset(${JSON.stringify(byId.filter(({ is_current }) => is_current))}::json)
            as now_named (body_id int, source_body text, was text)
          join body b on b.id = now_named.body_id and strpos(b.name, now_named.was) > 0 order by b.id`
        const unknown = yield* db<UnknownBody>`
          select named.name, sb.is_new as "isNew" from ${named}
          join source_body sb on sb.source_id = ${id} and sb.source_body = named.name and sb.body_id is null
          where named.is_current
            and not exists (select from body b where b.slug = named.slug)
            and not exists (select from retired_slug r where r.slug = named.slug)
            and (sb.is_new or not exists (
              select from body b join body_place bp on bp.body_id = b.id
              where bp.place_id = ${place.id} and similarity(fold(b.name), fold(named.name)) > ${likeEnough}::real
                and not exists (select from source_body o where o.source_id = ${id} and o.body_id = b.id)))
          order by named.name`
        return { renamed, unknown }
      })

      const note = Effect.fn("Discoveries.note")(function* (
        { id, place }: { readonly id: string; readonly place: { readonly id: number } },
        listed: Listed | undefined
      ) {
        if (listed !== undefined) {
          const now = yield* clock
          yield* noteListed(db, id, listed.meetings, now)
          if (listed.whole !== undefined) {
            const ids = listed.meetings.map(({ external_id }) => external_id)
            yield* noteWithdrawn(db, id, listed.whole, ids, now)
          }
          yield* noteLikeness(db, id, place.id, likeEnough)
        }
        const { added, changed } = yield* bringUpToDate(db, id)
        const published = new Set(added.map((one) => one.id))
        yield* meetingsChanged(db, [...new Set([...published, ...changed])], { published })
      })

      const standing = Effect.fn("Discoveries.standing")(function* (meeting: MeetingId) {
        const now = yield* clock
        const [row] = yield* db<Standing>`
          select m.status, greatest(0, extract(epoch from coalesce(m.starts_at,
              (m.date + 1)::timestamp at time zone m.timezone) - ${now}::timestamptz))::float8 as seconds_to_come,
            ${now}::date - m.date as days_past, m.video_url, m.agenda_url, p.slug as place,
            case when s.id is not null then json_build_object('url', s.url, 'credentials', s.credentials) end as source,
            exists (select from media s where s.meeting_id = m.id and s.role = 'source') as has_source
          from meeting m left join discovered d on ${isListing(db)}
          left join source s on s.id = d.source_id left join place p on p.id = s.place_id
          where m.id = ${meeting} order by d.same_meeting is null limit 1`
        return row
      })

      return {
        noteBodies,
        note,
        standing,
        upcoming: Effect.fn("Discoveries.upcoming")(function* (source: string) {
          const [counted] = yield* db<{ meetings: number }>`
            select count(distinct m.id)::int as meetings from meeting m join discovered d on ${isListing(db)}
            where d.source_id = ${source} and m.status = 'upcoming' and ${isToCome(db, yield* clock)}`
          return counted?.meetings ?? 0
        }),
        held: Effect.fn("Discoveries.held")(function* (meeting: MeetingId) {
          const held = yield* db`
            update meeting d set status = 'held'
            where d.id = ${meeting} and d.status = 'upcoming' and not ${isToCome(db, yield* clock)} returning d.id`
          if (held.length > 0) yield* meetingsChanged(db, [meeting])
        }, db.withTransaction)
      }
    })
  )
}
