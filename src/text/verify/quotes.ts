import type { Quote } from "./said.ts"
import { type Passage, runIn, wordsOf } from "./words.ts"

/** Where a passage has these words, regardless of case and punctuation; undefined if it does not. */
export const quoteIn = (passages: ReadonlyArray<Passage>, passage: number, quote: string): Quote | undefined => {
  const text = passages[passage]?.text
  if (text === undefined) return undefined
  const words = wordsOf(text)
  const run = runIn(words, wordsOf(quote))
  return run === undefined ? undefined : { passage, from: words[run[0]]?.start ?? 0, to: words[run[1] - 1]?.end ?? 0 }
}

/** The words of a quote, exactly as in the passage. */
export const quoted = (passages: ReadonlyArray<Passage>, { passage, from, to }: Quote): string =>
  passages[passage]?.text.slice(from, to) ?? ""
