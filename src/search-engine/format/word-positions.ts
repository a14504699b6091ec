/**
 * The position of a word in its document, as one number. The words of `named` are at 1 to 16383, as PostgreSQL numbers
 * them (a tsvector has no higher position). Each passage of the transcript begins at a multiple of 256, and at least
 * 256 numbers lie between the last word of one and the first of the next, as between `named` and the first passage. So
 * words less than 256 apart are in the same text, which makes phrases exact. Printed passages follow those of the
 * transcript in the same way.
 */
export const firstPassage = 65 << 8

/** Phrases are exact up to this distance between their first and last words; a wider phrase matches nothing. */
export const widestPhrase = 255

/** Every position is below this, which leaves room for four million passages. */
export const positionLimit = 2 ** 31

/** The base of the passage after the one with this base and this highest position. */
export const nextPassage = (base: number, highest: number): number => base + (((highest >>> 8) + 2) << 8)

/** If no word of a passage is beyond this position, a position identifies its passage. */
export const widestPassage = 255

/** Where the printed passages begin of a document that has none: beyond every position. */
export const nowhere = 2 ** 32 - 1

/** The bits of `doc.wide`: a document has a wider passage of that kind. */
export const wide = { spoken: 1, printed: 2 } as const

/**
 * The ordinal of the passage that a position is in, among those from position `first` on, none of which is wider than
 * `widestPassage`.
 */
export const passageOf = (position: number, first: number): number => (position - first) >>> 9

/** The position of a word in its passage, from 1, in such a document. */
export const positionInPassage = (position: number): number => (position - firstPassage) & 511
