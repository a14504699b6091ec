import type { Averages } from "../types.ts"

/** What a word counts in `named` by its weight: D and C 1, B 3, A 6 (titles and names 6, items and headline 3). */
export const weightOf: ReadonlyArray<number> = [1, 1, 3, 6]

/**
 * What one term adds to the score of one document, in a byte from 1 to 255: BM25F (Robertson, Zaragoza, Taylor, "Simple
 * BM25 extension to multiple weighted fields", 2004) over two fields, each normalized by its length, with k1 = 6:
 *
 *     tf = weight / (0.5 + 0.5 namedWords / average) + 0.5 said / (0.4 + 0.6 passages / average)
 *     impact = 255 tf / (6 + tf)
 *
 * `weight` sums `weightOf` over the word's places in `named`; `said` is how many passages hold the word.
 */
export const impactOf = (
  weight: number,
  said: number,
  namedWords: number,
  passages: number,
  averages: Averages
): number => {
  const tf =
    weight / (0.5 + (0.5 * namedWords) / Math.max(1, averages.named)) +
    (0.5 * said) / (0.4 + (0.6 * passages) / Math.max(1, averages.passages))
  return Math.max(1, Math.round((255 * tf) / (6 + tf)))
}
