import { Cache, Context, DateTime, Duration, Effect, Exit, Layer, Semaphore } from "effect"
import type { SqlError } from "effect/sql"
import { Db, type ReadSql } from "../../../layers/db/db.ts"
import { hasChangedSince, SeenRevision } from "./changes.ts"

/** A body as filters and facets see it. Names of places may repeat those of other bodies. */
export interface Body {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly kind: string
  readonly states: ReadonlyArray<string>
  readonly counties: ReadonlyArray<string>
  readonly cities: ReadonlyArray<string>
  readonly place_slugs: ReadonlyArray<string>
  readonly retired_slugs: ReadonlyArray<string>
}

/** What bodies have in common, such as the states they are in. */
export interface Shared {
  /** The values, in the order of their names. */
  readonly values: ReadonlyArray<string>
  /** The numbers of each body's values, one body after the other; those of a body begin at its `firsts`, which has one more. */
  readonly numbers: Uint32Array
  readonly firsts: Uint32Array
  /** The bodies that have a value, by the value without accents, case and hyphens. */
  readonly bodies: ReadonlyMap<string, ReadonlyArray<number>>
}

/** All bodies, as they stood at one moment. A number that stands for a body is its place in `list`. */
export interface Bodies {
  readonly list: ReadonlyArray<Body>
  /** By slug, live or retired (spec section 2). */
  readonly bySlug: ReadonlyMap<string, number>
  /** The bodies that serve a place, by its slug. */
  readonly byPlace: ReadonlyMap<string, ReadonlyArray<number>>
  /** Every body, in the order of their names. */
  readonly byName: Uint32Array
  readonly state: Shared
  readonly county: Shared
  readonly city: Shared
  readonly type: Shared
}

/** A name as it is compared with others. */
export type Folded = (name: string) => string

const { compare } = new Intl.Collator("en")
const byName = (a: string, b: string) => compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)

const add = (bodies: Map<string, Array<number>>, key: string, body: number) => {
  const others = bodies.get(key)
  if (others === undefined) bodies.set(key, [body])
  else others.push(body)
}

const sharedBy = (list: ReadonlyArray<Body>, of: (body: Body) => ReadonlyArray<string>, folded: Folded): Shared => {
  const values = [...new Set(list.flatMap(of))].toSorted(byName)
  const at = new Map(values.map((value, index) => [value, index]))
  const bodies = new Map<string, Array<number>>()
  for (const [body, one] of list.entries()) {
    for (const key of new Set(of(one).map(folded))) add(bodies, key, body)
  }
  const numbers = list.map((body) => of(body).flatMap((value) => at.get(value) ?? []))
  const firsts = new Uint32Array(list.length + 1)
  for (const [body, own] of numbers.entries()) firsts[body + 1] = (firsts[body] ?? 0) + own.length
  return { values, numbers: Uint32Array.from(numbers.flat()), firsts, bodies }
}

const bodiesOf = (list: ReadonlyArray<Body>, folded: Folded): Bodies => {
  const byPlace = new Map<string, Array<number>>()
  for (const [body, { place_slugs }] of list.entries()) {
    for (const slug of place_slugs) add(byPlace, slug, body)
  }
  const inOrder = [...list.entries()].toSorted(([, a], [, b]) => byName(a.name, b.name) || byName(a.slug, b.slug))
  const asIs = (value: string) => value
  return {
    list,
    bySlug: new Map([
      ...list.flatMap(({ retired_slugs }, body) => retired_slugs.map((slug) => [slug, body] as const)),
      ...list.map(({ slug }, body) => [slug, body] as const)
    ]),
    byPlace,
    byName: Uint32Array.from(inOrder, ([body]) => body),
    state: sharedBy(list, ({ states }) => states, asIs),
    county: sharedBy(list, ({ counties }) => counties, folded),
    city: sharedBy(list, ({ cities }) => cities, folded),
    type: sharedBy(list, ({ kind }) => [kind], asIs)
  }
}

