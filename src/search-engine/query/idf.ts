import type { Part } from "../format/part.ts"

/**
 * How telling a lexeme is, over all parts, so that the scores of parts compare: ln(1 + (N - df + 0.5) / (df + 0.5)).
 */
export const idfOf = (parts: ReadonlyArray<Part>, lexeme: string): number => {
  const documents = parts.reduce((sum, { segment }) => sum + segment.documents, 0)
  const frequency = parts.reduce((sum, { segment }) => sum + segment.frequency(segment.term(lexeme)), 0)
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
}
