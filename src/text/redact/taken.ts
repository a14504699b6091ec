import type { Segment, Word } from "../../../schema/transcript.ts"
import { marks } from "./marks.ts"
import { type Part, placesOf, type Removal } from "./redact.ts"
import { tokensOf } from "./tokens.ts"

/** A range of characters in one segment. */
export type Place = Removal["parts"][number]

/** The words of a removal, part by part, with their times if the segment has them, and the words around them. */
export interface Kept {
  readonly before: string
  readonly after: string
  readonly parts: ReadonlyArray<{ readonly text: string; readonly words?: ReadonlyArray<Word> | undefined }>
}

/** A removal with what it took. Its places are those in the segments as they were before anything was taken out. */
export interface Taken extends Removal {
  /** When the words are said, in seconds; that of the segment if they have no times. */
  readonly start: number
  readonly end: number
  readonly kept: Kept
}

/** The characters of context on each side. */
const context = 160

/** The words of a removal, as one text. */
export const wordsOf = ({ parts }: Kept): string => parts.map(({ text }) => text).join(" ")

const timedIn = ({ text, words = [] }: Segment, { from, to }: Part): ReadonlyArray<Word> => {
  const places = placesOf(text, words) ?? []
  return words.filter((_, at) => {
    const place = places[at]
    return place !== undefined && place.from < to && from < place.to
  })
}

/** A removal with the words that it takes out of these segments. */
export const takenFrom = (segments: ReadonlyArray<Segment>, { kind, rule, parts }: Removal): Taken => {
  const each = parts.flatMap((part) => {
    const segment = segments[part.segment]
    if (segment === undefined) return []
    const words = timedIn(segment, part)
    const text = segment.text.slice(part.from, part.to)
    const [start, end] = [words[0]?.start ?? segment.start, words.at(-1)?.end ?? segment.end]
    return [{ start, end, segment, part, kept: { text, ...(words.length === 0 ? {} : { words }) } }]
  })
  const [first, last] = [each[0], each.at(-1)]
  return {
    kind,
    rule,
    parts,
    start: Math.min(...each.map(({ start }) => start)),
    end: Math.max(...each.map(({ end }) => end)),
    kept: {
      before: first?.segment.text.slice(Math.max(0, first.part.from - context), first.part.from) ?? "",
      after: last?.segment.text.slice(last.part.to, last.part.to + context) ?? "",
      parts: each.map(({ kept }) => kept)
    }
  }
}

/** Where the marks of a text stand. */
const marksAt = (text: string): ReadonlyArray<Part> =>
  Object.values(marks).flatMap((mark) => {
    const found: Array<Part> = []
    for (let from = text.indexOf(mark); from !== -1; from = text.indexOf(mark, from + 1)) {
      found.push({ from, to: from + mark.length })
    }
    return found
  })

/** Scripts that write no spaces between words, so that words can be any characters in a row. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

const unspacedIn = ({ text }: Segment, words: string): ReadonlyArray<Part> => {
  const found: Array<Part> = []
  for (let from = text.indexOf(words); from !== -1; from = text.indexOf(words, from + words.length)) {
    found.push({ from, to: from + words.length })
  }
  return found
}

/** Whether a text has words at all, as opposed to punctuation. */
export const hasWords = (text: string): boolean => tokensOf(text, 0).length > 0

/** Segments into which words run on from the one that they begin in. */
const runsOn = 3

/**
 * Every place where words are said, beginning in one of the segments `from` up to but not including `to`; they may run
 * on into the next. Case, accents and punctuation do not count. A mark is not words.
 */
export const saidIn = (
  segments: ReadonlyArray<Segment>,
  words: string,
  from: number,
  to: number
): ReadonlyArray<ReadonlyArray<Place>> => {
  const wanted = tokensOf(words, 0).map(({ word }) => word)
  const near = segments.slice(from, to + runsOn)
  const tokens = near.flatMap(({ text }, at) => tokensOf(text, from + at))
  const found: Array<ReadonlyArray<Place>> = []
  for (let at = 0; wanted.length > 0 && at + wanted.length <= tokens.length; at++) {
    if ((tokens[at]?.segment ?? to) >= to) break
    if (!wanted.every((word, next) => tokens[at + next]?.word === word)) continue
    const said = Map.groupBy(tokens.slice(at, at + wanted.length), ({ segment }) => segment)
    found.push(
      [...said].map(([segment, spoken]) => ({ segment, from: spoken[0]?.start ?? 0, to: spoken.at(-1)?.end ?? 0 }))
    )
    at += wanted.length - 1
  }
  if (found.length === 0 && unspaced.test(words)) {
    found.push(
      ...near
        .slice(0, to - from)
        .flatMap((line, at) => unspacedIn(line, words.trim()).map((part) => [{ segment: from + at, ...part }]))
    )
  }
  const marked = near.map(({ text }) => marksAt(text))
  const isFree = (place: Place) =>
    !marked[place.segment - from]?.some((mark) => mark.from < place.to && place.from < mark.to)
  return found.filter((places) => places.every(isFree))
}

