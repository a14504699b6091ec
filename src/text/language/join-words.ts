import type { Word } from "../../../schema/transcript.ts"
import { keyOf } from "./spoken-words.ts"

/** The most seconds between two recognitions of one word. */
const mostDrift = 1

/** The number of words in a run that outweigh a second of average drift. */
const driftWeight = 20

interface Meeting {
  /** The last word taken from the earlier piece, and the first from the later. */
  readonly keep: number
  readonly from: number
}

const middle = ({ start, end }: Word): number => (start + end) / 2

/** Where both pieces have the same words at the same time, as near the middle of their overlap as possible. */
const meetingOf = (earlier: ReadonlyArray<Word>, later: ReadonlyArray<Word>, at: number): Meeting | undefined => {
  const [left, right] = [earlier.map(({ text }) => keyOf(text)), later.map(({ text }) => keyOf(text))]
  const driftOf = (i: number, j: number) => Math.abs((earlier[i]?.start ?? 0) - (later[j]?.start ?? 0))
  const isSame = (i: number, j: number) =>
    left[i] !== undefined && left[i] !== "" && left[i] === right[j] && driftOf(i, j) <= mostDrift
  let best: (Meeting & { readonly score: number }) | undefined
  for (const i of left.keys()) {
    for (const j of right.keys()) {
      // Each run of equal words is measured once, from its first word.
      if (!isSame(i, j) || isSame(i - 1, j - 1)) continue
      let [length, drift, nearest] = [0, 0, 0]
      while (isSame(i + length, j + length)) {
        drift += driftOf(i + length, j + length)
        const distance = (offset: number) =>
          Math.abs(middle(earlier[i + offset] ?? { start: 0, end: 0, text: "" }) - at)
        if (distance(length) < distance(nearest)) nearest = length
        length += 1
      }
      const score = length - (driftWeight * drift) / length
      if (best === undefined || score > best.score) best = { keep: i + nearest, from: j + nearest + 1, score }
    }
  }
  return best
}

/** A recognized piece of a recording: its words, timed from the start of the recording, and the seconds it covers. */
export interface Piece<W extends Word = Word> {
  readonly start: number
  readonly end: number
  readonly words: ReadonlyArray<W>
}

/**
 * Joins overlapping pieces in order, without losing or repeating a word. Within an overlap the cut falls where both
 * pieces have the same words at the same time, away from the edges, where words are cut in half. If they agree on
 * nothing, it falls in the middle.
 */
export const joinPieces = <W extends Word>(pieces: ReadonlyArray<Piece<W>>): ReadonlyArray<W> => {
  const [opening, ...others] = pieces
  let words: ReadonlyArray<W> = opening?.words ?? []
  let end = opening?.end ?? 0
  for (const piece of others) {
    // A piece that ends within an earlier one adds nothing.
    if (piece.end <= end) continue
    const at = (piece.start + end) / 2
    const first = words.findIndex(({ end }) => end > piece.start - mostDrift)
    const shared = first === -1 ? [] : words.slice(first)
    const until = end + mostDrift
    const head = piece.words.filter(({ start }) => start < until)
    const meeting = meetingOf(shared, head, at)
    words =
      meeting === undefined
        ? [...words.filter((word) => middle(word) < at), ...piece.words.filter((word) => middle(word) >= at)]
        : [...words.slice(0, first + meeting.keep + 1), ...piece.words.slice(meeting.from)]
    end = piece.end
  }
  return words
}
