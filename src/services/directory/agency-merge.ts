import { Context, Data, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { agencyNotFound, type NotFound } from "../failures.ts"
import { announceStale, noteMeetingsOf } from "../feed/stale-meetings.ts"
import { recordAction } from "../history.ts"
import { keepMerge } from "../meetings/kept-moves.ts"
import { bodyWithSlug } from "../meetings/sql.ts"

/** A body cannot be merged into itself. */
export class SameBody extends Data.TaggedError("SameBody")<{ readonly slug: string }> {}

/** The rows that a merge moves from one body to another. */
export interface MergePreview {
  readonly from: { readonly slug: string; readonly name: string }
  readonly into: { readonly slug: string; readonly name: string }
  readonly meetings: number
  readonly followers: number
  /** Names that sources list it under. */
  readonly source_bodies: number
  /** The slugs that will answer with the other body. */
  readonly slugs: ReadonlyArray<string>
}

interface PreviewRow {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly meetings: number
  readonly followers: number
  readonly source_bodies: number
  readonly retired: ReadonlyArray<string>
}

/** Merging one body into another, which then answers at both slugs forever (spec section 2). */
export class AgencyMerge extends Context.Service<
  AgencyMerge,
  {
    /**
     * Moves every meeting of `from` to `into` and retires its slugs there, in one transaction, then announces them in
     * batches; returns how many moved. If it is killed while announcing, workers announce the rest. `along` runs in the
     * transaction of the merge.
     */
    readonly merge: (
      from: string,
      into: string,
      along?: Effect.Effect<void>
    ) => Effect.Effect<{ readonly meetings: number }, NotFound | SameBody>
    /** A preview of a merge. */
    readonly preview: (from: string, into: string) => Effect.Effect<MergePreview, NotFound | SameBody>
  }
>()("civic-record/AgencyMerge") {
  static readonly layer = Layer.effect(
    AgencyMerge,
    Effect.gen(function* () {
      const db = yield* Db

      const bodyId = Effect.fnUntraced(function* (slug: string) {
        const [row] = yield* bodyWithSlug(db, [slug])
        return row === undefined ? yield* agencyNotFound(slug) : row.id
      })

      const merge = Effect.fn("AgencyMerge.merge")(function* (from: string, into: string) {
        const source = yield* bodyId(from)
        const target = yield* bodyId(into)
        if (source === target) return yield* new SameBody({ slug: into })
        const moved = yield* db.withTransaction(
          Effect.gen(function* () {
            const [retiring] = yield* db<{ slug: string }>`select slug from body where id = ${source} for update`
            yield* noteMeetingsOf(db, [source])
            yield* keepMerge(db, source, target)
            const [row] = yield* db<{ moved: number }>`
              with moved as (update meeting set body_id = ${target} where body_id = ${source} returning 1)
              select count(*)::int as moved from moved`
            // The search index refers to the body that is removed.
            yield* db`update meeting_search set body_id = ${target} where body_id = ${source}`
            // Readers who followed it now follow the body that it became.
            yield* db`
              insert into followed_body (account_id, body_id)
              select account_id, ${target}::int from followed_body where body_id = ${source}
              on conflict do nothing`
            // Source bodies under its name are mapped to the other from now on.
            yield* db`update source_body set body_id = ${target} where body_id = ${source}`
            for (const table of ["membership", "matter", "matter_step"]) {
              yield* db`update ${db(table)} set body_id = ${target} where body_id = ${source}`
            }
            yield* db`update discovered set same_as = ${target} where same_as = ${source}`
            yield* db`update retired_slug set body_id = ${target} where body_id = ${source}`
            yield* db`update body_address set body_id = ${target} where body_id = ${source}`
            yield* db`delete from body where id = ${source}`
            yield* db`insert into retired_slug (slug, body_id) values (${retiring?.slug}, ${target})`
            yield* recordAction(db, "agency.merge", from, { into })
            return row?.moved ?? 0
          })
        )
        yield* Effect.provideService(announceStale, Db, db)
        return { meetings: moved }
      }, dbDies)

      const preview = Effect.fn("AgencyMerge.preview")(function* (from: string, into: string) {
        const source = yield* bodyId(from)
        const target = yield* bodyId(into)
        if (source === target) return yield* new SameBody({ slug: into })
        const rows = yield* db<PreviewRow>`
          select b.id, b.slug, b.name,
            (select count(*)::int from meeting m where m.body_id = b.id) as meetings,
            (select count(*)::int from followed_body f where f.body_id = b.id) as followers,
            (select count(*)::int from source_body s where s.body_id = b.id) as source_bodies,
            array(select slug from retired_slug r where r.body_id = b.id order by slug) as retired
          from body b where b.id in (${source}, ${target})`
        const [one, other] = [rows.find(({ id }) => id === source), rows.find(({ id }) => id === target)]
        if (one === undefined) return yield* agencyNotFound(from)
        if (other === undefined) return yield* agencyNotFound(into)
        const { slug, name, meetings, followers, source_bodies, retired } = one
        return {
          from: { slug, name },
          into: { slug: other.slug, name: other.name },
          meetings,
          followers,
          source_bodies,
          slugs: [slug, ...retired]
        }
      }, dbDies)

      return { merge, preview }
    })
  )
}
