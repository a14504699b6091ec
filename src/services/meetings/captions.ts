import type { Segment, Word } from "../../../schema/transcript.ts"

/**
 * A caption line has at most 42 characters, and a cue at most two lines and 7 seconds: as much as a viewer can read.
 */
const lineLength = 42
const longestCue = 7
/** After a silence of this many seconds, the next word begins a new cue. */
const silence = 2
/** The most milliseconds for which a cue is shown if its source gives it no duration. */
const momentary = 1000

/** A caption, on screen from `start` to `end`, in milliseconds; `end` is later than `start`. */
export interface Cue {
  readonly start: number
  readonly end: number
  readonly speaker?: string
  /** One line, or two if the text fits in them. */
  readonly text: string
}

/** Text on one line, with single spaces: a blank line would end a cue. */
const singleSpaced = (text: string): string => text.replace(/\s+/gu, " ").trim()

/** The text in at most two lines of at most 42 characters, as even as possible; undefined if it does not fit. */
const wrapped = (text: string): string | undefined => {
  if (text.length <= lineLength) return text
  if (text.length > 2 * lineLength + 1) return undefined
  const breaks = [...text.matchAll(/ /g)]
    .map(({ index }) => index)
    .filter((at) => at <= lineLength && text.length - at - 1 <= lineLength)
  if (breaks.length === 0) return undefined
  const middle = text.length / 2
  const at = breaks.reduce((best, other) => (Math.abs(other - middle) < Math.abs(best - middle) ? other : best))
  return `${text.slice(0, at)}\n${text.slice(at + 1)}`
}

/** Part of a segment's text, with its start and end in seconds. */
interface TimedText {
  readonly start: number
  readonly end: number
  readonly from: number
  readonly to: number
}

const holdsWords = /[\p{L}\p{N}]/u

/**
 * The part of the text that each word covers, including punctuation. Undefined if text and words differ: the text is
 * authoritative, and foreign words cannot divide it.
 */
const timedTextsOf = (text: string, words: ReadonlyArray<Word>): ReadonlyArray<TimedText> | undefined => {
  const begins: Array<number> = []
  let read = 0
  for (const word of words) {
    const said = singleSpaced(word.text)
    const found = text.indexOf(said, read)
    const between = text.slice(read, Math.max(read, found))
    if (found < 0 || holdsWords.test(between)) return undefined
    begins.push(read + (between.includes(" ") ? between.lastIndexOf(" ") : between.search(/[\p{Ps}\p{Pi}]*$/u)))
    read = found + said.length
  }
  if (holdsWords.test(text.slice(read))) return undefined
  return words.map(({ start, end }, at) => ({
    start,
    end,
    from: at === 0 ? 0 : (begins[at] ?? 0),
    to: begins[at + 1] ?? text.length
  }))
}

const cueOf = (segment: Segment, start: number, end: number, text: string): Cue => ({
  start: Math.round(start * 1000),
  end: Math.round(end * 1000),
  ...(segment.speaker === undefined || singleSpaced(segment.speaker) === ""
    ? {}
    : { speaker: singleSpaced(segment.speaker) }),
  text: wrapped(text) ?? text
})

/** A segment as readable cues. One without word times is a single cue. */
const split = (segment: Segment): ReadonlyArray<Cue> => {
  const text = singleSpaced(segment.text)
  if (text === "") return []
  const words = (segment.words ?? []).filter((word) => singleSpaced(word.text) !== "")
  const timed = words.length === 0 ? undefined : timedTextsOf(text, words)
  if (timed === undefined) return [cueOf(segment, segment.start, segment.end, text)]
  const textOf = ({ from, to }: TimedText) => text.slice(from, to).trim()
  const joined = (open: TimedText, next: TimedText): TimedText | undefined => {
    const both = { ...open, end: Math.max(open.end, next.end), to: next.to }
    const endsSentence = /[.?!]["'”’)\]]*$/u.test(textOf(open)) && textOf(open).length > lineLength
    const belongs = next.start - open.end < silence && both.end - both.start <= longestCue
    return !endsSentence && belongs && wrapped(textOf(both)) !== undefined ? both : undefined
  }
  const cues: Array<TimedText> = []
  for (const next of timed) {
    const open = cues.at(-1)
    const both = open === undefined ? undefined : joined(open, next)
    if (both === undefined) cues.push(next)
    else cues[cues.length - 1] = both
  }
  return cues.map((cue) => cueOf(segment, cue.start, cue.end, textOf(cue)))
}

/**
 * The cues of a transcript, ordered by start as WebVTT requires (section 4.1: no cue starts before the one that
 * precedes it, and each ends after it starts). A cue without duration is shown until the next one starts, for at most
 * a second.
 */
export const cuesOf = (segments: ReadonlyArray<Segment>): ReadonlyArray<Cue> => {
  const cues = segments.flatMap(split).sort((a, b) => a.start - b.start)
  return cues.map((cue, at) => {
    if (cue.end > cue.start) return cue
    const next = cues[at + 1]?.start ?? Number.POSITIVE_INFINITY
    return { ...cue, end: next > cue.start ? Math.min(next, cue.start + momentary) : cue.start + momentary }
  })
}

const digits = (value: number, width: number): string => String(value).padStart(width, "0")

/** `hh:mm:ss` and the milliseconds. Hours have as many digits as they need, at least two. */
const stamp = (millis: number, separator: "." | ","): string => {
  const seconds = Math.floor(millis / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return `${digits(hours, 2)}:${digits(minutes, 2)}:${digits(seconds % 60, 2)}${separator}${digits(millis % 1000, 3)}`
}

const references: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }
const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => references[sign] ?? sign)

/** WebVTT (W3C). Every character with a meaning in cues is escaped, so a cue cannot contain `-->`. */
export const webVtt = (cues: ReadonlyArray<Cue>): string =>
  `${[
    "WEBVTT",
    ...cues.map(({ start, end, speaker, text }) => {
      const voice = speaker === undefined ? "" : `<v ${escaped(speaker)}>`
      return `${stamp(start, ".")} --> ${stamp(end, ".")}\n${voice}${escaped(text)}`
    })
  ].join("\n\n")}\n`

/**
 * SRT has no escapes, so anything that a player would read as a time or a tag is written with a look-alike: an arrow
 * for `-->`, an angle quotation mark for a `<` that precedes a letter or a slash.
 */
const harmless = (text: string): string => text.replaceAll("-->", "→").replace(/<(?=[a-z/])/gi, "‹")

/** SubRip: numbered cues, a comma before the milliseconds, and the speaker's name whenever the speaker changes. */
export const subRip = (cues: ReadonlyArray<Cue>): string =>
  cues
    .map(({ start, end, speaker, text }, at) => {
      const name = speaker === undefined || speaker === cues[at - 1]?.speaker ? "" : `${speaker}: `
      return `${at + 1}\n${stamp(start, ",")} --> ${stamp(end, ",")}\n${harmless(`${name}${text}`)}\n`
    })
    .join("\n")

/** Plain text: one line per segment, and a new paragraph, opening with the name, whenever the speaker changes. */
export const plainText = (segments: ReadonlyArray<Segment>): string => {
  const lines: Array<string> = []
  let speaking: string | undefined
  for (const segment of segments) {
    const text = singleSpaced(segment.text)
    if (text === "") continue
    const speaker = segment.speaker === undefined ? undefined : singleSpaced(segment.speaker) || undefined
    if (speaker !== speaking && lines.length > 0) lines.push("")
    lines.push(speaker === undefined || speaker === speaking ? text : `${speaker}: ${text}`)
    speaking = speaker
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`
}
