import type { Word } from "../../../schema/transcript.ts"
import { keyOf } from "../../text/language/spoken-words.ts"

/** How recognized words compare with spoken ones. */
export interface HeardWords {
  /** The share of spoken words that were recognized, 0 to 1. */
  readonly share: number
  /** The share of recognized words that begin within half a second of when they were spoken. */
  readonly onTime: number
  /** The largest difference in seconds. */
  readonly largest: number
}

export const onTimeWithin = 0.5

/** A difference of this many seconds weighs as much as a word: among equally long matches, the nearest in time wins. */
const secondsPerWord = 1000

const keyed = (words: ReadonlyArray<Word>) =>
  words.flatMap((word) => {
    const key = keyOf(word.text)
    return key === "" ? [] : [{ ...word, key }]
  })

/** Compares by longest common subsequence, preferring the one whose words are nearest in time. */
export const heardWords = (spoken: ReadonlyArray<Word>, heard: ReadonlyArray<Word>): HeardWords => {
  const [truth, said] = [keyed(spoken), keyed(heard)]
  const width = said.length + 1
  const best = new Float64Array((truth.length + 1) * width)
  const worth = (i: number, j: number) => {
    const [one, other] = [truth[i], said[j]]
    return one === undefined || other === undefined || one.key !== other.key
      ? 0
      : 1 - Math.min(0.5, Math.abs(one.start - other.start) / secondsPerWord)
  }
  const at = (i: number, j: number) => best[i * width + j] ?? 0
  for (let i = truth.length - 1; i >= 0; i--) {
    for (let j = said.length - 1; j >= 0; j--) {
      const pair = worth(i, j)
      best[i * width + j] = Math.max(at(i + 1, j), at(i, j + 1), pair > 0 ? pair + at(i + 1, j + 1) : 0)
    }
  }
  const errors: Array<number> = []
  for (let [i, j] = [0, 0]; i < truth.length && j < said.length; ) {
    const pair = worth(i, j)
    if (pair > 0 && at(i, j) === pair + at(i + 1, j + 1)) {
      errors.push(Math.abs((truth[i]?.start ?? 0) - (said[j]?.start ?? 0)))
      ;[i, j] = [i + 1, j + 1]
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1
    else j += 1
  }
  return {
    share: truth.length === 0 ? 0 : errors.length / truth.length,
    onTime: errors.length === 0 ? 0 : errors.filter((error) => error <= onTimeWithin).length / errors.length,
    largest: Math.max(0, ...errors)
  }
}
