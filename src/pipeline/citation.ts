import { Schema } from "effect"
import type { Span } from "../../schema/briefing.ts"
import { roundSeconds } from "../../schema/primitives.ts"
import type { Segment } from "../../schema/transcript.ts"
import { numbersAreIn } from "../text/language/numbers.ts"
import { type SpokenWord, spanOfQuote } from "../text/language/spoken-words.ts"

/** A model's citation: a quote from the transcript, and the line in which it begins. */
export const Citation = Schema.Struct({
  line: Schema.Int.annotate({ description: "The number of the line in which the passage begins." }),
  quote: Schema.String.annotate({ description: "3 to 40 words of the transcript, exactly as they stand there." })
})
export interface Citation extends Schema.Schema.Type<typeof Citation> {}

/** How far a cited line number may be off. */
const reach = 2

/** The span in which a model's quote is said word for word, near the line it names; undefined if it is invented. */
export const citedSpan = (words: ReadonlyArray<SpokenWord>, { line, quote }: Citation): Span | undefined => {
  const span = spanOfQuote(words, quote, line - reach, line + reach + 1)
  return span && { start: roundSeconds(span.start), end: roundSeconds(span.end) }
}

/** The segments around each citation, `lineReach` lines before and after, without duplicates. */
export const segmentsAround = (segments: ReadonlyArray<Segment>, lines: ReadonlyArray<number>, lineReach = 6) =>
  segments.filter((_, at) => lines.some((line) => Math.abs(at - line) <= lineReach))

/** The text of those segments. */
const saidAround = (segments: ReadonlyArray<Segment>, lines: ReadonlyArray<number>): string =>
  segmentsAround(segments, lines)
    .map(({ text }) => text)
    .join(" ")

/** Why a sentence's citations do not support it; undefined if they do. */
export const flawOfSentence = (
  segments: ReadonlyArray<Segment>,
  words: ReadonlyArray<SpokenWord>,
  text: string,
  citations: ReadonlyArray<Citation>
): string | undefined => {
  if (citations.length === 0) return `"${text.slice(0, 100)}" cites nothing.`
  const invented = citations.find((citation) => citedSpan(words, citation) === undefined)
  if (invented !== undefined) return `nobody says "${invented.quote.slice(0, 100)}" in line ${invented.line}.`
  const said = saidAround(
    segments,
    citations.map(({ line }) => line)
  )
  return numbersAreIn(text, said) ? undefined : `a number in "${text.slice(0, 200)}" is not said where it is cited.`
}
