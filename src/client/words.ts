import type { Segment } from "../../schema/transcript.ts"

/** A word with its time in the recording, and its place in the text of its turn, in UTF-16 units. */
export interface Placed {
  readonly start: number
  readonly end: number
  readonly from: number
  readonly to: number
}

/** Locates each word of the segments in their joined text; a segment without words counts as one word. */
export const placed = (text: string, segments: ReadonlyArray<Segment>): ReadonlyArray<Placed> => {
  const found: Array<Placed> = []
  let [from, segmentFrom] = [0, 0]
  for (const { start, end, text: said, words = [] } of segments) {
    const segmentTo = segmentFrom + said.length
    for (const word of words.length > 0 ? words : [{ start, end, text: said }]) {
      const at = text.indexOf(word.text, from)
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
