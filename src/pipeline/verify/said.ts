import type { Passage, Word } from "./words.ts"
import { wordsOf } from "./words.ts"

/** Characters of one passage's text. */
export interface Quote {
  readonly passage: number
  readonly from: number
  readonly to: number
}

/** A word, and the passage in whose text it stands. */
export interface Heard extends Word {
  readonly passage: number
}

/** What one speaker says in a row, in one passage or in several. */
export interface Said {
  readonly speaker: string | undefined
  readonly words: ReadonlyArray<Heard>
}

const ended = /[.?!…]["”’)]*\s*$/u

/**
 * What was said, by speaker. Captions cut sentences in two, so a passage goes on with the sentence that the same speaker has
 * not ended in the one before, if the transcript has punctuation at all.
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

/** Some words as quotes, one for each passage that they stand in. */
export const quotesOf = (words: ReadonlyArray<Heard>): ReadonlyArray<Quote> =>
  [...new Set(words.map(({ passage }) => passage))].map((passage) => {
    const own = words.filter((word) => word.passage === passage)
    return { passage, from: own[0]?.start ?? 0, to: own.at(-1)?.end ?? 0 }
  })
