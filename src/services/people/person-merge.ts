import { Context, Data, DateTime, Effect, Layer } from "effect"
import { Db, dbDies, type Sql } from "../../../layers/db/db.ts"
import { type NotFound, personNotFound } from "../failures.ts"
import { recordAction } from "../history.ts"

/** A person cannot be merged into themselves. */
export class SamePerson extends Data.TaggedError("SamePerson")<{ readonly slug: string }> {}

/** Has everybody who was merged with a person, or with one of those, shown with another. */
const settleUnder = (db: Sql, id: number, whole: number) => db`
  with recursive under as (
    select id from person where merged_with = ${id}
    union select p.id from person p join under u on p.merged_with = u.id)
  update person set merged_into = ${whole} where id in (select id from under)`

/**
 * Merges a person, who is merged with nobody, with one who is not theirs. Rows keep their own person, and each merge is
 * a link of its own, so that any of them can be taken away.
 */
export const mergeRows = Effect.fnUntraced(function* (
  db: Sql,
  id: number,
  other: { readonly id: number; readonly whole: number },
  now: string
) {
  yield* db`update person set merged_with = ${other.id}, merged_into = ${other.whole} where id = ${id}`
  yield* settleUnder(db, id, other.whole)
  yield* db`update person set updated_at = ${now} where id in (${id}, ${other.whole})`
})

/** Merging people who are one, and taking them apart again. */
export class PersonMerge extends Context.Service<
  PersonMerge,
  {
    /**
     * Has everything about `from` shown with `into`; the address of `from` leads there from now on. Who is already
     * somebody else takes them along. Returns the slug of whom to take apart again.
     */
    readonly merge: (from: string, into: string) => Effect.Effect<string, NotFound | SamePerson>
    /** Takes somebody apart from the person that they were merged into. Returns whether they were merged. */
    readonly split: (slug: string) => Effect.Effect<boolean, NotFound>
  }
>()("civic-record/PersonMerge") {
  static readonly layer = Layer.effect(
    PersonMerge,
    Effect.gen(function* () {
      const db = yield* Db

      const merge = Effect.fn("PersonMerge.merge")(function* (from: string, into: string) {
        return yield* db.withTransaction(
          Effect.gen(function* () {
            const rows = yield* db<{ id: number; slug: string; whole: number; whole_slug: string }>`
              select p.id, p.slug, coalesce(w.id, p.id) as whole, coalesce(w.slug, p.slug) as whole_slug
              from person p left join person w on w.id = p.merged_into
              where p.slug in (${from}, ${into}) order by p.id for update of p`
            const [one, other] = [rows.find(({ slug }) => slug === from), rows.find(({ slug }) => slug === into)]
            if (one === undefined) return yield* personNotFound(from)
            if (other === undefined) return yield* personNotFound(into)
            if (one.whole === other.whole) return yield* new SamePerson({ slug: into })
            yield* mergeRows(db, one.whole, other, DateTime.formatIso(yield* DateTime.now))
            yield* recordAction(db, "person.merge", one.whole_slug, { into })
            return one.whole_slug
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
            yield* db`update person set merged_with = null, merged_into = null where id = ${row.id}`
            yield* settleUnder(db, row.id, row.id)
            yield* recordAction(db, "person.split", slug, {})
            return true
          })
        )
      }, dbDies)

      return { merge, split }
    })
  )
}
