import { Effect, Option } from "effect"
import type { SqlError } from "effect/sql"
import type { ReadSql } from "../../../../layers/db/db.ts"
import { type Conjunction as Asked, firstDayOf, type Scope } from "../../../../schema/search-query.ts"
import type { Conjunction, IndexQuery, Phrase } from "../../../search-engine/types.ts"
import type { Wanted } from "../found/found.ts"
import { bodiesAt, bodiesNamed, isListed, listedBy, maySplit } from "../query/search-sql.ts"
import type { Terms, TermsOf } from "./terms.ts"

/** The words of a query at their positions: a stop word leaves a gap, and so does one that was let go. */
const layoutOf = (texts: ReadonlyArray<Terms>): Phrase => {
  let end = 0
  return texts.flatMap(({ phrase }) => {
    const begin = end
    end += Math.max(1, ...phrase.map(({ at }) => at))
    return phrase.map(({ lexeme, at }) => ({ lexeme, at: begin + at }))
  })
}

const isSeveral = ({ phrase }: Terms) => phrase.length > 1

/** A date as the number of days since 2000-01-01, as in PostgreSQL. */
const dayOf = (date: string): number => Date.parse(date) / 86_400_000 - 10_957

const latest = (days: ReadonlyArray<number>) => (days.length === 0 ? {} : { fromDay: Math.max(...days) })
const earliest = (days: ReadonlyArray<number>) => (days.length === 0 ? {} : { beforeDay: Math.min(...days) })

/** The days accepted by all of these scopes and filters. */
const daysOf = (scopes: ReadonlyArray<Scope>, { filters }: Wanted): Pick<Conjunction, "fromDay" | "beforeDay"> => {
  const inScope = (name: "before" | "after", negated: boolean) =>
    scopes
      .filter((scope) => scope.name === name && scope.negated === negated)
      .map(({ text }) => dayOf(firstDayOf(text) ?? ""))
  const days = filters.flatMap((filter) =>
    filter.of === "meeting" && filter.inIndex.by === "days" ? [filter.inIndex.days] : []
  )
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

/** The marks that the filters require. */
const marksIn = ({ filters }: Wanted): ReadonlyArray<string> =>
  filters.flatMap((filter) => (filter.of === "meeting" && filter.inIndex.by === "marks" ? filter.inIndex.marks : []))

/** A flag for each body key: whether the body passes every one of these scopes. */
const bodiesIn = Effect.fnUntraced(function* (db: ReadSql, scopes: ReadonlyArray<Scope>, keys: ReadonlyArray<number>) {
  const asked = scopes.filter(({ name }) => name === "body" || name === "place")
  if (asked.length === 0) return {}
  const bodies = new Uint8Array(keys.length).fill(1)
  for (const { name, text, negated } of asked) {
    const named = new Set((yield* (name === "body" ? bodiesNamed : bodiesAt)(db, text)).map(({ id }) => id))
    for (const [key, body] of keys.entries()) if (named.has(body) === negated) bodies[key] = 0
  }
  return { bodies }
})

/** The meetings required by filters and scopes, and those excluded by scopes. */
const idsIn = Effect.fnUntraced(function* (
  db: ReadSql,
  scopes: ReadonlyArray<Scope>,
  listed: ReadonlyArray<ReadonlyArray<string>>
) {
  const asked = scopes.flatMap(({ name, text, negated }) =>
    isListed(name) ? [{ negated, of: listedBy[name](db, text) }] : []
  )
  const lists = yield* Effect.forEach(asked, ({ negated, of }) =>
    Effect.map(of, (rows) => ({ negated, ids: rows.map(({ id }) => id) }))
  )
  const [ids = [], notIds = []] = [false, true].map((negated) =>
    lists.filter((list) => list.negated === negated).map(({ ids }) => ids)
  )
  return { ids: [...listed, ...ids], notIds }
})

/** The most meetings listed for a filter. */
const mostListed = 5000

/** The meetings that pass each filter by list; none if there are too many, or a filter is one for SQL. */
const listsOf = Effect.fnUntraced(function* (db: ReadSql, { filters }: Wanted) {
  const lists: Array<ReadonlyArray<string>> = []
  for (const filter of filters) {
    if (filter.of !== "meeting") continue
    if (filter.inIndex.by === "sql") return Option.none()
    if (filter.inIndex.by !== "list") continue
    const rows = yield* db<{ id: string }>`
      select m.id from meeting m where m.status = 'held' and ${filter.condition(db)} limit ${mostListed + 1}`
    if (rows.length > mostListed) return Option.none()
    lists.push(rows.map(({ id }) => id))
  }
  return Option.some(lists)
})

/**
 * A search as a query for the index. None if only SQL can express it: a filter that would list too many meetings, or
 * words that PostgreSQL parses as more than lexemes.
 */
export const indexQuery = Effect.fn("SearchIndex.query")(function* (
  db: ReadSql,
  termsOf: TermsOf,
  keys: ReadonlyArray<number>,
  wanted: Wanted
): Effect.fn.Return<Option.Option<IndexQuery>, SqlError.SqlError> {
  const { search } = wanted
  const listed = yield* listsOf(db, wanted)
  if (Option.isNone(listed)) return Option.none()
  const marks = marksIn(wanted)
  if (search === undefined) return Option.some({ either: [{ marks, ...daysOf([], wanted), ids: listed.value }] })

  const termsOfAll = (texts: ReadonlyArray<string>) => Option.all(texts.map(termsOf))
  const conjunctionOf = Effect.fnUntraced(function* ({
    words,
    phrases,
    notWords,
    notPhrases,
    scopes,
    helpful = [],
    typed
  }: Asked) {
    const [all, laid, split, rows, not, notRows] = [
      termsOfAll([...words, ...phrases]),
      termsOfAll([...(typed ?? words), ...phrases]),
      termsOfAll(words.filter(maySplit)),
      termsOfAll(phrases),
      termsOfAll(notWords),
      termsOfAll(notPhrases)
    ]
    const narrowed = {
      marks,
      ...daysOf(scopes, wanted),
      ...(yield* bodiesIn(db, scopes, keys)),
      ...(yield* idsIn(db, scopes, listed.value))
    }
    return Option.map(Option.all([all, laid, split, rows, not, notRows]), (terms): Conjunction => {
      const [all, laid, split, rows, not, notRows] = terms
      const lexemes = new Set(all.flatMap(({ lexemes }) => lexemes))
      // A word that PostgreSQL parses as several is required, or excluded, as a phrase.
      const [notSplit, notWhole] = [not.filter(isSeveral), not.filter((terms) => !isSeveral(terms))]
      return {
        ...narrowed,
        helpful: helpful.flatMap((word) =>
          Option.match(termsOf(word), { onNone: () => [], onSome: ({ lexemes }) => lexemes })
        ),
        ...(all.length === 0
          ? {}
          : { lexemes: [...lexemes], layout: layoutOf(laid).filter(({ lexeme }) => lexemes.has(lexeme)) }),
        phrases: [...split.filter(isSeveral), ...rows].map(({ phrase }) => phrase),
        notWords: notWhole.map(({ lexemes }) => lexemes),
        notPhrases: [...notSplit, ...notRows].map(({ phrase }) => phrase)
      }
    })
  })
  return Option.map(Option.all(yield* Effect.forEach(search.either, conjunctionOf)), (either) => ({ either }))
})
