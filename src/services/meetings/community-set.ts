import type { Span } from "../../../schema/briefing.ts"

const millis = (seconds: number): number => Math.round(seconds * 1000)

/**
 * Whether two clips show the same thing: their overlap is at least 0.8 of their union (contract section 4). Computed in
 * whole milliseconds, so that the bound is exact.
 */
export const repeats = (one: Span, other: Span): boolean => {
  const shared = millis(Math.min(one.end, other.end)) - millis(Math.max(one.start, other.start))
  const together = millis(Math.max(one.end, other.end)) - millis(Math.min(one.start, other.start))
  return shared > 0 && shared * 10 >= together * 8
}

/**
 * The deduplicated community set: readers' clips, oldest first, without those that repeat a published curated clip or
 * an older clip of the set.
 */
export const communitySet = <Clip extends Span>(
  curated: ReadonlyArray<Span>,
  oldestFirst: ReadonlyArray<Clip>
): ReadonlyArray<Clip> => {
  const set: Array<Clip> = []
  for (const clip of oldestFirst) {
    if (![...curated, ...set].some((kept) => repeats(clip, kept))) set.push(clip)
  }
  return set
}
