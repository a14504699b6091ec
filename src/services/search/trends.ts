import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { ReadDb } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import {
  mostPeriods,
  mostSeries,
  type TrendPoint,
  type Trends as TrendsFound,
  type TrendsQuery
} from "../../../schema/trends.ts"
import { given } from "../wire.ts"
import { Browse } from "./browse.ts"
import { type Bodies, BodyDirectory } from "./found/bodies.ts"
import type { Narrowed } from "./found/found.ts"
import { UnfitParameter } from "./found/listing.ts"
import type { Results } from "./found/results.ts"
import { excessOf, type SearchesBusy, SearchOverBudget } from "./query/query-budget.ts"

/** Numbers by month, as 12 × year + month. */
type ByMonth = ReadonlyMap<number, number>

const lengths = { year: 12, quarter: 3, month: 1 } as const

type Length = keyof typeof lengths

const pad = (n: number, digits: number) => String(n).padStart(digits, "0")

const dayIn = (month: number, day = "01") => `${pad(Math.floor(month / 12), 4)}-${pad((month % 12) + 1, 2)}-${day}`

const lastDayOf = (month: number): string =>
  dayIn(month, pad(new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate(), 2))

const nameOf = (month: number, by: Length): string => {
  const year = pad(Math.floor(month / 12), 4)
  if (by === "year") return year
  return by === "quarter" ? `${year}-Q${Math.floor((month % 12) / 3) + 1}` : `${year}-${pad((month % 12) + 1, 2)}`
}

/** The sum of the months of a period that begins with this month. */
const sumOf = (months: ByMonth, first: number, by: Length): number => {
  let sum = 0
  for (let month = first; month < first + lengths[by]; month++) sum += months.get(month) ?? 0
  return sum
}

/** The first months of the periods from the first month that has any to the last. */
const startsOf = (months: ByMonth, by: Length): ReadonlyArray<number> => {
  if (months.size === 0) return []
  const period = lengths[by]
  const first = Math.floor(Math.min(...months.keys()) / period)
  const last = Math.floor(Math.max(...months.keys()) / period)
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * period)
}

/** Meetings of one line, narrowed to a body or to those of a place. */
interface Group {
  readonly named: { readonly agency?: Named; readonly place?: Named }
  readonly bodies: Narrowed["bodies"]
}

interface Named {
  readonly slug: string
  readonly name: string
}

const monthRows = rowsBy(Schema.Struct({ month: Schema.Finite, n: Schema.Finite }))
const placeNames = rowsBy(Schema.Struct({ slug: Schema.String, name: Schema.String }))

/** The most-matched of some groups, the most first. */
const most = <A>(totals: Iterable<readonly [A, number]>): ReadonlyArray<A> =>
  [...totals]
    .filter(([, total]) => total > 0)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, mostSeries)
    .map(([one]) => one)

/** A limit that no record has bodies for. */
const everyBody = Number.MAX_SAFE_INTEGER

/** The bodies, or places, whose meetings match most, each with the ids of its bodies that pass every filter. */
const groupsOf = (all: Bodies, { counted, narrowed }: Results, by: "agency" | "place") =>
  Effect.map(counted, ({ groups }): ReadonlyArray<readonly [slug: string, bodies: ReadonlySet<number>]> => {
    const totals = new Map(groups({ offset: 0, limit: everyBody }).part.map(({ body, total }) => [body, total]))
    const sum = (ids: ReadonlySet<number>) => [...ids].reduce((sum, id) => sum + (totals.get(id) ?? 0), 0)
    const fitting = ({ id }: { readonly id: number }) => narrowed.bodies?.has(id) !== false
    const idsOf = (bodies: ReadonlyArray<Bodies["list"][number]>) => new Set(bodies.filter(fitting).map(({ id }) => id))
    const sets =
      by === "agency"
        ? all.list.map((body) => [body.slug, idsOf([body])] as const)
        : [...all.byPlace].map(([slug, at]) => [slug, idsOf(at.flatMap((one) => all.list[one] ?? []))] as const)
    return most(sets.map((set) => [set, sum(set[1])] as const))
  })

/** How often searches match over time (`/api/trends`). */
export class Trends extends Context.Service<
  Trends,
  {
    /**
     * The meetings that match each search, by period, beside all meetings held: exact, as browse counts them with
     * `exact=1`. With `group`, of the bodies or places with the most matches. Fails where a search costs too much, and
     * where the periods are too many to show.
     */
    readonly read: (query: TrendsQuery) => Effect.Effect<TrendsFound, SearchOverBudget | SearchesBusy | UnfitParameter>
  }
