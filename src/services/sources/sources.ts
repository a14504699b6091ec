import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Db, dbDies, type Sql } from "../../../layers/db/db.ts"
import type { UpdateSourceBodiesRequest } from "../../../schema/agent/completion.ts"
import type { AgentSource, AgentSourceQuery, AgentSources, SourceKind } from "../../../schema/agent/directory.ts"
import type { AgentTask } from "../../../schema/agent/task.ts"
import { splitAddress } from "../../text/address-credentials.ts"
import { type NotFound, placeNotFound, sourceNotFound, type UnknownAgency, UnlistedBody } from "../failures.ts"
import { recordAction } from "../history.ts"
import { type BodyRow, bodyRef, type PlaceRow, placeRef } from "../meetings/refs.ts"
import { idOf, placesOf } from "../meetings/sql.ts"
import { addFlows } from "../queue/add-flows.ts"
import { tasksWhere } from "../queue/task-view.ts"
import { given, sent } from "../wire.ts"
import { anyBody, mapSourceBodies } from "./source-bodies.ts"

const defaults = { page: 1, page_size: 50, order: "place" } as const

interface SourceRow {
  readonly id: string
  readonly kind: SourceKind
  readonly url: string
  readonly place: PlaceRow
  readonly every_seconds: number
  readonly crawl_at: Date | null
  readonly crawled_at: Date | null
  readonly outcome: "ok" | "failed" | null
  readonly failure: string | null
  readonly failing_since: Date | null
  readonly not_imported: number
  readonly permitted_at: Date | null
  readonly permitted_by: string
  readonly permitted_why: string
}

interface SourceBodyRow extends BodyRow {
  readonly source_id: string
  readonly source_body: string
  readonly places: ReadonlyArray<PlaceRow>
  /** How the row's body on record, if it has one, is related to it. */
  readonly relation: "agency" | "like" | null
}

/** Sources `s` of places `p` that meet a condition, in the given order. */
export const sourcesWhere = Effect.fnUntraced(function* (
  db: Sql,
  condition: Statement.Fragment,
  { order, limit, offset = 0 }: { readonly order: Statement.Fragment; readonly limit: number; readonly offset?: number }
) {
  const rows = yield* db<SourceRow>`
    select s.id, s.kind, s.url, json_build_object(
        'slug', p.slug, 'name', p.name, 'kind', p.kind, 'state', p.state, 'county', p.county) as place,
      extract(epoch from s.every)::int as every_seconds, s.crawl_at, s.crawled_at, s.outcome, s.failure, s.failing_since,
      (select count(*)::int from discovered d where d.source_id = s.id and d.imported_at is null) as not_imported,
      s.permitted_at, s.permitted_by, s.permitted_why
    from source s join place p on p.id = s.place_id
    where ${condition} order by ${order}, s.id limit ${limit} offset ${offset}`
  const ids = rows.map(({ id }) => id)
  const bodies = yield* db<SourceBodyRow>`
    select sb.source_id, sb.source_body, case when b.id = sb.body_id then 'agency' when b.id is not null then 'like' end
      as relation, b.slug, b.segment, b.name, b.kind, ${placesOf(db)} as places
    from source_body sb left join body b on b.id = coalesce(sb.body_id, (
      select max(d.same_as) from discovered d where d.source_id = sb.source_id and d.source_body = sb.source_body))
    where sb.source_id = any(${ids}::uuid[]) order by sb.source_id, sb.source_body`
  const crawls = yield* tasksWhere(
    db,
    db`t.stage = 'crawl' and t.flow_id in (
      select distinct on (source_id) id from flow where source_id = any(${ids}::uuid[]) and kind = 'crawl'
      order by source_id, created_at desc)`,
    { order: db`t.id`, limit: Math.max(1, ids.length) }
  )
  return rows.map(({ place, permitted_at, permitted_by, permitted_why, ...row }): AgentSource => {
    const crawl = crawls.find((task) => task.source_id === row.id)
    return {
      ...sent(row),
      place: placeRef(place),
      bodies: bodies
        .filter(({ source_id }) => source_id === row.id)
        .map((body) => ({
          source_body: body.source_body,
          ...(body.relation === null ? {} : { [body.relation]: bodyRef(body, body.places[0]?.slug) })
        })),
      ...given("permitted", permitted_at && { at: permitted_at.toISOString(), by: permitted_by, why: permitted_why }),
      ...given("crawl", crawl)
    }
  })
})

