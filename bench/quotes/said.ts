import type { unpack } from "../real-captions.ts"
import type { Place, Quote } from "./quotes.ts"

/** A word of the raw captions, with the second at which it is said. */
interface SaidWord {
  readonly text: string
  readonly cue: number
  readonly second: number
}

/** Letters and digits alone. */
const keyOf = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

const fillers = new Set(["um", "uh", "er", "erm", "ah", "hm", "hmm", "mm", "mhm"])

/** The letters and digits of a row of words, which are the same however the words are written apart. */
const lettersOf = (texts: ReadonlyArray<string>): string =>
  texts
    .map(keyOf)
    .filter((key) => !fillers.has(key))
    .join("")

/** How far from the word a second may be. */
const tolerance = 1

/** What the raw captions say, by which quotes are made and answers are judged. */
export const makeSaid = (captions: ReturnType<typeof unpack>) => {
  const known = new Map<string, ReadonlyArray<SaidWord>>()

  /** The words of a meeting: at their own seconds or, in captions of whole lines, in proportion to their letters. */
  const wordsOf = (meeting: string): ReadonlyArray<SaidWord> => {
    const held = known.get(meeting)
    if (held !== undefined) return held
    const timed = captions.sessionOf(meeting)?.sentences
    const words = captions.read(meeting).flatMap(({ start, end, text }, cue) => {
      // The one character that the captions write as a reference.
      const texts = text
        .replaceAll("&amp;", "&")
        .split(/\s+/u)
        .filter((word) => keyOf(word) !== "")
      const own = timed?.[cue]?.words.map((word) => ({ ...word, key: keyOf(word.text) })) ?? []
      const length = texts.join(" ").length
      let [at, next] = [0, 0]
      return texts.map((text) => {
        const spread = start + ((end - start) * at) / length
        at += text.length + 1
        const key = keyOf(text)
        const heard = own.slice(next, next + 4).findIndex((word) => word.key !== "" && key.startsWith(word.key))
        if (heard !== -1) next += heard + 1
        return { text, cue, second: own.length === 0 ? spread : (own[Math.max(0, next - 1)]?.start_time ?? spread) }
      })
    })
    known.set(meeting, words)
    return words
  }

  const stretch = ({ of, cue, word, words }: Place): ReadonlyArray<SaidWord> => {
    const all = wordsOf(of)
    const from = all.findIndex((one) => one.cue === cue) + word
    return all.slice(from, from + words)
  }

  return {
    /** The words that are asked for. */
    textOf: (quote: Quote): string => {
      if (quote.kind === "invented") return quote.q
      const texts = stretch(quote).map(({ text }) => text)
      for (const [at, count, text] of quote.edits?.toReversed() ?? []) {
        texts.splice(at, count, ...(text === "" ? [] : [text]))
      }
      const text = [...texts, ...(quote.then === undefined ? [] : stretch(quote.then).map(({ text }) => text))].join(
        " "
      )
      if (quote.typed === "capitals") return text.toUpperCase()
      return quote.typed === "bare"
        ? text
            .toLowerCase()
            .replaceAll(/[^\p{L}\p{N}'’$%.,]+|[.,](?!\d)/gu, " ")
            .trim()
        : text
    },
    /** Whether a meeting says these words at this second. */
    isSaid: (text: string, meeting: string, second: number): boolean => {
      const words = wordsOf(meeting)
      const wanted = lettersOf(text.split(/\s+/u))
      return words.some(
        (word, at) =>
          Math.abs(word.second - second) <= tolerance &&
          lettersOf(words.slice(at, at + 100).map((one) => one.text)).startsWith(wanted)
      )
    },
    /** The words that were said where the quote was drawn. */
    saidAt: (place: Place): string =>
      stretch(place)
        .map(({ text }) => text)
        .join(" ")
  }
}
