import type { Passage, Word } from "./words.ts"
import { wordsOf } from "./words.ts"

/** A range of characters in the text of one passage. */
export interface Quote {
  readonly passage: number
  readonly from: number
  readonly to: number
}

/** A word, and the passage it is in. */
export interface Heard extends Word {
  readonly passage: number
}

/** What one speaker says without interruption, in one passage or several. */
export interface Said {
  readonly speaker: string | undefined
  readonly words: ReadonlyArray<Heard>
}

const ended = /[.?!…]["”’)]*\s*$/u

/**
 * What was said, turn by turn. Captions cut sentences in two, so a passage continues the sentence that the same speaker
 * left unfinished in the one before, provided that the transcript is punctuated at all.
 */
export const saidIn = (passages: ReadonlyArray<Passage>): ReadonlyArray<Said> => {
  const isPunctuated = passages.some(({ text }) => /[.?!](?:\s|$)/u.test(text))
  const turns: Array<{ readonly speaker: string | undefined; readonly words: Array<Heard> }> = []
  for (const [passage, { text, speaker }] of passages.entries()) {
    const heard = wordsOf(text).map((word) => ({ ...word, passage }))
    const last = turns.at(-1)
    if (last === undefined || last.speaker !== speaker) {
      turns.push({ speaker, words: heard })
      continue
    }
    const [opening, ...others] = heard
    const goesOn = isPunctuated && last.words.length > 0 && !ended.test(passages[passage - 1]?.text ?? "")
    if (opening !== undefined) last.words.push({ ...opening, first: !goesOn })
    last.words.push(...others)
  }
  return turns
}

/** Words as quotes, one per passage. */
export const quotesOf = (words: ReadonlyArray<Heard>): ReadonlyArray<Quote> =>
  [...new Set(words.map(({ passage }) => passage))].map((passage) => {
    const own = words.filter((word) => word.passage === passage)
    return { passage, from: own[0]?.start ?? 0, to: own.at(-1)?.end ?? 0 }
  })
