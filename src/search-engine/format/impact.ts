import type { AverageLengths } from "../types.ts"

/**
 * The weight of an occurrence in `named`, by its tsvector weight: D and C 1, B 3, A 6 (titles and names 6, items and
 * headline 3).
 */
export const weightOf: ReadonlyArray<number> = [1, 1, 3, 6]

/** How often a document has a term. */
interface TermFrequencies {
  /** The sum of `weightOf` over its occurrences in `named`. */
  readonly weight: number
  /** The number of passages of the transcript with it. */
  readonly spoken: number
  /** The number of printed passages with it. */
  readonly printed: number
}

/**
 * The impact of a posting: its term's contribution to the score of its document, quantized to a byte from 1 to 255.
 * BM25F (Robertson, Zaragoza, Taylor, "Simple BM25 extension to multiple weighted fields", 2004) over three fields,
 * each normalized by its length, with k1 = 6:
 *
 *     tf = weight / (0.5 + 0.5 namedWords / average) + 0.5 passages with the term / (0.4 + 0.6 passages / average) + p
 *     p = x / (1 + x / 2)    x = 0.25 printed passages with the term / (0.4 + 0.6 printed passages / average)
 *     impact = 255 tf / (6 + tf)
 *
 * `weight` sums `weightOf` over the term's occurrences in `named`. What is printed adds less than 2, however long it
 * is: less than an item of the agenda, so that a packet of hundreds of pages does not outrank what a meeting is about.
 */
export const impactOf = (
  { weight, spoken, printed }: TermFrequencies,
  lengths: AverageLengths,
  averages: AverageLengths
): number => {
  const share = (field: keyof AverageLengths) => lengths[field] / Math.max(1, averages[field])
  const onPaper = (0.25 * printed) / (0.4 + 0.6 * share("printed"))
  const tf =
    weight / (0.5 + 0.5 * share("named")) +
    (0.5 * spoken) / (0.4 + 0.6 * share("passages")) +
    onPaper / (1 + onPaper / 2)
  return Math.max(1, Math.round((255 * tf) / (6 + tf)))
}
