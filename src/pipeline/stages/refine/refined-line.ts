import type { Segment, Word } from "../../../../schema/transcript.ts"
import { isNumeric, sameNumbers } from "../../../text/language/numbers.ts"
import { keyOf, spread, wordsOfText } from "../../../text/language/spoken-words.ts"
import { isContent, isNegative, wordsOf } from "../../../text/verify/words.ts"

/**
 * The minimum share of the recognized words that a line must keep, and of its own words that must have been recognized.
 */
const leastKept = 0.7

/** Whether a recognizer might confuse two spellings: "hernandes" is Hernandez. */
const isLike = (one: string, other: string): boolean => {
  if (one === other) return true
  if (Math.min(one.length, other.length) < 4 || Math.abs(one.length - other.length) > 2) return false
  const pairs = (word: string) => Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))
  const known = pairs(one)
  const shared = pairs(other).filter((pair) => known.includes(pair)).length
  return shared / Math.max(known.length, other.length - 1) >= 0.5
}

/** The longest common subsequence of two lists of words, as pairs of positions. */
const aligned = (heard: ReadonlyArray<string>, written: ReadonlyArray<string>) => {
  const width = written.length + 1
  const lengths = new Uint16Array((heard.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = heard.length - 1; i >= 0; i--) {
    for (let j = written.length - 1; j >= 0; j--) {
      lengths[i * width + j] = isLike(heard[i] ?? "", written[j] ?? "")
        ? at(i + 1, j + 1) + 1
        : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const pairs: Array<readonly [number, number]> = []
  for (let [i, j] = [0, 0]; i < heard.length && j < written.length; ) {
    if (isLike(heard[i] ?? "", written[j] ?? "")) pairs.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1
    else j += 1
  }
  return pairs
}

/** Words as one, without double letters: "a prove" and "approve" are spelled alike. */
const spelled = (words: ReadonlyArray<string>): string => words.join("").replace(/(.)\1+/gu, "$1")

/** The stretches in which a line differs from what was heard. */
const changesOf = (
  heard: ReadonlyArray<string>,
  written: ReadonlyArray<string>,
  pairs: ReadonlyArray<readonly [number, number]>
) => {
  let [i, j] = [0, 0]
  const same = pairs.filter(([from, to]) => heard[from] === written[to])
  return [...same, [heard.length, written.length] as const].map(([from, to]) => {
    const change = { dropped: heard.slice(i, from), added: written.slice(j, to) }
    ;[i, j] = [from + 1, to + 1]
    return change
  })
}

/**
 * Whether a line says what was heard: its numbers are the same, nothing is denied that was not, no word of meaning is
 * left out unless it was stammered, and one that takes the place of another sounds like it and is a name that is known
 * from elsewhere. What a meeting's claims are held against is this line.
 */
const saysTheSame = (
  spoken: ReadonlyArray<string>,
  text: string,
  changes: ReturnType<typeof changesOf>,
  names: ReadonlySet<string>
): boolean => {
  const heard = spoken.join(" ")
  const meaning = (words: ReadonlyArray<string>) => words.filter((word) => isContent({ word }) && !isNumeric(word))
  const said = new Set(wordsOfText(text).map(keyOf))
  return (
    sameNumbers(heard, text) &&
    isNegative(wordsOf(heard)) === isNegative(wordsOf(text)) &&
    changes.every((change) => {
      const [dropped, added] = [meaning(change.dropped), meaning(change.added)]
      if (spelled(change.dropped) === spelled(change.added)) return true
      if (added.length === 0) return dropped.every((word) => said.has(word))
      return (
        added.every((word) => names.has(word)) &&
        !dropped.every((word) => names.has(word)) &&
        isLike(change.dropped.join(""), change.added.join(""))
      )
    })
  )
}

/** The refined words with the times of the recognized ones; words without a counterpart share the time in between. */
const timed = (
  written: ReadonlyArray<string>,
  heard: ReadonlyArray<Word>,
  pairs: ReadonlyArray<readonly [number, number]>,
  { start, end }: Segment
): ReadonlyArray<Word> => {
  const words: Array<Word> = []
  let [next, from] = [0, start]
  for (const [i, j] of [...pairs, [heard.length, written.length] as const]) {
    const word = heard[i]
    const until = Math.max(from, word?.start ?? end)
    if (j > next) words.push(...spread(written.slice(next, j).join(" "), from, until))
    if (word === undefined) break
    words.push({ start: word.start, end: word.end, text: written[j] ?? word.text })
    ;[next, from] = [j + 1, word.end]
  }
  return words
}

/**
 * A segment with the model's refined line: the model's punctuation and spelling, with the times of the recognized
 * words. `names` are the words of names that are known from elsewhere, by key. Undefined if the line says anything else
 * than was heard; the segment then stays as recognized.
 */
export const refinedSegment = (segment: Segment, line: string, names: ReadonlySet<string>): Segment | undefined => {
  const text = line.replace(/\s+/g, " ").trim()
  const heard = segment.words?.filter(({ text }) => keyOf(text) !== "") ?? []
  const spoken = segment.words === undefined ? wordsOfText(segment.text) : heard.map(({ text }) => text)
  const written = wordsOfText(text)
  const [heardKeys, writtenKeys] = [spoken.map(keyOf), written.map(keyOf)]
  const pairs = aligned(heardKeys, writtenKeys)
  // One word of a short line may be corrected; a number may be written in digits.
  const most = Math.max(1, Math.floor(spoken.length * (1 - leastKept)))
  const isFew = (words: ReadonlyArray<string>, paired: ReadonlySet<number>) =>
    words.filter((word, at) => !paired.has(at) && !isNumeric(word)).length <= most
  const isFaithful =
    pairs.length > 0 &&
    isFew(heardKeys, new Set(pairs.map(([at]) => at))) &&
    isFew(writtenKeys, new Set(pairs.map(([, at]) => at))) &&
    saysTheSame(spoken, text, changesOf(heardKeys, writtenKeys, pairs), names)
  if (!isFaithful) return undefined
  return {
    ...segment,
    text,
    ...(segment.words === undefined ? {} : { words: timed(written, heard, pairs, segment) })
  }
}
