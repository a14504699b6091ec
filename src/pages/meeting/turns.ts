import type { Chapter } from "../../../schema/meeting.ts"
import type { Segment } from "../../../schema/transcript.ts"
import type { ShownSegment } from "../../text/captions-view.ts"

/** One paragraph of a transcript: one speaker's uninterrupted words. */
export interface Turn {
  /** In seconds. */
  readonly start: number
  readonly speaker?: string
  /** The previous turn's speaker continues. */
  readonly goesOn: boolean
  readonly text: string
  /** How many segments of the transcript it consists of, in order. */
  readonly segments: number
  /**
   * If the page shows other text than the record has: the characters that each piece takes, and `+` before one that
   * goes on with the segment before it.
   */
  readonly lengths?: string
  /** The title of the chapter that begins with it. */
  readonly opens?: string
}

/** A pause after which a speaker begins a new paragraph, in seconds. */
const pause = 4
/** Beyond this many seconds a paragraph is hard to read, and a single time says little. */
const longest = 60

/**
 * Groups a transcript's segments for reading: paragraphs by speaker, pause and chapter. Every segment is in exactly
 * one, or each of its pieces is.
 */
export const turnsOf = (
  segments: ReadonlyArray<ShownSegment>,
  chapters: ReadonlyArray<Chapter>
): ReadonlyArray<Turn> => {
  const turns: Array<{ -readonly [K in keyof Turn]: Turn[K] }> = []
  const pieces: Array<Array<ShownSegment>> = []
  let [chapter, ended] = [-1, 0]
  for (const segment of segments) {
    const { start, end, speaker, text, begins, rest } = segment
    const last = turns.at(-1)
    if (text === "" && last !== undefined) {
      last.segments += 1
      pieces.at(-1)?.push(segment)
      ended = end
      continue
    }
    // Chapters and segments are timed independently, so tiny differences are ignored.
    const inChapter = chapters.findLastIndex((one) => one.start <= start + 0.05)
    const isSame = last !== undefined && last.speaker === speaker && inChapter === chapter && begins !== true
    if (isSame && ((start - ended < pause && start - last.start < longest) || last.text === "")) {
      last.text += last.text === "" ? text : ` ${text}`
      last.segments += 1
      pieces.at(-1)?.push(segment)
    } else {
      const opens = inChapter > chapter ? chapters[inChapter]?.title : undefined
      turns.push({
        start,
        ...(speaker === undefined ? {} : { speaker }),
        goesOn: isSame,
        text,
        segments: rest === true ? 0 : 1,
        ...(opens === undefined ? {} : { opens })
      })
      pieces.push([segment])
    }
    chapter = Math.max(chapter, inChapter)
    ended = end
  }
  return turns.map((turn, index) =>
    pieces[index]?.some(({ altered }) => altered === true)
      ? { ...turn, lengths: pieces[index].map(({ rest, text }) => `${rest ? "+" : ""}${text.length}`).join() }
      : turn
  )
}

/** Addresses hold whole seconds, rounded down, so the first turn that begins within that second is meant. */
export const meant = (second: number, segments: ReadonlyArray<Pick<Segment, "start">>): number =>
  Math.max(second, segments.findLast(({ start }) => start < second + 1)?.start ?? 0)
