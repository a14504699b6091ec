import type { Segment } from "../../../schema/transcript.ts"

/** An excerpt of a transcript for a model: segments `from` up to but not including `to`, one per line. */
export interface Excerpt {
  readonly from: number
  readonly to: number
  /** `number [minute:second] speaker: text`; numbers run through the whole transcript. */
  readonly text: string
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`

const lineOf = ({ start, speaker, text }: Segment, at: number): string =>
  `${at} [${clock(start)}] ${speaker === undefined ? "" : `${speaker}: `}${text.replace(/\s+/g, " ")}`

/**
 * Splits a transcript into excerpts of at most `most` characters. A longer line is truncated, and segments that
 * `isWanted` rejects are left out.
 */
export const excerptsOf = (
  segments: ReadonlyArray<Segment>,
  most: number,
  isWanted: (at: number) => boolean = () => true
): ReadonlyArray<Excerpt> => {
  const excerpts: Array<Excerpt> = []
  for (const [at, segment] of segments.entries()) {
    if (!isWanted(at)) continue
    const line = lineOf(segment, at).slice(0, most)
    const last = excerpts.at(-1)
    if (last !== undefined && last.text.length + line.length < most) {
      excerpts[excerpts.length - 1] = { from: last.from, to: at + 1, text: `${last.text}\n${line}` }
    } else excerpts.push({ from: at, to: at + 1, text: line })
  }
  return excerpts
}

/** The numbers of the matching segments, and of the `reach` segments before and after each. */
export const around = (
  segments: ReadonlyArray<Segment>,
  reach: number,
  matches: (segment: Segment) => boolean
): ReadonlySet<number> =>
  new Set(
    segments.flatMap((segment, at) =>
      matches(segment) ? Array.from({ length: 2 * reach + 1 }, (_, offset) => at - reach + offset) : []
    )
  )
