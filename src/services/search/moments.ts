import type { Phrase } from "../../search-engine/types.ts"

/** A lexeme in a passage of transcript, with its positions and the second at which each of them is said. */
export type Said = readonly [lexeme: string, positions: ReadonlyArray<number>, seconds: ReadonlyArray<number>]

/** The address of a moment, which carries the words that were searched for. */
export const momentPath = (path: string, start: number, words: string): string =>
  `${path}?${new URLSearchParams({ t: String(Math.floor(start)), ...(words === "" ? {} : { q: words }) })}`

/** The positions at which a word or phrase begins. */
export const occurrences = (
  positions: ReadonlyMap<string, ReadonlySet<number>>,
  phrase: Phrase
): ReadonlyArray<number> => {
  const [first] = phrase
  if (first === undefined) return []
  return [...(positions.get(first.lexeme) ?? [])].filter((position) =>
    phrase.every(({ lexeme, at }) => positions.get(lexeme)?.has(position + at - first.at))
  )
}

/** Where in a passage a query is said. */
export interface SaidAt {
  /** In seconds. */
  readonly second: number
  /** Which of the passage's words of the query it begins with, from 0. */
  readonly nth: number
  /** The same of the last of its words and phrases. */
  readonly last: number
}

/** The positions at which the first and the last word or phrase of what is said begin. */
const spanOf = (
  positions: ReadonlyMap<string, ReadonlySet<number>>,
  phrases: ReadonlyArray<Phrase>,
  rows: ReadonlyArray<Phrase>
): { readonly from: number; readonly to: number } | undefined => {
  const inRow = rows.flatMap((row) => occurrences(positions, row))
  if (inRow.length > 0) return { from: Math.min(...inRow), to: Math.min(...inRow) }
  const found = phrases.map((phrase) => occurrences(positions, phrase)).filter((starts) => starts.length > 0)
  const windows = found.flat().map((from) => {
    const firsts = found.map((starts) =>
      Math.min(...starts.filter((position) => position >= from), Number.POSITIVE_INFINITY)
    )
    return { from, length: Math.max(...firsts) - from }
  })
  const [best] = windows.toSorted((a, b) => a.length - b.length || a.from - b.from)
  return best === undefined ? undefined : { from: best.from, to: best.from + best.length }
}

/**
 * Where a query is said in a passage: where one of `rows`, the query as typed, begins; else where the phrase or word
 * begins or, for several, where the shortest window with all of them begins. Undefined if none of the lexemes is said.
 */
export const saidAt = (
  said: ReadonlyArray<Said>,
  phrases: ReadonlyArray<Phrase>,
  rows: ReadonlyArray<Phrase>
): SaidAt | undefined => {
  const positions = new Map(said.map(([lexeme, at]) => [lexeme, new Set(at)]))
  const seconds = new Map(said.flatMap(([, at, seconds]) => at.map((position, n) => [position, seconds[n]])))
  const all = [...seconds.keys()].toSorted((a, b) => a - b)
  const first = all[0] ?? 0
  const { from, to } = spanOf(positions, phrases, rows) ?? { from: first, to: first }
  const second = seconds.get(from)
  return second === undefined ? undefined : { second, nth: all.indexOf(from), last: all.indexOf(to) }
}