>()("civic-record/Trends") {
  static readonly layer = Layer.effect(
    Trends,
    Effect.gen(function* () {
      const db = yield* ReadDb
      const browse = yield* Browse
      const directory = yield* BodyDirectory

      /** The words spoken at meetings of some results, by month. Of two versions readers see the refined one. */
      const spokenIn = Effect.fnUntraced(function* ({ found, narrowed }: Results, bodies: Narrowed["bodies"]) {
        const ids = yield* found.selected({ ...narrowed, bodies })
        const rows = yield* monthRows(db`
          select (12 * extract(year from m.date) + extract(month from m.date) - 1)::int as month,
            sum(t.word_count)::float8 as n
          from (${ids}) fit join meeting m on m.id = fit.id
          join lateral (
            select word_count from published_transcript p where p.meeting_id = m.id order by p.version desc limit 1
          ) t on true
          where ${bodies === undefined ? db`true` : db`m.body_id = any(${[...bodies]}::int[])`} group by 1`)
        return new Map(rows.map(({ month, n }) => [month, n])) satisfies ByMonth
      })

      const named = Effect.fnUntraced(function* (by: "agency" | "place", slugs: ReadonlyArray<string>, all: Bodies) {
        const rows =
          by === "place"
            ? yield* placeNames(db`select slug, name from place where slug = any(${slugs}::text[])`)
            : slugs.flatMap((slug) => all.list[all.bySlug.get(slug) ?? -1] ?? [])
        return new Map(rows.map(({ slug, name }) => [slug, { slug, name }]))
      })

      const read = Effect.fn("Trends.read")(function* (query: TrendsQuery) {
        const { q: searches, by = "year", measure = "meetings", group, ...filters } = query
        const excess = searches.map(excessOf).find((one) => one !== undefined)
        if (excess !== undefined) return yield* new SearchOverBudget({ excess })
        if (group !== undefined && searches.length > 1) {
          return yield* new UnfitParameter({
            field: "group",
            why: "goes with one q, whose bodies or places it compares",
            instead: "Leave out group, or all but one q."
          })
        }
        const today = DateTime.formatIsoDateUtc(yield* DateTime.now)
        const counted = yield* browse.compared(filters, (held, search) =>
          Effect.gen(function* () {
            const meetings = yield* held.found.months(held.narrowed)
            const starts = startsOf(meetings, by)
            if (starts.length > mostPeriods) return { tooMany: starts.length }
            const withWords = yield* search({ ...filters, has: [...(filters.has ?? []), "transcript"] })
            const spoken = yield* withWords.found.months(withWords.narrowed)
            const lines = yield* Effect.forEach(searches, (q) =>
              Effect.map(search({ ...filters, q }), (results) => ({ q, results }))
            )
            const [first] = lines
            const all = yield* directory.current(db)
            const groups: ReadonlyArray<Group> =
              group === undefined || first === undefined
                ? [{ named: {}, bodies: held.narrowed.bodies }]
                : yield* Effect.gen(function* () {
                    const sets = yield* groupsOf(all, first.results, group)
                    const names = yield* named(
                      group,
                      sets.map(([slug]) => slug),
                      all
                    )
                    return sets.map(([slug, bodies]) => ({ named: given(group, names.get(slug)), bodies }))
                  })
            const wholes = yield* Effect.forEach(groups, ({ named, bodies }) =>
              Effect.gen(function* () {
                const own = group === undefined ? meetings : yield* held.found.months({ ...held.narrowed, bodies })
                const words = measure === "per_million_words" ? yield* spokenIn(held, bodies) : undefined
                return { named, bodies, own, words }
              })
            )
            const series = yield* Effect.forEach(
              wholes.flatMap((whole) => lines.map((line) => ({ ...line, ...whole }))),
              ({ q, results, named, bodies, own, words }) =>
                Effect.gen(function* () {
                  const matching = yield* results.found.months({ ...results.narrowed, bodies })
                  const points = starts.map((first): TrendPoint => {
                    const [count, meetings] = [sumOf(matching, first, by), sumOf(own, first, by)]
                    const whole = words === undefined ? meetings : sumOf(words, first, by) / 1_000_000
                    const value = measure === "meetings" ? count : whole === 0 ? undefined : count / whole
                    return { count, meetings, ...given("value", value) }
                  })
                  return { q, ...named, total: points.reduce((sum, { count }) => sum + count, 0), points }
                })
            )
            return { meetings, spoken, starts, series }
          })
        )
        if ("tooMany" in counted) {
          return yield* new UnfitParameter({
            field: "by",
            why: `would make ${counted.tooMany} periods, and a trend has at most ${mostPeriods}`,
            instead: "Choose longer periods, or send date_from and date_to."
          })
        }
        const { meetings, spoken, starts, series } = counted
        const { date_from = "0001-01-01", date_to = "9999-12-31" } = filters
        const periods = starts.map((first) => {
          const [begin, end] = [dayIn(first), lastDayOf(first + lengths[by] - 1)]
          const [from, to] = [begin < date_from ? date_from : begin, end > date_to ? date_to : end]
          const [all, with_transcript] = [sumOf(meetings, first, by), sumOf(spoken, first, by)]
          const complete = to < today && all > 0 && 2 * with_transcript >= all
          return { period: nameOf(first, by), from, to, meetings: all, with_transcript, complete }
        })
        return { by, measure, periods, series }
      })
      return { read }
    })
  ).pipe(Layer.provide(BodyDirectory.layer))
}
