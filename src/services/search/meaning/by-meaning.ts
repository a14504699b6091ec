import { Context, Effect, Exit, Layer, Option, Schema, Semaphore } from "effect"
import type { SqlError } from "effect/sql"
import { LRUCache } from "lru-cache"
import { EmbeddingModel, embeddingModel } from "../../../../layers/cloud-model/embedding-model.ts"
import { ReadDb } from "../../../../layers/db/db.ts"
import { rowsBy } from "../../../../layers/db/rows.ts"
import { MeetingId } from "../../../../schema/primitives.ts"
import { hasStatus, onBodiesAndYears } from "../found/found-in-sql.ts"
import { type ActiveFilter, conditionsOn } from "../query/filters.ts"
import { cellsOf, nearest } from "./cells.ts"
import { digestOf, type MeantText, textsOf } from "./texts.ts"
import { likeness, packed, sketchOf, unpacked, type Vector } from "./vectors.ts"

/** Somebody waits: a model that takes longer is not asked for half a minute once that has happened five times. */
const quick = { tryTimeout: "600 millis", callTimeout: "700 millis", retries: 0 } as const

/** The most searches of this process that ask the model at once; others go without. */
const mostAsking = 4
/** The searches whose vectors are remembered. */
const mostRemembered = 1000

/** The cells that are read, and the most texts of one: they bound what a search costs. */
const [cellsRead, mostOfCell] = [32, 10_000]
/** Of so few meetings all texts are compared, so that a narrow filter leaves none out. */
const fewMeetings = 1000
/** The different texts whose vectors are compared in full; more where a filter may leave out most of them. */
const [compared, comparedIfFiltered] = [800, 2000]

/** Texts drawn by chance, to know how like any text is to a query: models differ in that. */
const drawn = 256
/** How far above that a text must be, in standard deviations (docs/search.md says how this was found). */
const fewestDeviations = 4
/** The least that a deviation is taken for. */
const leastDeviation = 0.02

/** Whether the answer that is being made lacks something that it may have a moment later; then it is not cached. */
export const CurrentAnswer = Context.Reference<{ passes: boolean } | undefined>("civic-record/CurrentAnswer", {
  defaultValue: () => undefined
})

/** What is looked for by its meaning, under these filters, which `within` held meetings pass. */
interface AskedByMeaning {
  readonly q: string
  readonly filters: ReadonlyArray<ActiveFilter>
  readonly within: number
  /** Whether texts are compared that only those see who may read every meeting. */
  readonly isReader: boolean
  /** Meetings that were found already. */
  readonly without: ReadonlyArray<string>
  readonly most: number
}

/**
 * Finds the texts that are nearest to a query by what they mean, the best of each meeting, best first; none if the
 * model does not answer at once. Undefined if the deployment has no model for it.
 */
export const ByMeaning = Context.Reference<
  ((asked: AskedByMeaning) => Effect.Effect<ReadonlyArray<MeantText>, SqlError.SqlError>) | undefined
>("civic-record/ByMeaning", { defaultValue: () => undefined })

const nearRows = rowsBy(Schema.Struct({ meeting: MeetingId, digest: Schema.String, vector: Schema.Uint8Array }))
const drawnRows = rowsBy(Schema.Struct({ vector: Schema.Uint8Array }))

/** The middle of some numbers. */
const median = (numbers: ReadonlyArray<number>): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

/**
 * How like a text must be to the query to be meant: far above what texts drawn by chance are. Medians, so that the few
 * that are meant do not raise it.
 */
const leastLikeness = (query: Vector, chance: ReadonlyArray<Vector>): number => {
  const likes = chance.map((vector) => likeness(query, vector))
  const middle = median(likes)
  const deviation = 1.4826 * median(likes.map((like) => Math.abs(like - middle)))
  return middle + fewestDeviations * Math.max(deviation, leastDeviation)
}

/** For how long something is remembered; until there is something, not at all. */
const whileAny = (found: Exit.Exit<ReadonlyArray<unknown>, unknown>) =>
  Exit.isSuccess(found) && found.value.length > 0 ? "1 minute" : "0 millis"

