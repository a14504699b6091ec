import type { Segment } from "../../schema/transcript.ts"

/** A word with its time in the recording, and its place in the text of its turn, in UTF-16 units. */
export interface Placed {
  readonly start: number
  readonly end: number
  readonly from: number
  readonly to: number
}

/**
 * The pieces of segments as a turn shows them. `lengths` has the characters of each (`12,0,+30`), if the page shows
 * other text than the record has: `+` goes on with the segment before, from the word that `>>` marks, and a piece
 * without characters is not shown. `split` is what an earlier turn left of a segment.
 */
export const piecesOf = (
  segments: ReadonlyArray<Segment>,
  lengths: string | undefined,
  split: ReadonlyArray<Segment> = []
): { readonly pieces: ReadonlyArray<Piece>; readonly left: ReadonlyArray<Segment> } => {
  if (lengths === undefined) return { pieces: segments.map((one) => ({ ...one, length: one.text.length })), left: [] }
  const pieces: Array<Piece> = []
  let [next, left] = [0, split]
  for (const length of lengths.split(",")) {
    if (!length.startsWith("+")) {
      const segment = segments[next]
      if (segment === undefined) break
      next += 1
      left = partsOf(segment)
    }
    const [part, ...others] = left
    if (part !== undefined) pieces.push({ ...part, length: Number(length.replace("+", "")) })
    if (others.length > 0) left = others
  }
  return { pieces, left }
}

export interface Piece extends Segment {
  readonly length: number
}

/** A segment by its changes of speaker. */
const partsOf = (segment: Segment): ReadonlyArray<Segment> => {
  const parts: Array<Array<NonNullable<Segment["words"]>[number]>> = [[]]
  for (const word of segment.words ?? []) {
    const bare = word.text.replace(/^>+\s*/, "")
    if (bare !== word.text && (parts.at(-1)?.length ?? 0) > 0) parts.push([])
    if (bare !== "") parts.at(-1)?.push({ ...word, text: bare })
  }
  return parts.map((words) => ({ ...segment, words }))
}

/** Locates each word of the pieces in their joined text; a piece without words counts as one word. */
export const placed = (text: string, pieces: ReadonlyArray<Piece>): ReadonlyArray<Placed> => {
  const found: Array<Placed> = []
  const plain = folded(text)
  let [from, segmentFrom] = [0, 0]
  for (const { start, end, length, words = [] } of pieces) {
    if (length === 0) continue
    const segmentTo = segmentFrom + length
    if (words.length === 0) found.push({ start, end, from: segmentFrom, to: segmentTo })
    for (const word of words) {
      const at = plain.indexOf(folded(word.text), from)
      // A word that the refined text leaves out has no place in it.
      if (at < 0 || at + word.text.length > segmentTo) continue
      from = at + word.text.length
      found.push({ start: word.start, end: word.end, from: at, to: from })
    }
    segmentFrom = segmentTo + 1
    from = segmentFrom
  }
  return found
}

/** The index of the last of the sorted `starts` that is not after `time`; -1 before the first. */
export const lastBefore = (starts: ArrayLike<number>, time: number): number => {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= time) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Seconds as people read them: `1:02:03`, or `2:03`. */
export const clock = (seconds: number): string => {
  const [hours = 0, minutes = 0, rest = 0] = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(Math.floor)
  const two = (value: number) => String(value).padStart(2, "0")
  return hours === 0 ? `${minutes}:${two(rest)}` : `${hours}:${two(minutes)}:${two(rest)}`
}

/** Folds text so that "angstrom" finds "Ångström". The length stays the same, so offsets hold in both. */
export const folded = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all but ASCII, which is most of any text, and as it is
    .replace(/[^\x00-\x7f]/g, (sign) => (sign === "’" ? "'" : (sign.normalize("NFD")[0] ?? sign)))
    .toLowerCase()
