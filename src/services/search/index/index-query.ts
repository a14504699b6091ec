import { Cache, Duration, Effect, Exit, Option } from "effect"
import type { SqlError } from "effect/sql"
import type { Sql } from "../../../../layers/db.ts"
import type { Conjunction, IndexQuery, Phrase } from "../../../../layers/search-index/types.ts"
import { type Conjunction as Asked, firstDayOf, type Scope } from "../../../../schema/search-query.ts"
import type { Wanted } from "../found.ts"
import { asTsqueries, bodiesAt, bodiesNamed, maySplit, spokenBy } from "../search-sql.ts"
import { readRow } from "../tsquery.ts"

/** What PostgreSQL makes of a word or phrase: its lexemes, and the same in a row. */
interface Terms {
  readonly lexemes: ReadonlyArray<string>
  readonly phrase: Phrase
}

const termsOf = ({ every, in_row }: { every: string; in_row: string }): Option.Option<Terms> => {
  const [all, phrase] = [readRow(every), readRow(in_row)]
  // A row that is joined by `&` is none.
  if (all === undefined || phrase === undefined || in_row.includes(" & ")) return Option.none()
  return Option.some({ lexemes: all.map(({ lexeme }) => lexeme), phrase })
}

/** The wanted words one after another as they stand in the query: a stop word leaves a gap. */
const layoutOf = (texts: ReadonlyArray<Terms>): Phrase => {
  let end = 0
  return texts.flatMap(({ phrase }) => {
    const begin = end
    end += Math.max(1, ...phrase.map(({ at }) => at))
    return phrase.map(({ lexeme, at }) => ({ lexeme, at: begin + at }))
  })
}

const isSeveral = ({ phrase }: Terms) => phrase.length > 1

/** How many words and phrases are remembered. */
const mostTerms = 20_000

/** Texts as PostgreSQL reads them; it is asked once for each. */
export const makeTerms = (db: Sql) =>
  Cache.makeWith(
    (text: string) => Effect.map(asTsqueries(db, text), ([row]) => Option.flatMap(Option.fromNullishOr(row), termsOf)),
    { capacity: mostTerms, timeToLive: (exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero) }
  )

/** The day of a date, counted from 2000-01-01 as PostgreSQL counts. */
const dayOf = (date: string): number => Date.parse(date) / 86_400_000 - 10_957

const latest = (days: ReadonlyArray<number>) => (days.length === 0 ? {} : { fromDay: Math.max(...days) })
const earliest = (days: ReadonlyArray<number>) => (days.length === 0 ? {} : { beforeDay: Math.min(...days) })

/** The days that all of these scopes and filters let through. */
const daysOf = (scopes: ReadonlyArray<Scope>, { filters }: Wanted): Pick<Conjunction, "fromDay" | "beforeDay"> => {
  const inScope = (name: "before" | "after", negated: boolean) =>
    scopes
      .filter((scope) => scope.name === name && scope.negated === negated)
      .map(({ text }) => dayOf(firstDayOf(text) ?? ""))
  const days = filters.flatMap((filter) => (filter.of === "meeting" && filter.days !== undefined ? [filter.days] : []))
  return {
    ...latest([
      ...inScope("after", false),
      ...inScope("before", true),
      ...days.flatMap(({ from }) => (from === undefined ? [] : [dayOf(from)]))
    ]),
    ...earliest([
      ...inScope("before", false),
      ...inScope("after", true),
      ...days.flatMap(({ to }) => (to === undefined ? [] : [dayOf(to) + 1]))
    ])
  }
}

/** A flag for each body key: whether the body fits every one of these scopes. */
const bodiesIn = Effect.fnUntraced(function* (db: Sql, scopes: ReadonlyArray<Scope>, keys: ReadonlyArray<number>) {
  const asked = scopes.filter(({ name }) => name === "body" || name === "place")
  if (asked.length === 0) return {}
  const bodies = new Uint8Array(keys.length).fill(1)
  for (const { name, text, negated } of asked) {
    const named = new Set((yield* (name === "body" ? bodiesNamed : bodiesAt)(db, text)).map(({ id }) => id))
    for (const [key, body] of keys.entries()) if (named.has(body) === negated) bodies[key] = 0
  }
  return { bodies }
})

/** The meetings that speakers narrow it to, and those that they exclude. */
const idsIn = Effect.fnUntraced(function* (db: Sql, scopes: ReadonlyArray<Scope>) {
  const asked = scopes.filter(({ name }) => name === "speaker")
  const lists = yield* Effect.forEach(asked, ({ text, negated }) =>
    Effect.map(spokenBy(db, text), (rows) => ({ negated, ids: rows.map(({ id }) => id) }))
  )
  const [ids, notIds] = [false, true].map((negated) =>
    lists.filter((list) => list.negated === negated).map(({ ids }) => ids)
  )
  return {
    ...(ids === undefined || ids.length === 0 ? {} : { ids }),
    ...(notIds === undefined || notIds.length === 0 ? {} : { notIds })
  }
})

/**
 * What is wanted, as the index is asked for it. None if only SQL knows it: a filter on meetings other than by their days,
 * or a query that PostgreSQL reads as more than lexemes.
 */
export const indexQuery = Effect.fn("SearchIndex.query")(function* (
  db: Sql,
  terms: Effect.Success<ReturnType<typeof makeTerms>>,
  keys: ReadonlyArray<number>,
  wanted: Wanted
): Effect.fn.Return<Option.Option<IndexQuery>, SqlError.SqlError> {
  const { filters, search } = wanted
  if (filters.some((filter) => filter.of === "meeting" && filter.days === undefined)) {
    return Option.none()
  }
  if (search === undefined) return Option.some({ either: [daysOf([], wanted)] })

  const termsOfAll = (texts: ReadonlyArray<string>) =>
    Effect.map(
      Effect.forEach(texts, (text) => Cache.get(terms, text)),
      (each) => Option.all(each)
    )
  const conjunctionOf = Effect.fnUntraced(function* ({ words, phrases, notWords, notPhrases, scopes }: Asked) {
    const [all, split, rows, not, notRows] = [
      yield* termsOfAll([...words, ...phrases]),
      yield* termsOfAll(words.filter(maySplit)),
      yield* termsOfAll(phrases),
      yield* termsOfAll(notWords),
      yield* termsOfAll(notPhrases)
    ]
    const narrowed = {
      ...daysOf(scopes, wanted),
      ...(yield* bodiesIn(db, scopes, keys)),
      ...(yield* idsIn(db, scopes))
    }
    return Option.map(Option.all([all, split, rows, not, notRows]), ([all, split, rows, not, notRows]): Conjunction => {
      // A word that PostgreSQL reads as several is looked for, or not wanted, as they stand in a row.
      const [notSplit, notWhole] = [not.filter(isSeveral), not.filter((terms) => !isSeveral(terms))]
      return {
        ...narrowed,
        ...(all.length === 0 ? {} : { lexemes: all.flatMap(({ lexemes }) => lexemes), layout: layoutOf(all) }),
        phrases: [...split.filter(isSeveral), ...rows].map(({ phrase }) => phrase),
        notWords: notWhole.map(({ lexemes }) => lexemes),
        notPhrases: [...notSplit, ...notRows].map(({ phrase }) => phrase)
      }
    })
  })
  return Option.map(Option.all(yield* Effect.forEach(search.either, conjunctionOf)), (either) => ({ either }))
})
