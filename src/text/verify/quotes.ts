import type { Quote } from "./said.ts"
import { runIn, type Utterance, wordsOf } from "./words.ts"

/** Where an utterance has these words, regardless of case and punctuation; undefined if it does not. */
export const quoteIn = (utterances: ReadonlyArray<Utterance>, utterance: number, quote: string): Quote | undefined => {
  const text = utterances[utterance]?.text
  if (text === undefined) return undefined
  const words = wordsOf(text)
  const run = runIn(words, wordsOf(quote))
  return run === undefined ? undefined : { utterance, from: words[run[0]]?.start ?? 0, to: words[run[1] - 1]?.end ?? 0 }
}

/** The words of a quote, exactly as in the utterance. */
export const quoted = (utterances: ReadonlyArray<Utterance>, { utterance, from, to }: Quote): string =>
  utterances[utterance]?.text.slice(from, to) ?? ""