/** Calendars that are crawled. */
export class Sources extends Context.Service<
  Sources,
  {
    readonly list: (query: AgentSourceQuery) => Effect.Effect<AgentSources>
    /**
     * Adds a source, which is then due immediately, or changes how often it is crawled where the address is known
     * already; returns its id. Credentials in the address are kept apart from it and shown to nobody; given anew, they
     * replace those before. `everySeconds` is at least 60.
     */
    readonly add: (source: {
      readonly kind: SourceKind
      readonly url: string
      readonly place: string
      readonly everySeconds: number
    }) => Effect.Effect<string, NotFound>
    /** One source. */
    readonly source: (id: string) => Effect.Effect<AgentSource, NotFound>
    /** Adds the crawl of a source, unless one is under way; returns its task. */
    readonly crawl: (id: string) => Effect.Effect<AgentTask, NotFound>
    /** Pauses a source, or has a paused one crawled again from now on. One that is not paused keeps its time. */
    readonly pause: (id: string, paused: boolean) => Effect.Effect<void, NotFound>
    /**
     * Maps bodies of a source to bodies on record, and crawls it again if that changed something. Returns whether it
     * did.
     */
    readonly map: (
      id: string,
      request: UpdateSourceBodiesRequest
    ) => Effect.Effect<boolean, NotFound | UnknownAgency | UnlistedBody>
    /**
     * Says that a body of a source is none of those on record: the next crawl, which this adds, puts it there as the
     * source names it. Returns whether that changed something.
     */
    readonly found: (id: string, name: string) => Effect.Effect<boolean, NotFound | UnlistedBody>
  }
