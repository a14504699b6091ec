import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db, type Sql } from "../../../layers/db/db.ts"
import type { SourceKind } from "../../../schema/agent/directory.ts"
import type { Credentials } from "../../text/address-credentials.ts"
import { addFlows } from "../queue/add-flows.ts"
import { firstLine } from "../queue/task-events.ts"

/** The most sources whose crawls one process adds at a time. */
const mostDue = 100

/** A source as its crawl needs it. */
export interface CrawlableSource {
  readonly id: string
  readonly kind: SourceKind
  /** Without its credentials. */
  readonly url: string
  readonly credentials?: Credentials | null
  readonly place: {
    readonly id: number
    readonly slug: string
    readonly name: string
    readonly kind: "city" | "county"
    readonly state: string
    readonly county: string | null
  }
  /** The names of the bodies that a channel of recordings belongs to; empty or missing if its titles alone say. */
  readonly bodies?: ReadonlyArray<string> | undefined
  /** The validators of the page that was fetched last. */
  readonly etag: string | null
  readonly last_modified: string | null
}

/** A place `p` as `CrawlableSource` has it. */
export const placeOfSource = (db: Sql) => db`
  json_build_object('id', p.id, 'slug', p.slug, 'name', p.name, 'kind', p.kind, 'state', p.state, 'county', p.county)`

/** Schedules crawls of sources, and records their outcome. */
export class Crawls extends Context.Service<
  Crawls,
  {
    /** Adds due crawls, each once however many processes ask; returns how many. */
    readonly addDue: Effect.Effect<number, SqlError.SqlError>
    readonly source: (id: string) => Effect.Effect<CrawlableSource | undefined, SqlError.SqlError>
    /** Records, in the transaction that ends the task, that a source was crawled. Missing validators stay unchanged. */
    readonly succeeded: (
      id: string,
      validators?: { readonly etag?: string | undefined; readonly lastModified?: string | undefined }
    ) => Effect.Effect<void, SqlError.SqlError>
    /** Records that a source could not be crawled. `reason` is a fixed sentence without fetched text. */
    readonly failed: (id: string, reason: string) => Effect.Effect<void, SqlError.SqlError>
  }
>()("civic-record/Crawls") {
  static readonly layer = Layer.effect(
    Crawls,
    Effect.gen(function* () {
      const db = yield* Db

      const addDue = Effect.gen(function* () {
        const due = yield* db<{ source_id: string }>`
          update source set crawl_at = clock_timestamp() + every where id in (
            select id from source where crawl_at <= now() order by crawl_at limit ${mostDue} for no key update skip locked)
          returning id as source_id`
        yield* addFlows(db, "crawl", due)
        return due.length
      }).pipe(db.withTransaction, Effect.withSpan("Crawls.addDue"))

      const source = Effect.fn("Crawls.source")(function* (id: string) {
        const [row] = yield* db<CrawlableSource>`
          select s.id, s.kind, s.url, s.credentials, s.etag, s.last_modified, ${placeOfSource(db)} as place, array(
              select b.name from body b where b.slug = any(s.body_slugs) or b.id in (
                select r.body_id from retired_slug r where r.slug = any(s.body_slugs)) order by b.id) as bodies
          from source s join place p on p.id = s.place_id where s.id = ${id}`
        return row
      })

      return {
        addDue,
        source,
        succeeded: Effect.fn("Crawls.succeeded")(function* (id, validators) {
          yield* db`
            update source set crawled_at = clock_timestamp(), outcome = 'ok', failure = null, failing_since = null
            where id = ${id}`
          if (validators === undefined) return
          yield* db`
            update source set etag = ${validators.etag ?? null}, last_modified = ${validators.lastModified ?? null}
            where id = ${id}`
        }),
        failed: Effect.fn("Crawls.failed")(function* (id, reason) {
          yield* db`
            update source set crawled_at = clock_timestamp(), outcome = 'failed', failure = ${firstLine(reason)},
              failing_since = coalesce(failing_since, clock_timestamp())
            where id = ${id}`
        })
      }
    })
  )
}
