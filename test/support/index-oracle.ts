import type {
  Conjunction,
  GroupsRequest,
  IndexQuery,
  Narrowing,
  PageRequest,
  Phrase
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

const hasPhrase = ({ named, passages }: IndexRow, phrase: Phrase) =>
  [named, ...passages].some((words) => standsIn(words, phrase))

const hasAll = ({ document }: IndexRow, lexemes: ReadonlyArray<string>) =>
  lexemes.length > 0 && lexemes.every((lexeme) => document.has(lexeme))

/** A conjunction as SQL reads it, row by row. */
const fits = (row: IndexRow, asked: Conjunction): boolean =>
  (asked.lexemes === undefined || hasAll(row, asked.lexemes)) &&
  (asked.marks ?? []).every((mark) => row.document.has(mark)) &&
  (asked.phrases ?? []).every((phrase) => hasPhrase(row, phrase)) &&
  !(asked.notWords ?? []).some((word) => hasAll(row, word)) &&
  !(asked.notPhrases ?? []).some((phrase) => hasPhrase(row, phrase)) &&
  (asked.bodies === undefined || asked.bodies[row.body] === 1) &&
  (asked.fromDay === undefined || row.day >= asked.fromDay) &&
  (asked.beforeDay === undefined || row.day < asked.beforeDay) &&
  (asked.ids ?? []).every((ids) => ids.includes(row.id)) &&
  !(asked.notIds ?? []).some((ids) => ids.includes(row.id))

const wantedOf = ({ lexemes = [], phrases = [] }: Conjunction): ReadonlyArray<string> => [
  ...new Set([...lexemes, ...phrases.flat().map(({ lexeme }) => lexeme)])
]

const isKept = (row: IndexRow, { bodies, years }: Narrowing) =>
  (bodies === undefined || bodies[row.body] === 1) && (years === undefined || years.includes(row.year))

const byId = (a: IndexRow, b: IndexRow) => (a.id < b.id ? -1 : 1)

const orders = {
  newest: (a: IndexRow, b: IndexRow) => b.day - a.day || byId(a, b),
  oldest: (a: IndexRow, b: IndexRow) => a.day - b.day || byId(a, b)
}

type InOrder<Request> = Omit<Request, "order"> & { readonly order: keyof typeof orders }

/** What the index has to answer, found by looking at every row. */
export const oracle = (rows: ReadonlyArray<IndexRow>, query: IndexQuery) => {
  const found = rows.filter((row) => query.either.some((asked) => fits(row, asked)))
  return {
    total: found.length,
    ids: new Set(found.map(({ id }) => id)),
    kept: (narrowing: Narrowing) => found.filter((row) => isKept(row, narrowing)),
    /** The passages of each meeting that say any wanted lexeme, from 0 on, by how many words of the best conjunction they lack. */
    passages: (ids: ReadonlyArray<string>) =>
      ids.map((id) => {
        const row = found.find((one) => one.id === id)
        return row?.passages.flatMap((words, passage) => {
          const missing = query.either.map(wantedOf).flatMap((wanted) => {
            const lacking = wanted.filter((lexeme) => !words.has(lexeme)).length
            return lacking === wanted.length ? [] : [lacking]
          })
          return missing.length === 0 ? [] : [{ passage, missing: Math.min(...missing) }]
        })
      }),
    /** `body/year: how many`, of those that are not 0. */
    cells: Object.fromEntries(
      [...Map.groupBy(found, ({ body, year }) => `${body}/${year}`)].map(([cell, rows]) => [cell, rows.length])
    ),
    page: ({ order, offset, limit, ...narrowing }: InOrder<PageRequest>) =>
      found
        .filter((row) => isKept(row, narrowing))
        .toSorted(orders[order])
        .slice(offset, offset + limit)
        .map(({ id }) => id),
    groups: ({ order, groups, perGroup, ...narrowing }: InOrder<GroupsRequest>) => {
      const kept = found.filter((row) => isKept(row, narrowing)).toSorted(orders[order])
      const first = groups.map((body) => kept.filter((row) => row.body === body).slice(0, perGroup))
      return new Map(groups.flatMap((body, i) => (first[i]?.length ? [[body, first[i].map(({ id }) => id)]] : [])))
    }
  }
}
