import type { Span } from "../../../schema/briefing.ts"
import { roundSeconds } from "../../../schema/primitives.ts"
import type { Segment } from "../../../schema/transcript.ts"
import { cuesOf, webVtt } from "../meetings/captions.ts"
import { given } from "../wire.ts"

/** The words of a segment within a span; if words have no times, the whole segment. */
const within = (segment: Segment, { start, end }: Span): Segment | undefined => {
  if (segment.end <= start || segment.start >= end) return undefined
  if (segment.start >= start && segment.end <= end) return segment
  const { words = [] } = segment
  if (words.length === 0) return segment
  // A word belongs to the side of the cut on which most of it is heard.
  const heard = words.filter((word) => word.start + word.end >= 2 * start && word.start + word.end < 2 * end)
  return heard.length === 0 ? undefined : { ...segment, text: heard.map(({ text }) => text).join(" "), words: heard }
}

/** One speaker's uninterrupted words. */
export interface Turn {
  readonly speaker?: string
  readonly text: string
}

/** The words of a clip for reading: only those within `span`, speaker by speaker. */
export const clipTurns = (segments: ReadonlyArray<Segment>, span: Span): ReadonlyArray<Turn> => {
  const turns: Array<Turn> = []
  for (const segment of segments) {
    const { speaker, text } = within(segment, span) ?? { text: "" }
    const last = turns.at(-1)
    if (text === "") continue
    const isSame = last !== undefined && last.speaker === speaker
    if (isSame) turns.pop()
    turns.push({ ...given("speaker", speaker), text: isSame ? `${last.text} ${text}` : text })
  }
  return turns
}

/**
 * The words of a clip as WebVTT, by the clip's own clock: only those within `span`, with times from 0 to its length.
 * Undefined if there are none.
 */
export const clipCaptions = (segments: ReadonlyArray<Segment>, span: Span): string | undefined => {
  const moved = (seconds: number) => roundSeconds(Math.min(Math.max(seconds, span.start), span.end) - span.start)
  const own = segments
    .flatMap((segment) => within(segment, span) ?? [])
    .map((segment) => ({
      ...segment,
      start: moved(segment.words?.[0]?.start ?? segment.start),
      end: moved(segment.words?.at(-1)?.end ?? segment.end),
      ...(segment.words === undefined
        ? {}
        : { words: segment.words.map(({ start, end, text }) => ({ start: moved(start), end: moved(end), text })) })
    }))
  const cues = cuesOf(own)
  return cues.length === 0 ? undefined : webVtt(cues)
}
