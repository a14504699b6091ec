import type { Chapter } from "../../../schema/meeting.ts"
import type { Segment } from "../../../schema/transcript.ts"

/** One paragraph of a transcript: what one speaker says on end. */
export interface Turn {
  /** In seconds. */
  readonly start: number
  readonly speaker?: string
  /** The speaker of the turn before goes on. */
  readonly goesOn: boolean
  readonly text: string
  /** How many segments of the transcript it is made of, in order. */
  readonly segments: number
  /** The chapter that begins with it, by its title. */
  readonly opens?: string
}

/** A pause after which a speaker begins a new paragraph, in seconds. */
const pause = 4
/** Beyond this many seconds a paragraph is hard to read, and its one time says little. */
const longest = 60

/** What a transcript's segments are to a reader: paragraphs by speaker, pause and chapter. Every segment is in one. */
export const turnsOf = (segments: ReadonlyArray<Segment>, chapters: ReadonlyArray<Chapter>): ReadonlyArray<Turn> => {
  const turns: Array<{ -readonly [K in keyof Turn]: Turn[K] }> = []
  let [chapter, ended] = [-1, 0]
  for (const { start, end, speaker, text } of segments) {
    // Chapters and segments are timed apart from each other, so a hair's breadth makes no difference.
    const inChapter = chapters.findLastIndex((one) => one.start <= start + 0.05)
    const last = turns.at(-1)
    const isSame = last !== undefined && last.speaker === speaker && inChapter === chapter
    if (isSame && start - ended < pause && start - last.start < longest) {
      last.text += ` ${text}`
      last.segments += 1
    } else {
      const opens = inChapter > chapter ? chapters[inChapter]?.title : undefined
      turns.push({
        start,
        ...(speaker === undefined ? {} : { speaker }),
        goesOn: isSame,
        text,
        segments: 1,
        ...(opens === undefined ? {} : { opens })
      })
    }
    chapter = Math.max(chapter, inChapter)
    ended = end
  }
  return turns
}

/** Addresses count whole seconds, rounded down: whatever begins within that second is what was meant. */
export const meant = (second: number, segments: ReadonlyArray<Pick<Segment, "start">>): number =>
  Math.max(second, segments.findLast(({ start }) => start < second + 1)?.start ?? 0)
