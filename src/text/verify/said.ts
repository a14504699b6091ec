import type { Utterance, Word } from "./words.ts"
import { wordsOf } from "./words.ts"

/** A range of characters in the text of one utterance. */
export interface Quote {
  readonly utterance: number
  readonly from: number
  readonly to: number
}

/** A word, and the utterance it is in. */
export interface Heard extends Word {
  readonly utterance: number
}

/** A speaker's uninterrupted turn, in one utterance or several. */
export interface Said {
  readonly speaker: string | undefined
  readonly words: ReadonlyArray<Heard>
}

const ended = /[.?!…]["”’)]*\s*$/u

/**
 * The transcript, turn by turn. Captions cut sentences in two, so an utterance continues the sentence that the same
 * speaker left unfinished in the one before, provided that the transcript is punctuated at all.
 */
export const saidIn = (utterances: ReadonlyArray<Utterance>): ReadonlyArray<Said> => {
  const isPunctuated = utterances.some(({ text }) => /[.?!](?:\s|$)/u.test(text))
  const turns: Array<{ readonly speaker: string | undefined; readonly words: Array<Heard> }> = []
  for (const [utterance, { text, speaker }] of utterances.entries()) {
    const heard = wordsOf(text).map((word) => ({ ...word, utterance }))
    const last = turns.at(-1)
    if (last === undefined || last.speaker !== speaker) {
      turns.push({ speaker, words: heard })
      continue
    }
    const [opening, ...others] = heard
    const goesOn = isPunctuated && last.words.length > 0 && !ended.test(utterances[utterance - 1]?.text ?? "")
    if (opening !== undefined) last.words.push({ ...opening, first: !goesOn })
    last.words.push(...others)
  }
  return turns
}

/** Words as quotes, one per utterance. */
export const quotesOf = (words: ReadonlyArray<Heard>): ReadonlyArray<Quote> =>
  [...new Set(words.map(({ utterance }) => utterance))].map((utterance) => {
    const own = words.filter((word) => word.utterance === utterance)
    return { utterance, from: own[0]?.start ?? 0, to: own.at(-1)?.end ?? 0 }
  })
