import type { AverageLengths } from "../types.ts"

/**
 * The weight of an occurrence in `named`, by its tsvector weight: D and C 1, B 3, A 6 (titles and names 6, items and
 * headline 3).
 */
export const weightOf: ReadonlyArray<number> = [1, 1, 3, 6]

/**
 * The impact of a posting: its term's contribution to the score of its document, quantized to a byte from 1 to 255.
 * BM25F (Robertson, Zaragoza, Taylor, "Simple BM25 extension to multiple weighted fields", 2004) over two fields, each
 * normalized by its length, with k1 = 6:
 *
 * tf = weight / (0.5 + 0.5 namedWords / average) + 0.5 passageFrequency / (0.4 + 0.6 passages / average)
 *     impact = 255 tf / (6 + tf)
 *
 * `weight` sums `weightOf` over the term's occurrences in `named`; `passageFrequency` is the number of passages with
 * the term.
 */
export const impactOf = (
  weight: number,
  passageFrequency: number,
  namedWords: number,
  passages: number,
  averages: AverageLengths
): number => {
  const tf =
    weight / (0.5 + (0.5 * namedWords) / Math.max(1, averages.named)) +
    (0.5 * passageFrequency) / (0.4 + (0.6 * passages) / Math.max(1, averages.passages))
  return Math.max(1, Math.round((255 * tf) / (6 + tf)))
}
