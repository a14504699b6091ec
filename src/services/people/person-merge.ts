import { Context, Data, DateTime, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { type NotFound, personNotFound } from "../failures.ts"
import { recordAction } from "../history.ts"

/** A person cannot be merged into themselves. */
export class SamePerson extends Data.TaggedError("SamePerson")<{ readonly slug: string }> {}

/** Merging people who are one, and taking them apart again. */
export class PersonMerge extends Context.Service<
  PersonMerge,
  {
    /** Has everything about `from` shown with `into`; the address of `from` leads there from now on. */
    readonly merge: (from: string, into: string) => Effect.Effect<void, NotFound | SamePerson>
    /** Takes somebody apart from the person that they were merged into. Returns whether they were merged. */
    readonly split: (slug: string) => Effect.Effect<boolean, NotFound>
  }
>()("civic-record/PersonMerge") {
  static readonly layer = Layer.effect(
    PersonMerge,
    Effect.gen(function* () {
      const db = yield* Db

      const merge = Effect.fn("PersonMerge.merge")(function* (from: string, into: string) {
        yield* db.withTransaction(
          Effect.gen(function* () {
            const rows = yield* db<{ id: number; slug: string; whole: number }>`
              select id, slug, coalesce(merged_into, id) as whole from person
              where slug in (${from}, ${into}) order by id for update`
            const [one, other] = [rows.find(({ slug }) => slug === from), rows.find(({ slug }) => slug === into)]
            if (one === undefined) return yield* personNotFound(from)
            if (other === undefined) return yield* personNotFound(into)
            if (one.whole === other.whole) return yield* new SamePerson({ slug: into })
            const now = DateTime.formatIso(yield* DateTime.now)
            yield* db`update person set merged_into = ${other.whole} where ${one.id} in (id, merged_into)`
            yield* db`update person set updated_at = ${now} where id in (${one.id}, ${other.whole})`
            yield* recordAction(db, "person.merge", from, { into })
          })
        )
      }, dbDies)

      const split = Effect.fn("PersonMerge.split")(function* (slug: string) {
        return yield* db.withTransaction(
          Effect.gen(function* () {
            const [row] = yield* db<{ id: number; merged_into: number | null }>`
              select id, merged_into from person where slug = ${slug} for update`
            if (row === undefined) return yield* personNotFound(slug)
            if (row.merged_into === null) return false
            const now = DateTime.formatIso(yield* DateTime.now)
            yield* db`update person set updated_at = ${now} where id in (${row.id}, ${row.merged_into})`
            yield* db`update person set merged_into = null where id = ${row.id}`
            yield* recordAction(db, "person.split", slug, {})
            return true
          })
        )
      }, dbDies)

      return { merge, split }
    })
  )
}
