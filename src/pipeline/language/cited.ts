import type { Span } from "../../../schema/briefing.ts"
import { roundSeconds } from "../../../schema/primitives.ts"
import type { Segment } from "../../../schema/transcript.ts"
import type { Citation } from "../prompts/citation.ts"
import { numbersAreIn } from "./numbers.ts"
import { type SpokenWord, spanOfQuote } from "./spoken-words.ts"

/** How many lines off the number of a line may be. */
const reach = 2

/** Where a model's citation is said word for word, near the line that it names. Undefined where it is invented. */
export const citedSpan = (words: ReadonlyArray<SpokenWord>, { line, quote }: Citation): Span | undefined => {
  const span = spanOfQuote(words, quote, line - reach, line + reach + 1)
  return span && { start: roundSeconds(span.start), end: roundSeconds(span.end) }
}

/** The segments from some lines before each citation to some after it, each once. */
export const passagesAround = (segments: ReadonlyArray<Segment>, lines: ReadonlyArray<number>, lineReach = 6) =>
  segments.filter((_, at) => lines.some((line) => Math.abs(at - line) <= lineReach))

/** What is said there. */
export const saidAround = (segments: ReadonlyArray<Segment>, lines: ReadonlyArray<number>): string =>
  passagesAround(segments, lines)
    .map(({ text }) => text)
    .join(" ")

/** Why a sentence does not stand on its citations; undefined where it does. */
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
