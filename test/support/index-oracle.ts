import type {
  Conjunction,
  GroupsRequest,
  IndexQuery,
  PageRequest,
  Phrase,
  PostFilter
} from "../../src/search-engine/types.ts"
import type { IndexRow, Vector } from "./copy-rows.ts"

const standsIn = (words: Vector, phrase: Phrase): boolean => {
  const [first, ...others] = phrase
  if (first === undefined) return false
  return (words.get(first.lexeme) ?? []).some(({ position }) =>
    others.every(({ lexeme, at }) =>
      (words.get(lexeme) ?? []).some((other) => other.position === position + at - first.at)
    )
  )
}

const hasPhrase = ({ named, passages, printed }: IndexRow, phrase: Phrase) =>
  [named, ...passages, ...printed].some((words) => standsIn(words, phrase))

const hasAll = ({ document }: IndexRow, lexemes: ReadonlyArray<string>) =>
  lexemes.length > 0 && lexemes.every((lexeme) => document.has(lexeme))

/** A conjunction as SQL reads it, row by row. */
const matches = (row: IndexRow, conjunction: Conjunction): boolean =>
  (conjunction.lexemes === undefined || hasAll(row, conjunction.lexemes)) &&
  (conjunction.marks ?? []).every((mark) => row.document.has(mark)) &&
  (conjunction.phrases ?? []).every((phrase) => hasPhrase(row, phrase)) &&
  !(conjunction.notWords ?? []).some((word) => hasAll(row, word)) &&
  !(conjunction.notPhrases ?? []).some((phrase) => hasPhrase(row, phrase)) &&
  (conjunction.bodies === undefined || conjunction.bodies[row.body] === 1) &&
  (conjunction.fromDay === undefined || row.day >= conjunction.fromDay) &&
  (conjunction.beforeDay === undefined || row.day < conjunction.beforeDay) &&
  (conjunction.ids ?? []).every((ids) => ids.includes(row.id)) &&
  !(conjunction.notIds ?? []).some((ids) => ids.includes(row.id))

const termsOf = ({ lexemes = [], phrases = [] }: Conjunction): ReadonlyArray<string> => [
  ...new Set([...lexemes, ...phrases.flat().map(({ lexeme }) => lexeme)])
]

const passes = (row: IndexRow, { bodies, years }: PostFilter) =>
  (bodies === undefined || bodies[row.body] === 1) && (years === undefined || years.includes(row.year))

const byId = (a: IndexRow, b: IndexRow) => (a.id < b.id ? -1 : 1)

const orders = {
  newest: (a: IndexRow, b: IndexRow) => b.day - a.day || byId(a, b),
  oldest: (a: IndexRow, b: IndexRow) => a.day - b.day || byId(a, b)
}

type InOrder<Request> = Omit<Request, "order"> & { readonly order: keyof typeof orders }

/** The answers expected of the index, by a scan of every row. */
export const oracle = (rows: ReadonlyArray<IndexRow>, query: IndexQuery) => {
  const found = rows.filter((row) => query.either.some((conjunction) => matches(row, conjunction)))
  return {
    total: found.length,
    ids: new Set(found.map(({ id }) => id)),
    passing: (filter: PostFilter) => found.filter((row) => passes(row, filter)),
    /**
     * The passages, or printed ones, of each meeting that contain any query term, from 0 on, with how many terms of the
     * best conjunction they lack.
     */
    passages: (of: "passages" | "printed", ids: ReadonlyArray<string>) =>
      ids.map((id) => {
        const row = found.find((one) => one.id === id)
        return row?.[of].flatMap((words, passage) => {
          const missing = query.either.map(termsOf).flatMap((terms) => {
            const lacking = terms.filter((lexeme) => !words.has(lexeme)).length
            return lacking === terms.length ? [] : [lacking]
          })
          return missing.length === 0 ? [] : [{ passage, missing: Math.min(...missing) }]
        })
      }),
    /** `body/year: count`, of those that are not 0. */
    counts: Object.fromEntries(
      [...Map.groupBy(found, ({ body, year }) => `${body}/${year}`)].map(([cell, rows]) => [cell, rows.length])
    ),
    page: ({ order, offset, limit, ...filter }: InOrder<PageRequest>) =>
      found
        .filter((row) => passes(row, filter))
        .toSorted(orders[order])
        .slice(offset, offset + limit)
        .map(({ id }) => id),
    groups: ({ order, groups, perGroup, ...filter }: InOrder<GroupsRequest>) => {
      const passing = found.filter((row) => passes(row, filter)).toSorted(orders[order])
      const first = groups.map((body) => passing.filter((row) => row.body === body).slice(0, perGroup))
      return new Map(groups.flatMap((body, i) => (first[i]?.length ? [[body, first[i].map(({ id }) => id)]] : [])))
    }
  }
}
