import type { Phrase } from "../../../search-engine/types.ts"
import { overlapWords } from "../../meetings/passages.ts"

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

/** The most words by which words may have been inserted or lost between what is typed and what was said. */
const drift = 3

const manyWords = 9

/**
 * Where a row of at least three words begins that was said nearly so: the place from which most of its words are about
 * where the row has them. Undefined unless half of them are.
 */
const nearlyFrom = (positions: ReadonlyMap<string, ReadonlySet<number>>, row: Phrase): number | undefined => {
  if (row.length < 3) return undefined
  const begins = row.flatMap(({ lexeme, at }) =>
    [...(positions.get(lexeme) ?? [])].map((position) => position - at + 1)
  )
  const fits = (begin: number) =>
    row.map(({ lexeme, at }) =>
      Math.min(...[...(positions.get(lexeme) ?? [])].map((position) => Math.abs(position - at + 1 - begin)), drift + 1)
    )
  const [best] = [...new Set(begins)]
    .map((begin) => {
      const away = fits(begin)
      return { begin, inPlace: away.filter((by) => by <= drift).length, away: away.reduce((sum, by) => sum + by, 0) }
    })
    .toSorted((a, b) => b.inPlace - a.inPlace || a.away - b.away || a.begin - b.begin)
  const fewest = row.length < manyWords ? row.length / 2 : row.length / 3
  return best === undefined || best.inPlace < Math.max(2, fewest) ? undefined : best.begin
}

/** The second of a position, from 1; the words of the passage before end with those that both have. */
const secondAt = (
  position: number,
  { here, earlier }: { readonly here: ReadonlyArray<number>; readonly earlier: ReadonlyArray<number> }
): number | undefined =>
  position > 0 ? here[position - 1] : (earlier[Math.max(0, earlier.length - overlapWords + position - 1)] ?? here[0])

/**
 * Where a query is said in a passage: where one of `rows`, the query as typed, begins, stop words included; else where
 * the phrase or word begins or, for several, where the shortest window with all of them begins. A row that was said
 * nearly so counts if the second of each word (`seconds`) is given, here and in the passage before, where a long one
 * may
 * have begun. Undefined if none of the lexemes is said.
 */
export const saidAt = (
  said: ReadonlyArray<Said>,
  phrases: ReadonlyArray<Phrase>,
  rows: ReadonlyArray<Phrase>,
  seconds?: { readonly here: ReadonlyArray<number>; readonly earlier: ReadonlyArray<number> }
): SaidAt | undefined => {
  const positions = new Map(said.map(([lexeme, at]) => [lexeme, new Set(at)]))
  const known = new Map(said.flatMap(([, at, seconds]) => at.map((position, n) => [position, seconds[n]])))
  const all = [...known.keys()].toSorted((a, b) => a - b)
  const first = all[0] ?? 0
  const { from, to } = spanOf(positions, phrases, rows) ?? { from: first, to: first }
  const starts = rows.flatMap((row) => occurrences(positions, row).map((position) => position - (row[0]?.at ?? 1) + 1))
  const begin = starts.length > 0 ? Math.min(...starts) : rows.map((row) => nearlyFrom(positions, row))[0]
  const second =
    (begin === undefined || seconds === undefined ? undefined : secondAt(begin, seconds)) ?? known.get(from)
  const nth = begin === undefined || seconds === undefined ? from : (all.find((at) => at >= begin) ?? from)
  return second === undefined ? undefined : { second, nth: all.indexOf(nth), last: all.indexOf(Math.max(nth, to)) }
}
