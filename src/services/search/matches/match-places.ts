import { Schema, Struct } from "effect"
import { roundSeconds } from "../../../../schema/primitives.ts"
import type { Phrase } from "../../../search-engine/types.ts"
import { given } from "../../wire.ts"
import { saidAt } from "./moments.ts"
import type { Moment } from "./snippets.ts"

const Numbers = Schema.Array(Schema.Finite)

/** A place in a meeting where a query matches. */
export const MatchRow = Schema.Struct({
  id: Schema.String,
  field: Schema.Literals(["title", "body", "agenda", "chapter", "clip", "briefing", "speaker", "transcript"]),
  /** Null if the words are in gated text. */
  snippet: Schema.NullOr(Schema.String),
  start: Schema.NullOr(Schema.Finite),
  /** The passage of a transcript, from 1. */
  passage: Schema.NullOr(Schema.Finite),
  /** The query's lexemes in it. */
  said: Schema.NullOr(Schema.Array(Schema.Tuple([Schema.String, Numbers, Numbers]))),
  /** The second at which each word of the meeting's best passage is said, and of the passage before it. */
  seconds: Schema.NullOr(Numbers),
  earlier: Schema.NullOr(Numbers),
  /**
   * Whether it has a query of several words letter for letter or, if none of it is quoted, names all of them. Null if
   * the text that might have them is hidden.
   */
  is_typed: Schema.NullOr(Schema.Boolean),
  /** The words and phrases of the query, each as a tsquery. */
  phrases: Schema.Array(Schema.String),
  /** The words as typed, in a row, and how many stop words each begins with. */
  rows: Schema.Array(Schema.String),
  leads: Numbers
})
export interface MatchRow extends Schema.Schema.Type<typeof MatchRow> {}

/** The words and phrases of the query, and its words as typed, in a row. */
export interface Asked {
  readonly phrases: ReadonlyArray<Phrase>
  readonly rows: ReadonlyArray<Phrase>
  /** As they stand in the address of a moment; empty if nothing is wanted but names and days. */
  readonly words: string
}

/** The most matches per field, in the order in which they are listed; pages of documents come last. */
export const mostOf = {
  title: 1,
  body: 1,
  agenda: 2,
  chapter: 2,
  clip: 2,
  briefing: 1,
  speaker: 1,
  transcript: 3
} as const

/** A match before it is known what is said there. */
interface Place {
  readonly field: MatchRow["field"]
  readonly snippet?: string
  readonly start?: number
  /** Of a match in a transcript. */
  readonly said?: Moment
}

const placeOf = (
  { id, field, snippet, start, passage, said, seconds, earlier }: MatchRow,
  { phrases, rows }: Asked
): Place => {
  const at =
    said === null
      ? undefined
      : saidAt(said, phrases, rows, seconds === null ? undefined : { here: seconds, earlier: earlier ?? [] })
  const second = at?.second ?? start ?? undefined
  if (second === undefined) return { field, ...given("snippet", snippet) }
  const place = { field, ...given("snippet", snippet), start: roundSeconds(second) }
  return at === undefined || passage === null
    ? place
    : { ...place, said: { id, passage, nth: at.nth, last: at.last, start: second } }
}

/**
 * The matches of one meeting; of those with the same moment or text, the first. None if no part of the meeting has the
 * words, because a phrase runs across two parts, every word is negated, or the query names only a body or day: then the
 * match is the meeting as a whole, its body or its title.
 */
export const placesOf = (rows: ReadonlyArray<MatchRow>, asked: Asked): ReadonlyArray<Place> => {
  const seen = new Set<string | number>()
  return Struct.keys(mostOf).flatMap((field) =>
    rows
      .filter((row) => row.field === field)
      .map((row) => placeOf(row, asked))
      .filter(({ snippet = "", start }) => {
        const key = start === undefined ? `${field} ${snippet}` : Math.floor(start)
        const isNew = !seen.has(key)
        seen.add(key)
        return isNew
      })
      .slice(0, mostOf[field])
  )
}
