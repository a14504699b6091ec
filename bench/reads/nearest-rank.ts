/** Percentiles of some times, by nearest rank. */
export const nearestRank = (times: ReadonlyArray<number>): ((share: number) => number) => {
  const sorted = times.toSorted((a, b) => a - b)
  return (share) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}