const make = Effect.gen(function* () {
  const db = yield* ReadDb
  const model = yield* EmbeddingModel
  if (model === undefined) return undefined
  const { place, embed } = model
  const remembered = new LRUCache<string, Vector>({ max: mostRemembered })
  const asking = yield* Semaphore.make(mostAsking)
  const cells = yield* Effect.cachedWithTTL(cellsOf(db, place), whileAny)
  const byChance = yield* Effect.cachedWithTTL(
    Effect.map(
      drawnRows(db`
        select e.vector from embedding e join embedding_cell c on c.id = e.cell and c.model = ${place}
        where e.is_public order by e.digest limit ${drawn}`),
      (rows) => rows.map(({ vector }) => unpacked(vector))
    ),
    whileAny
  )

  /** The vector of a query; none if the model has no time for it. */
  const vectorOf = Effect.fnUntraced(function* (q: string) {
    const known = remembered.get(q)
    if (known !== undefined) return known
    const answer = yield* Effect.option(asking.withPermitsIfAvailable(1)(embed([q])))
    const [numbers] = Option.getOrElse(Option.flatten(answer), () => [])
    if (numbers === undefined) {
      const current = yield* CurrentAnswer
      if (current !== undefined) current.passes = true
      return undefined
    }
    const vector = packed(numbers)
    remembered.set(q, vector)
    return vector
  })

  return Effect.fn("Browse.byMeaning")(function* ({ q, filters, within, isReader, without, most }: AskedByMeaning) {
    const known = yield* cells
    const vector = known.length === 0 ? undefined : yield* vectorOf(q)
    if (vector === undefined) return []
    const passes = db.and([
      ...hasStatus(db, filters),
      ...conditionsOn(db, filters, "meeting"),
      ...onBodiesAndYears(db, filters),
      db`m.id <> all(${without}::uuid[])`
    ])
    const isSeen = db`(e.is_public or ${isReader})`
    const isSmall = within <= fewMeetings
    // `offset 0` keeps PostgreSQL from going through all vectors, or all meetings, instead.
    const looked = isSmall
      ? db`(select m.id from meeting m where ${passes}) m, lateral (
            select e.digest, e.sketch, e.cell from embedding e where e.meeting_id = m.id and ${isSeen} offset 0) e
          where e.cell in (select id from embedding_cell where model = ${place})`
      : db`unnest(${nearest(known, vector, cellsRead)}::int[]) near (cell), lateral (
            select e.digest, e.sketch from embedding e where e.cell = near.cell and ${isSeen} limit ${mostOfCell}) e
          where true`
    const few = isSmall || filters.length === 0 ? compared : comparedIfFiltered
    const sketch = sketchOf(vector)
    // The same text may be in thousands of meetings: the newest of them stands for all.
    const near = yield* nearRows(db`
      select newest.meeting, encode(near.digest, 'hex') as digest, newest.vector
      from (
        select e.digest from ${looked} and bit_length(e.sketch) = ${sketch.length}::int
        group by e.digest, e.sketch order by bit_count(e.sketch # ${sketch}::varbit), e.digest limit ${few}) near,
      lateral (
        select m.id as meeting, e.vector from (
          select e.meeting_id, e.vector from embedding e where e.digest = near.digest and ${isSeen} offset 0) e
        join meeting m on m.id = e.meeting_id where ${passes} order by m.date desc, m.id limit 1) newest
      order by near.digest`)
    const least = leastLikeness(vector, yield* byChance)
    const best = near
      .map(({ vector: own, ...text }) => ({ ...text, like: likeness(vector, unpacked(own)) }))
      .filter(({ like }) => like >= least)
      .toSorted((a, b) => b.like - a.like)
    const firsts = [...Map.groupBy(best, ({ meeting }) => meeting).values()].flatMap(([first]) => first ?? [])
    // A text that has changed since, or is served no longer, finds nothing until it is embedded again.
    const texts = yield* textsOf(
      db,
      firsts.slice(0, 2 * most).map(({ meeting }) => meeting)
    )
    const isReadable = ({ isPublic }: MeantText) => isPublic || isReader
    const standing = new Map(
      texts.filter(isReadable).map((text) => [`${text.meeting} ${digestOf(place, text)}`, text] as const)
    )
    return firsts.flatMap(({ meeting, digest }) => standing.get(`${meeting} ${digest}`) ?? []).slice(0, most)
  })
})

export const ByMeaningLive = Layer.effect(ByMeaning, make).pipe(Layer.provide(embeddingModel(quick)))
