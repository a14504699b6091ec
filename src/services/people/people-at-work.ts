import { Context, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { type NotFound, personNotFound } from "../failures.ts"
import { SamePerson } from "./person-merge.ts"

/** The most people, merges and pairs that are listed. */
export const mostListed = 200

/** A person as operators see them. */
export interface PersonAtWork {
  readonly slug: string
  readonly name: string
  readonly place: string | null
  /** The names of the bodies that they have, or had, a seat in. */
  readonly seats: ReadonlyArray<string>
  /** Votes and roll calls, of this row alone. */
  readonly ballots: number
}

/** What operators look at before they say that two people are one. */
export class PeopleAtWork extends Context.Service<
  PeopleAtWork,
  {
    /** The people whose name has these letters, or whose slug it is; all of them without one. */
    readonly list: (
      name: string | undefined
    ) => Effect.Effect<{ readonly total: number; readonly people: ReadonlyArray<PersonAtWork> }>
    /** People of one place with the same first and last word in their names. */
    readonly alike: Effect.Effect<ReadonlyArray<{ readonly one: PersonAtWork; readonly other: PersonAtWork }>>
    /** Who was merged into whom: each link can be taken away. */
    readonly merged: Effect.Effect<
      ReadonlyArray<{ readonly slug: string; readonly name: string; readonly into: string; readonly into_name: string }>
    >
    /** Both of a merge, as they stand. */
    readonly pair: (
      from: string,
      into: string
    ) => Effect.Effect<{ readonly from: PersonAtWork; readonly into: PersonAtWork }, NotFound | SamePerson>
  }
>()("civic-record/PeopleAtWork") {
  static readonly layer = Layer.effect(
    PeopleAtWork,
    Effect.gen(function* () {
      const db = yield* Db

      const people = (ids: ReadonlyArray<number>) => db<PersonAtWork & { readonly id: number }>`
        select p.id, p.slug, p.name, l.name as place, array(
            select distinct s.name from membership s where s.person_id = p.id order by s.name limit 4) as seats,
          (select count(*)::int from ballot t where t.person_id = p.id) as ballots
        from person p left join place l on l.id = p.place_id where p.id = any(${ids}::int[])
        order by coalesce(p.sort_name, p.name), p.id`

      const list = Effect.fn("PeopleAtWork.list")(function* (name: string | undefined) {
        const named =
          name === undefined
            ? db`true`
            : db`(p.slug = ${name.toLowerCase()} or p.plain like '%' || plain_words(${name}) || '%')`
        const found = yield* db<{ id: number; total: number }>`
          select p.id, count(*) over ()::int as total from person p where p.merged_into is null and ${named}
          order by coalesce(p.sort_name, p.name), p.id limit ${mostListed}`
        return { total: found[0]?.total ?? 0, people: yield* people(found.map(({ id }) => id)) }
      }, dbDies)

      const alike = Effect.gen(function* () {
        const pairs = yield* db<{ one: number; other: number }>`
          with named as (
            select p.id, p.place_id, split_part(p.plain, ' ', 1) || ' ' || split_part(p.plain, ' ', -1) as ends
            from person p where p.merged_into is null and p.plain like '% %')
          select a.id as one, b.id as other from named a join named b using (place_id, ends) where a.id < b.id
          order by a.ends, a.id, b.id limit ${mostListed}`
        const rows = yield* people(pairs.flatMap(({ one, other }) => [one, other]))
        const byId = new Map(rows.map((row) => [row.id, row]))
        return pairs.flatMap((pair) => {
          const [one, other] = [byId.get(pair.one), byId.get(pair.other)]
          if (one === undefined || other === undefined) return []
          // The one of whom less is on record would be merged into the other.
          return one.ballots <= other.ballots ? [{ one, other }] : [{ one: other, other: one }]
        })
      }).pipe(dbDies, Effect.withSpan("PeopleAtWork.alike"))

      const merged = db<{ slug: string; name: string; into: string; into_name: string }>`
        select p.slug, p.name, w.slug as into, w.name as into_name
        from person p join person w on w.id = p.merged_with
        order by p.updated_at desc, p.slug limit ${mostListed}`.pipe(dbDies, Effect.withSpan("PeopleAtWork.merged"))

      const pair = Effect.fn("PeopleAtWork.pair")(function* (from: string, into: string) {
        // Who was merged before is shown as whom they were merged into, as a merge takes them.
        const shown = yield* db<{ slug: string; whole: number }>`
          select slug, coalesce(merged_into, id) as whole from person where slug in (${from}, ${into})`
        const whole = (slug: string) => shown.find((row) => row.slug === slug)?.whole
        const [one, other] = [whole(from), whole(into)]
        if (one === undefined) return yield* personNotFound(from)
        if (other === undefined) return yield* personNotFound(into)
        if (one === other) return yield* new SamePerson({ slug: into })
        const rows = yield* people([one, other])
        const [first, second] = [rows.find(({ id }) => id === one), rows.find(({ id }) => id === other)]
        return first === undefined || second === undefined ? yield* personNotFound(from) : { from: first, into: second }
      }, dbDies)

      return { list, alike, merged, pair }
    })
  )
}
