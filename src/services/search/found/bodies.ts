import { Context, DateTime, Duration, Effect, Layer, Schema, Semaphore } from "effect"
import type { SqlError } from "effect/sql"
import { Db, type ReadSql } from "../../../../layers/db/db.ts"
import { rowsBy } from "../../../../layers/db/rows.ts"
import { nameKey } from "../../../text/fold.ts"
import { hasChangedSince, type Position, positionNow, SeenRevision } from "../changes.ts"

/** A body as filters and facets see it. Names of places may repeat across bodies. */
const Body = Schema.Struct({
  id: Schema.Finite,
  slug: Schema.String,
  name: Schema.String,
  kind: Schema.String,
  states: Schema.Array(Schema.String),
  counties: Schema.Array(Schema.String),
  cities: Schema.Array(Schema.String),
  place_slugs: Schema.Array(Schema.String),
  retired_slugs: Schema.Array(Schema.String)
})
export interface Body extends Schema.Schema.Type<typeof Body> {}

/**
 * The bodies, with the position at which they were read; a record without bodies gives one row with only the position.
 */
const loadedRows = rowsBy(
  Schema.Union([
    Schema.Struct({ ...Body.fields, timeline: Schema.String, position: Schema.String }),
    Schema.Struct({ id: Schema.Null, timeline: Schema.String, position: Schema.String })
  ])
)

/** A property that bodies share, such as their states. */
export interface Shared {
  /** The values, in order of their names. */
  readonly values: ReadonlyArray<string>
  /** The value numbers of all bodies, concatenated: those of body `b` are `numbers[firsts[b], firsts[b + 1])`. */
  readonly numbers: Uint32Array
  readonly firsts: Uint32Array
  /** The bodies with a value, by the value or, for a name, its key (`nameKey`). */
  readonly bodies: ReadonlyMap<string, ReadonlyArray<number>>
}

/** All bodies at one moment. Bodies are numbered by their index in `list`. */
export interface Bodies {
  readonly list: ReadonlyArray<Body>
  /** By slug, live or retired (spec section 2). */
  readonly bySlug: ReadonlyMap<string, number>
  /** The bodies that serve a place, by its slug. */
  readonly byPlace: ReadonlyMap<string, ReadonlyArray<number>>
  /** Every body, in order of their names. */
  readonly byName: Uint32Array
  readonly state: Shared
  readonly county: Shared
  readonly city: Shared
  readonly type: Shared
}

const { compare } = new Intl.Collator("en")
const byName = (a: string, b: string) => compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)

const add = (bodies: Map<string, Array<number>>, key: string, body: number) => {
  const others = bodies.get(key)
  if (others === undefined) bodies.set(key, [body])
  else others.push(body)
}

const sharedBy = (
  list: ReadonlyArray<Body>,
  of: (body: Body) => ReadonlyArray<string>,
  keyOf: (value: string) => string
): Shared => {
  const values = [...new Set(list.flatMap(of))].toSorted(byName)
  const at = new Map(values.map((value, index) => [value, index]))
  const bodies = new Map<string, Array<number>>()
  for (const [body, one] of list.entries()) {
    for (const key of new Set(of(one).map(keyOf))) add(bodies, key, body)
  }
  const numbers = list.map((body) => of(body).flatMap((value) => at.get(value) ?? []))
  const firsts = new Uint32Array(list.length + 1)
  for (const [body, own] of numbers.entries()) firsts[body + 1] = (firsts[body] ?? 0) + own.length
  return { values, numbers: Uint32Array.from(numbers.flat()), firsts, bodies }
}

const bodiesOf = (list: ReadonlyArray<Body>): Bodies => {
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
    county: sharedBy(list, ({ counties }) => counties, nameKey),
    city: sharedBy(list, ({ cities }) => cities, nameKey),
    type: sharedBy(list, ({ kind }) => [kind], asIs)
  }
}

/** The age at which a directory is reloaded, because changes are pruned. */
const freshFor = Duration.hours(1)

/**
 * The in-memory directory of bodies, so that no facet has to join. It needs no notifications: each caller gets a
 * directory as current as the database that it passes.
 */
export class BodyDirectory extends Context.Service<
  BodyDirectory,
  {
    /** All bodies, with every change that is visible to `db`. */
    readonly current: (db: ReadSql) => Effect.Effect<Bodies, SqlError.SqlError>
  }
>()("civic-record/BodyDirectory") {
  static readonly layer = Layer.effect(
    BodyDirectory,
    Effect.gen(function* () {
      const primary = yield* Db
      const one = yield* Semaphore.make(1)
      let held:
        | { readonly bodies: Bodies; readonly read: Position; readonly lapses: DateTime.Utc; revision?: string }
        | undefined

      // Loaded from the primary, because a replica does not know its own snapshot (`hasChangedSince`).
      const load = Effect.fn("BodyDirectory.load")(function* () {
        const rows = yield* loadedRows(primary`
          select now.timeline, now.position, b.id, b.slug, b.name, b.kind, b.states, b.counties, b.cities, b.place_slugs,
            array(select r.slug from retired_slug r where r.body_id = b.id order by r.slug) as retired_slugs
          from (select ${positionNow(primary)}) now left join body b on true order by b.id`)
        const list = rows.flatMap((row) => (row.id === null ? [] : [row]))
        const lapses = DateTime.addDuration(yield* DateTime.now, freshFor)
        const [{ timeline, position } = { timeline: "", position: "" }] = rows
        held = { bodies: bodiesOf(list), read: { timeline, position }, lapses }
        return held.bodies
      })

      /** The cached directory, unless it has changed since it was loaded. */
      const unchanged = Effect.fnUntraced(function* (db: ReadSql) {
        if (held === undefined || DateTime.isLessThan(held.lapses, yield* DateTime.now)) return undefined
        const found = held
        const revision = yield* SeenRevision
        if (revision !== undefined && found.revision === revision) return found.bodies
        if (yield* hasChangedSince(db, found.read, "directory")) return undefined
        if (revision !== undefined) found.revision = revision
        return found.bodies
      })

      return {
        current: Effect.fn("BodyDirectory.current")(function* (db: ReadSql) {
          const known = yield* unchanged(db)
          if (known !== undefined) return known
          // Of the callers that find it stale, one reloads it.
          return yield* Semaphore.withPermit(
            one,
            Effect.flatMap(unchanged(db), (read) => (read === undefined ? load() : Effect.succeed(read)))
          )
        })
      }
    })
  )
}