/** A text without these words, each time that they stand in it. */
export const withoutWords = (text: string, words: string, mark: string): string =>
  saidIn([{ start: 0, end: 0, text }], words, 0, 1)
    .flat()
    .toReversed()
    .reduce((rest, { from, to }) => rest.slice(0, from) + mark + rest.slice(to), text)

/** The segments at a second, the nearest first; the one before it if nobody is speaking then. */
export const linesAt = (segments: ReadonlyArray<Segment>, second: number): ReadonlyArray<number> => {
  const away = ({ start, end }: Segment) => Math.max(0, start - second, second - end)
  const near = segments.flatMap((segment, at) => (away(segment) <= 1 ? [{ at, away: away(segment) }] : []))
  if (near.length > 0) return near.toSorted((a, b) => a.away - b.away).map(({ at }) => at)
  const before = segments.findLastIndex(({ start }) => start <= second)
  return before === -1 ? [] : [before]
}

/** Words that are out now. */
type Standing = Pick<Removal, "kind" | "parts">

/** The marks that stand in a segment: the place of each in the segment as it was, and as it stands. */
const marksOf = (standing: ReadonlyArray<Standing>, segment: number) => {
  const own = standing
    .flatMap(({ kind, parts }) => parts.map((part) => ({ ...part, long: marks[kind].length })))
    .filter((part) => part.segment === segment)
    .toSorted((a, b) => a.from - b.from)
  let grown = 0
  return own.map(({ from, to, long }) => {
    const mark = { from, to, now: from + grown, grows: long - (to - from) }
    grown += mark.grows
    return mark
  })
}

/** A place in the segments as they stand, as the place that it was before anything was taken out. */
export const placeBefore = (place: Place, standing: ReadonlyArray<Standing>): Place => {
  const grown = marksOf(standing, place.segment).reduce(
    (sum, { now, grows }) => sum + (now < place.from ? grows : 0),
    0
  )
  return { ...place, from: place.from - grown, to: place.to - grown }
}

const putInto = (
  segment: Segment,
  at: number,
  mark: string,
  { text, words }: Kept["parts"][number]
): Segment | undefined => {
  if (!segment.text.startsWith(mark, at)) return undefined
  const { words: timed, ...rest } = segment
  const whole = segment.text.slice(0, at) + text + segment.text.slice(at + mark.length)
  const places = timed === undefined ? undefined : placesOf(segment.text, timed)
  const word = places?.findIndex(({ from, to }) => from <= at && at < to) ?? -1
  // Words that do not match the text would be wrong times.
  return timed === undefined || words === undefined || word === -1
    ? { ...rest, text: whole }
    : { ...rest, text: whole, words: timed.toSpliced(word, 1, ...words) }
}

/**
 * The segments with the words of a removal in place of its marks, and their times. `standing` is all that is out, this
 * one among it. Undefined if a mark is not where it was left.
 */
export const putBack = (
  segments: ReadonlyArray<Segment>,
  { kind, parts, kept }: Pick<Taken, "kind" | "parts" | "kept">,
  standing: ReadonlyArray<Standing>
): ReadonlyArray<Segment> | undefined => {
  const whole = [...segments]
  // From the end, because a part that is put back moves what stands after it.
  for (let at = parts.length - 1; at >= 0; at--) {
    const [part, words] = [parts[at], kept.parts[at]]
    const mark = part && marksOf(standing, part.segment).find(({ from }) => from === part.from)
    const segment = part && whole[part.segment]
    const back = segment && mark && words && putInto(segment, mark.now, marks[kind], words)
    if (part === undefined || back === undefined) return undefined
    whole[part.segment] = back
  }
  return whole
}
