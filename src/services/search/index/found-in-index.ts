import { Effect, Option } from "effect"
import type { ReadSql } from "../../../../layers/db/db.ts"
import { MeetingId } from "../../../../schema/primitives.ts"
import type { IndexQuery, Order, PostFilter, ResultSet, Snapshot } from "../../../search-engine/types.ts"
import type { Body } from "../found/bodies.ts"
import type { ChosenBodies, Found, Narrowed, Passages, Sort, Wanted } from "../found/found.ts"
import { findInSql } from "../found/found-in-sql.ts"
import { spokenInSql } from "../matches/spoken.ts"
import { pageByUpdate } from "./page-by-update.ts"

/** Bodies by key: an id's index is its key. */
export interface BodyKeys {
  readonly ids: ReadonlyArray<number>
  readonly keyOf: ReadonlyMap<number, number>
}

/** The keys of a directory's bodies, computed when this many bodies had one. */
const known = new WeakMap<ReadonlyArray<Body>, { readonly of: BodyKeys; readonly size: number; keys: Int32Array }>()

/** The key of each body, or -1. Computed once per directory, and again when another body gets a key. */
const keysOf = (bodies: ReadonlyArray<Body>, of: BodyKeys): Int32Array => {
  const held = known.get(bodies)
  if (held !== undefined && held.of === of && held.size === of.keyOf.size) return held.keys
  const keys = Int32Array.from(bodies, ({ id }) => of.keyOf.get(id) ?? -1)
  known.set(bodies, { of, size: of.keyOf.size, keys })
  return keys
}

/** Without words there is no relevance, and the newest come first. */
const orderOf = (sort: Sort, hasWords: boolean): Order =>
  sort === "oldest" ? "oldest" : sort === "relevance" && hasWords ? "relevance" : "newest"

/**
 * The passages of these meetings by their positions in the tables `passage` and `document_passage`, which start at 1.
 */
const passagesIn = (
  ids: ReadonlyArray<string>,
  ordinals: ReadonlyArray<ReadonlyArray<number> | undefined>
): Option.Option<Passages> =>
  Option.map(Option.all(ordinals.map(Option.fromUndefinedOr)), (passages) => ({
    meetings: passages.flatMap((ofMeeting, at) => ofMeeting.map(() => ids[at] ?? "")),
    positions: passages.flat().map((passage) => passage + 1)
  }))

/** Finds meetings in a snapshot of the index. Only the database knows when a meeting changed. */
export const findInIndex = (
  db: ReadSql,
  snapshot: Snapshot,
  keys: BodyKeys,
  wanted: Wanted,
  query: IndexQuery
): Found => {
  const { filters, search, sort } = wanted
  const isWhole = search === undefined && !filters.some(({ of }) => of === "meeting")
  let searched: ResultSet | undefined
  const result = () => {
    searched ??= snapshot.search(query)
    return searched
  }

  const flags = (bodies: Iterable<number>) => {
    const byKey = new Uint8Array(keys.ids.length)
    for (const body of bodies) {
      const key = keys.keyOf.get(body)
      if (key !== undefined) byKey[key] = 1
    }
    return byKey
  }
  const years = filters.find((filter) => filter.of === "year")?.years
  let last: { readonly bodies: ChosenBodies; readonly filter: PostFilter } | undefined
  const filterOf = (bodies: ChosenBodies): PostFilter => {
    if (last === undefined || last.bodies !== bodies) {
      const ofBodies = bodies === undefined ? {} : { bodies: flags(bodies) }
      last = { bodies, filter: { ...ofBodies, ...(years === undefined ? {} : { years }) } }
    }
    return last.filter
  }
  const order = orderOf(sort, search !== undefined)
  const newest = (narrowed: Narrowed) =>
    result().page({ order: "newest", offset: 0, limit: narrowed.total, ...filterOf(narrowed.bodies) })

  return {
    total: (bodies) => Effect.sync(() => result().total(filterOf(bodies))).pipe(Effect.withSpan("SearchIndex.total")),
    cells: Effect.sync(() => {
      const { years, bodies: rows, counts } = isWhole ? snapshot.facetCounts : result().facetCounts()
      return { years, rows, counts, rowsOf: (bodies: ReadonlyArray<Body>) => keysOf(bodies, keys) }
    }).pipe(Effect.withSpan("SearchIndex.cells")),
    months: ({ bodies }) =>
      Effect.sync(() => result().months(filterOf(bodies))).pipe(Effect.withSpan("SearchIndex.months")),
    page: (narrowed, part) =>
      sort === "updated"
        ? pageByUpdate(db, wanted, narrowed, part, {
            held: snapshot.documents,
            all: () => newest(narrowed),
            among: (ids) => result().filterIds(ids, filterOf(narrowed.bodies))
          })
        : Effect.sync(() => result().page({ order, ...part, ...filterOf(narrowed.bodies) })).pipe(
            Effect.withSpan("SearchIndex.page")
          ),
    groups: (narrowed, { bodies, perGroup }) => {
      if (sort === "updated") return findInSql(db, wanted).groups(narrowed, { bodies, perGroup })
      return Effect.sync(() => {
        const groups = bodies.flatMap((body) => keys.keyOf.get(body) ?? [])
        const firsts = result().groups({ order, groups, perGroup, ...filterOf(narrowed.bodies) })
        return new Map(bodies.map((body) => [body, firsts.get(keys.keyOf.get(body) ?? -1) ?? []]))
      }).pipe(Effect.withSpan("SearchIndex.groups"))
    },
    passages: (ids) =>
      Effect.sync(() => passagesIn(ids, result().passages(ids))).pipe(Effect.withSpan("SearchIndex.passages")),
    printed: (ids) =>
      Effect.sync(() => passagesIn(ids, result().printed(ids))).pipe(Effect.withSpan("SearchIndex.printed")),
    lacking: ({ bodies }) =>
      Effect.sync(() => result().lacking(filterOf(bodies))).pipe(Effect.withSpan("SearchIndex.lacking")),
    spoken: (ids, lexemes) =>
      Effect.suspend(() => {
        const all = Option.all(result().spoken(ids, lexemes).map(Option.fromUndefinedOr))
        if (Option.isNone(all)) return spokenInSql(db, ids, lexemes)
        return Effect.succeed(new Map(ids.map((id, at) => [id, all.value[at] ?? []])))
      }).pipe(Effect.withSpan("SearchIndex.spoken")),
    // Without words, PostgreSQL reads the few columns of a filter faster than it is sent ids.
    selected: (narrowed) =>
      search === undefined
        ? findInSql(db, wanted).selected(narrowed)
        : Effect.sync(() => db`select unnest(${newest(narrowed)}::uuid[]) as id`),
    all: (narrowed) =>
      Effect.sync(() => newest(narrowed).map((id) => MeetingId.make(id))).pipe(Effect.withSpan("SearchIndex.all"))
  }
}
