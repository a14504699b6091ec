import type { Segment, Word } from "../../../schema/transcript.ts"

/** A line of captions has at most 42 characters, a cue two lines and 7 seconds: what can be read as it is spoken. */
const lineLength = 42
const longestCue = 7
/** After a silence of so many seconds the next word begins a new cue. */
const silence = 2
/** How long a cue stands whose source gives it no time at all, in milliseconds. */
const momentary = 1000

/** What stands on the screen from `start` to `end`, in milliseconds; `end` is later than `start`. */
export interface Cue {
  readonly start: number
  readonly end: number
  readonly speaker?: string
  /** One line, or two where they fit. */
  readonly text: string
}

/** Text on one line, with single spaces: a blank line would end a cue. */
const singleSpaced = (text: string): string => text.replace(/\s+/gu, " ").trim()

/** The text in at most two lines of at most 42 characters, as even as they come; undefined where it does not fit. */
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

/** A stretch of a segment's text and the time in which it is said, in seconds. */
interface TimedText {
  readonly start: number
  readonly end: number
  readonly from: number
  readonly to: number
}

const holdsWords = /[\p{L}\p{N}]/u

/**
 * Where each word stands in the text, with the punctuation that goes with it. Undefined where text and words are not the
 * same: the text is what the record says, so it is not cut by the words of another.
 */
const stretchesOf = (text: string, words: ReadonlyArray<Word>): ReadonlyArray<TimedText> | undefined => {
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

/** A segment as cues that can be read; one without word times is one cue. */
const split = (segment: Segment): ReadonlyArray<Cue> => {
  const text = singleSpaced(segment.text)
  if (text === "") return []
  const words = (segment.words ?? []).filter((word) => singleSpaced(word.text) !== "")
  const stretches = words.length === 0 ? undefined : stretchesOf(text, words)
  if (stretches === undefined) return [cueOf(segment, segment.start, segment.end, text)]
  const textOf = ({ from, to }: TimedText) => text.slice(from, to).trim()
  const joined = (open: TimedText, next: TimedText): TimedText | undefined => {
    const both = { ...open, end: Math.max(open.end, next.end), to: next.to }
    const endsSentence = /[.?!]["'”’)\]]*$/u.test(textOf(open)) && textOf(open).length > lineLength
    const belongs = next.start - open.end < silence && both.end - both.start <= longestCue
    return !endsSentence && belongs && wrapped(textOf(both)) !== undefined ? both : undefined
  }
  const cues: Array<TimedText> = []
  for (const next of stretches) {
    const open = cues.at(-1)
    const both = open === undefined ? undefined : joined(open, next)
    if (both === undefined) cues.push(next)
    else cues[cues.length - 1] = both
  }
  return cues.map((stretch) => cueOf(segment, stretch.start, stretch.end, textOf(stretch)))
}

/**
 * The cues of a transcript by their start, as WebVTT asks (section 4.1: no cue starts before one that precedes it, and
 * each ends after it starts). One that takes no time stands until the next one starts, and at most a second.
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

/** `hh:mm:ss` and the milliseconds; hours have as many digits as they need, and at least two. */
const stamp = (millis: number, separator: "." | ","): string => {
  const seconds = Math.floor(millis / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return `${digits(hours, 2)}:${digits(minutes, 2)}:${digits(seconds % 60, 2)}${separator}${digits(millis % 1000, 3)}`
}

const references: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }
const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => references[sign] ?? sign)

/** WebVTT (W3C): every sign that means something in a cue is written as a reference, so `-->` cannot stand in one. */
export const webVtt = (cues: ReadonlyArray<Cue>): string =>
  `${[
    "WEBVTT",
    ...cues.map(({ start, end, speaker, text }) => {
      const voice = speaker === undefined ? "" : `<v ${escaped(speaker)}>`
      return `${stamp(start, ".")} --> ${stamp(end, ".")}\n${voice}${escaped(text)}`
    })
  ].join("\n\n")}\n`

/**
 * SRT has no references. What a player would take for a time or a tag is written with a sign that looks like it: an
 * arrow for `-->`, an angle quotation mark for a `<` that a letter or a slash follows.
 */
const harmless = (text: string): string => text.replaceAll("-->", "→").replace(/<(?=[a-z/])/gi, "‹")

/** SubRip: numbered cues, comma before the milliseconds, a speaker's name where another one begins to speak. */
export const subRip = (cues: ReadonlyArray<Cue>): string =>
  cues
    .map(({ start, end, speaker, text }, at) => {
      const name = speaker === undefined || speaker === cues[at - 1]?.speaker ? "" : `${speaker}: `
      return `${at + 1}\n${stamp(start, ",")} --> ${stamp(end, ",")}\n${harmless(`${name}${text}`)}\n`
    })
    .join("\n")

/** Plain text: a line a segment, a paragraph a speaker, who is named where they begin. */
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
