import { Effect } from "effect"
import type { ReadSql } from "../../../../layers/db/db.ts"
import type { Segment } from "../../../../schema/transcript.ts"
import type { Phrase, SpokenPassage } from "../../../search-engine/types.ts"
import { overlapWords, passageWords, wordCount } from "../../meetings/passages.ts"
import { mostCounted } from "../found/found.ts"
import { asTsqueries } from "../query/search-sql.ts"
import { readRow } from "../query/tsquery.ts"

/** What of a quote tells where it was said. */
export interface Telling {
  /** How much it says that a lexeme is said, by lexeme: much if few meetings have it. */
  readonly worth: ReadonlyMap<string, number>
  /** The same lexemes at their positions in the quote. */
  readonly row: Phrase
}

/** The most words of a quote, the rarest, by which it is told where it was said. */
const mostTelling = 12

/** The lexemes of the rarest words of a quote. */
export const tellingIn = Effect.fnUntraced(function* (
  db: ReadSql,
  text: string,
  rarest: ReadonlyArray<{ word: string; count: number }>
) {
  const known = rarest.slice(0, mostTelling)
  const [whole, ...rows] = yield* asTsqueries(db, [text, ...known.map(({ word }) => word)])
  const worth = new Map(
    rows.flatMap(({ every }, at) =>
      (readRow(every) ?? []).map(({ lexeme }) => {
        const count = known[at]?.count ?? 1
        return [lexeme, Math.log(2 * mostCounted) - Math.log(Math.min(count, mostCounted))] as const
      })
    )
  )
  const row = (readRow(whole?.in_row ?? "") ?? []).filter(({ lexeme }) => worth.has(lexeme))
  return { worth, row } satisfies Telling
})

/** A place in a transcript, by its passage, and what is said there and in the passage after it. */
export interface LikelyPlace {
  readonly passage: number
  readonly score: number
}

/** The most places of a meeting that are compared with a quote word for word. */
const mostPlaces = 3

/** The lexemes of a row that are followed by the next one as far behind as in the row. */
const followed = (row: Phrase, { positions }: SpokenPassage): ReadonlyArray<string> =>
  row.flatMap(({ lexeme, at }, place) => {
    const next = row[place + 1]
    const after = new Set(next === undefined ? [] : positions.get(next.lexeme))
    const isFollowed = positions.get(lexeme)?.some((position) => after.has(position + (next?.at ?? at) - at))
    return isFollowed === true ? [lexeme] : []
  })

/**
 * Where most of a quote's lexemes are said near each other, likeliest first. That they follow each other as in the
 * quote counts too, for some words are said all the time.
 */
export const likelyPlaces = (
  passages: ReadonlyArray<SpokenPassage>,
  { worth, row }: Telling
): ReadonlyArray<LikelyPlace> => {
  const sum = (lexemes: Iterable<string>) =>
    Iterator.from(lexemes).reduce((total, lexeme) => total + (worth.get(lexeme) ?? 0), 0)
  const rows = passages.map((passage) => followed(row, passage))
  const places = passages.map(({ passage, positions }, at): LikelyPlace => {
    const next = passages[at + 1]
    const isNext = next?.passage === passage + 1
    const own = new Set([...positions.keys(), ...(isNext ? next.positions.keys() : [])])
    const inRow = new Set([...(rows[at] ?? []), ...(isNext ? (rows[at + 1] ?? []) : [])])
    return { passage, score: sum(own) + sum(inRow) }
  })
  const chosen: Array<LikelyPlace> = []
  for (const place of places.toSorted((a, b) => b.score - a.score)) {
    if (chosen.length >= mostPlaces) break
    // Its neighbors are read with it.
    if (chosen.every(({ passage }) => Math.abs(passage - place.passage) > 1)) chosen.push(place)
  }
  return chosen
}

/** The segments with a passage, the one before it and the two after it: a quote may run on. */
export const segmentsAround = (segments: ReadonlyArray<Segment>, passage: number): ReadonlyArray<Segment> => {
  const [from, to] = [(passage - 1) * passageWords - overlapWords, (passage + 3) * passageWords]
  let before = 0
  return segments.filter((segment) => {
    const starts = before
    before += wordCount([segment])
    return before > from && starts < to
  })
}