/** The names as SQL compares them (`hasName` in filters.ts), in their order. */
const foldAll = (db: ReadSql, names: ReadonlyArray<string>) => db<{ key: string }>`
  select name_key(name) as key from unnest(${names}::text[]) with ordinality given (name, at) order by at`

/** A directory this old is read again, since changes are not kept forever. */
const freshFor = Duration.hours(1)

/** How many chosen names are kept folded. */
const mostFolded = 10_000

/**
 * The directory of bodies in memory, so that no facet joins it. Nothing has to be announced: whoever asks gets one that
 * is as new as the database it asks with.
 */
export class BodyDirectory extends Context.Service<
  BodyDirectory,
  {
    /** All bodies, with every change that is visible to `db`. */
    readonly current: (db: ReadSql) => Effect.Effect<Bodies, SqlError.SqlError>
    /** How these names compare. */
    readonly folded: (names: ReadonlyArray<string>) => Effect.Effect<Folded, SqlError.SqlError>
  }
>()("civic-record/BodyDirectory") {
  static readonly layer = Layer.effect(
    BodyDirectory,
    Effect.gen(function* () {
      const primary = yield* Db
      const one = yield* Semaphore.make(1)
      let held:
        | { readonly bodies: Bodies; readonly position: string; readonly lapses: DateTime.Utc; revision?: string }
        | undefined

      const keys = yield* Cache.makeWith(
        (name: string) => Effect.map(foldAll(primary, [name]), ([row]) => row?.key ?? name),
        { capacity: mostFolded, timeToLive: (exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero) }
      )

      // The primary reads it, because a replica does not know its own snapshot (`hasChangedSince`).
      const load = Effect.fn("BodyDirectory.load")(function* () {
        const rows = yield* primary<Body & { readonly position: string }>`
          select now.position, b.id, b.slug, b.name, b.kind, b.states, b.counties, b.cities, b.place_slugs,
            array(select r.slug from retired_slug r where r.body_id = b.id order by r.slug) as retired_slugs
          from (select pg_current_snapshot()::text as position) now left join body b on true order by b.id`
        const list = rows.filter(({ id }) => id !== null)
        const names = [...new Set(list.flatMap(({ counties, cities }) => [...counties, ...cities]))]
        const folds = yield* foldAll(primary, names)
        const folded = new Map(names.map((name, at) => [name, folds[at]?.key ?? name]))
        const lapses = DateTime.addDuration(yield* DateTime.now, freshFor)
        held = {
          bodies: bodiesOf(list, (name) => folded.get(name) ?? name),
          position: rows[0]?.position ?? "",
          lapses
        }
        return held.bodies
      })

      /** The directory in memory, unless it has changed since it was read. */
      const unchanged = Effect.fnUntraced(function* (db: ReadSql) {
        if (held === undefined || DateTime.isLessThan(held.lapses, yield* DateTime.now)) return undefined
        const found = held
        const revision = yield* SeenRevision
        if (revision !== undefined && found.revision === revision) return found.bodies
        if (yield* hasChangedSince(db, found.position, "directory")) return undefined
        if (revision !== undefined) found.revision = revision
        return found.bodies
      })

      return {
        current: Effect.fn("BodyDirectory.current")(function* (db: ReadSql) {
          const known = yield* unchanged(db)
          if (known !== undefined) return known
          // Of many that find it changed, one reads it.
          return yield* Semaphore.withPermit(
            one,
            Effect.flatMap(unchanged(db), (read) => (read === undefined ? load() : Effect.succeed(read)))
          )
        }),
        folded: Effect.fn("BodyDirectory.folded")(function* (names: ReadonlyArray<string>) {
          const each = yield* Effect.forEach(names, (name) =>
            Effect.map(Cache.get(keys, name), (key) => [name, key] as const)
          )
          const known = new Map(each)
          return (name: string) => known.get(name) ?? name
        })
      }
    })
  )
}
