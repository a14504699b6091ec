import { Data, Result } from "effect"
import { clampAtWord } from "../../text/clamp.ts"

/** The relevant part of a transcript's segment; seconds. */
export interface SpokenSegment {
  readonly start: number
  readonly end: number
  readonly speaker?: string
  readonly text: string
}

/** A span of the recording, in seconds with at most 3 decimals. */
export interface AutoSpan {
  readonly start: number
  readonly end: number
  readonly title?: string
}

/** How far before the given start the span may begin, in seconds (spec section 8, "Auto-clip start"). */
export const longestLead = 30
/** How long the span may be, in seconds (spec section 8, "Auto-clip end"). */
export const longestAutoSpan = 180
const shortestAutoSpan = 1
/** Less recording than this after the given start, in seconds, is too short to hold a discussion. */
const shortestRemainder = 5

/** No discussion was found around the given start. */
export class SpanNotFound extends Data.TaggedError("SpanNotFound") {}
const notFound = Result.fail(new SpanNotFound())

/** Times are compared in whole milliseconds, the precision of the wire. */
const milliseconds = (seconds: number): number => Math.round(seconds * 1000)

const between = (value: number, from: number, to: number): number => Math.min(Math.max(value, from), to)

export const isSpoken = ({ start, end, text }: SpokenSegment): boolean =>
  Number.isFinite(start) && Number.isFinite(end) && end > start && /\S/u.test(text)

/** Text from elsewhere on one line: without control and format characters (bidi, zero width), with single spaces. */
export const cleanLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cf}/gu, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()

const longestTitle = 80
const markup = /<[^>]*>|[<>*_`#|~\\[\]{}]/gu
const addresses = /\b[a-z][a-z\d+.-]*:\/\/\S*|\b(?:javascript|data|vbscript|mailto|tel):\S*|\bwww\.\S*|\S+@\S+/giu
/** Domain names in lower case: "St.John" is not one. */
const domains = /[\p{L}\d-]+\.[a-z]{2,}(?![\p{L}\d])\S*/gu

/** A model's title made fit to show: one line of at most 80 characters, without markup or addresses. */
export const cleanTitle = (title: string): string | undefined => {
  // Removed text leaves a space, so that its neighbors cannot join into an address.
  const bare = cleanLine(title.slice(0, 10 * longestTitle))
    .replace(markup, " ")
    .replace(addresses, " ")
    .replace(domains, " ")
  const clean = clampAtWord(cleanLine(bare), longestTitle).toWellFormed()
  return /[\p{L}\p{N}]/u.test(clean) ? clean : undefined
}

/** The boundary within `from` to `to` that is nearest to the wanted moment; of two, the earlier. */
const nearest = (boundaries: ReadonlyArray<number>, wanted: number, from: number, to: number): number | undefined =>
  boundaries
    .filter((boundary) => boundary >= from && boundary <= to)
    .toSorted((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted) || one - other)[0]

/**
 * The span for a model's answer (spec section 4.7): the start is moved into the 30 seconds that lead to the requested
 * one, the end to at most 180 seconds after that start and to the end of the recording; then both to the nearest
 * boundary of a segment that keeps those limits. Where no segment starts (or ends) within them, within one long turn or
 * in a silence, the clamped moment stands. The span holds the requested start and lasts 1 to 180 seconds.
 * `SpanNotFound` where the answer names no span of time, or one that does not touch what may be answered, or where
 * nothing is said in it.
 */
export const spanOf = (asked: {
  readonly requestedStart: number
  readonly segments: ReadonlyArray<SpokenSegment>
  readonly recordingDuration: number
  readonly modelAnswer: AutoSpan
}): Result.Result<AutoSpan, SpanNotFound> => {
  const { modelAnswer, recordingDuration } = asked
  const requested = milliseconds(asked.requestedStart)
  const duration = Math.floor(recordingDuration * 1000)
  // NaN compares false with everything.
  if (!(modelAnswer.end > modelAnswer.start) || !(requested >= 0) || !(duration > requested)) return notFound
  const wanted = { start: milliseconds(modelAnswer.start), end: milliseconds(modelAnswer.end) }
  if (wanted.end <= requested || wanted.start >= requested + milliseconds(longestAutoSpan)) return notFound

  const turns = asked.segments
    .filter(isSpoken)
    .map(({ start, end }) => ({ start: milliseconds(start), end: Math.min(milliseconds(end), duration) }))
    .filter(({ start, end }) => end > start)

  const earliest = Math.max(0, requested - milliseconds(longestLead))
  const leadIn = between(wanted.start, earliest, requested)
  const starts = turns.map((turn) => turn.start)
  const start = nearest(starts, leadIn, earliest, requested) ?? leadIn

  const first = Math.max(start + milliseconds(shortestAutoSpan), requested + 1)
  const last = Math.min(start + milliseconds(longestAutoSpan), duration)
  if (first > last) return notFound
  const leadOut = between(wanted.end, first, last)
  const isSaid = turns.some((turn) => turn.start < leadOut && turn.end >= leadOut)
  const ends = turns.map((turn) => turn.end)
  const end = nearest(ends, leadOut, first, last) ?? (isSaid ? leadOut : undefined)
  if (end === undefined) return notFound

  const title = cleanTitle(modelAnswer.title ?? "")
  return Result.succeed({ start: start / 1000, end: end / 1000, ...(title === undefined ? {} : { title }) })
}

export type AutoSpanRefusal =
  | "auto_clips_disabled"
  | "cloud_model_unavailable"
  | "transcript_missing"
  | "recording_missing"
  | "recording_too_short"
  | "span_not_found"

/**
 * Why the model need not be asked, or undefined. First reasons of the whole deployment (status 503), then reasons of
 * the meeting or this start (409), in the order of spec section 4.7: the setting, the cloud route, the transcript,
 * enough recording (5 seconds after the start); last, that somebody speaks in the span's reach.
 */
export const refusalBeforeModel = (asked: {
  readonly enabled: boolean
  readonly configured: boolean
  readonly hasTranscript: boolean
  /** Of the recording, in seconds; 0 if there is none. */
  readonly duration: number
  readonly start: number
  readonly segments: ReadonlyArray<SpokenSegment>
}): AutoSpanRefusal | undefined => {
  const { enabled, configured, hasTranscript, duration, start, segments } = asked
  if (!enabled) return "auto_clips_disabled"
  if (!configured) return "cloud_model_unavailable"
  if (!hasTranscript) return "transcript_missing"
  if (duration === 0) return "recording_missing"
  // NaN compares false with everything.
  if (!(duration - start >= shortestRemainder)) return "recording_too_short"
  const until = Math.min(start + longestAutoSpan, duration)
  return segments.some((segment) => isSpoken(segment) && segment.end > start && segment.start < until)
    ? undefined
    : "span_not_found"
}