>()("civic-record/Sources") {
  static readonly layer = Layer.effect(
    Sources,
    Effect.gen(function* () {
      const db = yield* Db

      const orders = {
        place: db`p.name, p.slug, s.url`,
        due: db`s.crawl_at nulls last`,
        crawled: db`s.crawled_at desc nulls last`,
        failing: db`s.failing_since nulls last`
      } as const

      const list = Effect.fn("Sources.list")(function* (query: AgentSourceQuery) {
        const { page, page_size, order } = { ...defaults, ...query }
        const { q } = query
        const condition =
          q === undefined
            ? db`true`
            : db`(strpos(lower(s.url), lower(${q})) > 0 or strpos(fold(p.name), fold(${q})) > 0 or exists (
                select from source_body sb where sb.source_id = s.id and strpos(fold(sb.source_body), fold(${q})) > 0))`
        const [counted] = yield* db<{ total: number }>`
          select count(*)::int as total from source s join place p on p.id = s.place_id where ${condition}`
        return {
          total: counted?.total ?? 0,
          page,
          page_size,
          sources: yield* sourcesWhere(db, condition, {
            order: orders[order],
            limit: page_size,
            offset: (page - 1) * page_size
          })
        }
      }, dbDies)

      const add = Effect.fn("Sources.add")(
        function* (source: {
          readonly kind: SourceKind
          readonly url: string
          readonly place: string
          readonly everySeconds: number
        }) {
          const { kind, place, everySeconds } = source
          const { url, credentials } = splitAddress(source.url)
          const kept = credentials === undefined ? null : JSON.stringify(credentials)
          const [known] = yield* db<{ every: number }>`
            select extract(epoch from every)::int as every from source where kind = ${kind} and url = ${url}`
          const [added] = yield* db<{ id: string }>`
            insert into source (kind, url, credentials, place_id, every)
            select ${kind}, ${url}, ${kept}::jsonb, id, ${everySeconds}::int * interval '1 second'
            from place where slug = ${place}
            on conflict (kind, url) do update
            set every = excluded.every, credentials = coalesce(excluded.credentials, source.credentials)
            returning id`
          if (added === undefined) return yield* placeNotFound(place)
          if (known?.every !== everySeconds) {
            yield* recordAction(db, "source.add", added.id, { kind, url, place, hours: everySeconds / 3600 })
          }
          return added.id
        },
        (added) => dbDies(db.withTransaction(added))
      )

      const source = Effect.fn("Sources.source")(function* (ref: string) {
        const [found] = yield* sourcesWhere(db, db`s.id = ${idOf(ref)}`, { order: db`s.url`, limit: 1 })
        return found ?? (yield* sourceNotFound(ref))
      }, dbDies)

      /** Locks a source for the caller's transaction. */
      const locked = Effect.fnUntraced(function* (ref: string) {
        const [row] = yield* db<{ id: string }>`select id from source where id = ${idOf(ref)} for no key update`
        return row?.id ?? (yield* sourceNotFound(ref))
      })

      const crawl = Effect.fn("Sources.crawl")(
        function* (ref: string) {
          const id = yield* locked(ref)
          const [added] = yield* addFlows(db, "crawl", [{ source_id: id }])
          const [task] = yield* tasksWhere(db, db`f.source_id = ${id} and f.kind = 'crawl' and f.state = 'open'`, {
            order: db`f.created_at desc`,
            limit: 1
          })
          if (task === undefined) return yield* Effect.die(new Error("A crawl was added without a task."))
          if (added !== undefined) yield* recordAction(db, "source.crawl", id, { task: task.id })
          return task
        },
        (crawled) => dbDies(db.withTransaction(crawled))
      )

      const pause = Effect.fn("Sources.pause")(
        function* (ref: string, paused: boolean) {
          const id = yield* locked(ref)
          const changed = yield* db`
            update source set crawl_at = ${paused ? db`null` : db`clock_timestamp()`}
            where id = ${id} and (crawl_at is null) <> ${paused}::boolean returning id`
          if (changed.length > 0) yield* recordAction(db, paused ? "source.pause" : "source.resume", id)
        },
        (changed) => dbDies(db.withTransaction(changed))
      )

      const map = Effect.fn("Sources.map")(
        function* (ref: string, request: UpdateSourceBodiesRequest) {
          const id = yield* locked(ref)
          const changed = yield* mapSourceBodies(db, id, request, anyBody(db))
          if (changed) {
            yield* addFlows(db, "crawl", [{ source_id: id }])
            yield* recordAction(db, "source.map", id, request)
          }
          return changed
        },
        (mapped) => dbDies(db.withTransaction(mapped))
      )

      const found = Effect.fn("Sources.found")(
        function* (ref: string, name: string) {
          const id = yield* locked(ref)
          const [body] = yield* db<{ isWaiting: boolean }>`
            select body_id is null and not is_new as "isWaiting" from source_body
            where source_id = ${id} and source_body = ${name}`
          if (body === undefined) return yield* new UnlistedBody({ field: "source_body", name })
          if (!body.isWaiting) return false
          yield* db`update source_body set is_new = true where source_id = ${id} and source_body = ${name}`
          // Even a calendar that has not changed is read again.
          yield* db`update source set etag = null, last_modified = null where id = ${id}`
          yield* addFlows(db, "crawl", [{ source_id: id }])
          yield* recordAction(db, "source.found", id, { source_body: name })
          return true
        },
        (changed) => dbDies(db.withTransaction(changed))
      )

      return { list, add, source, crawl, pause, map, found }
    })
  )
}
