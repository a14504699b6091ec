/**
 * The most that one search may ask for (contract section 2). Every common word and every phrase is one more pass over
 * the transcripts.
 */
export const mostInSearch = { words: 16, phrases: 4, words_of_phrase: 8 } as const

/** The most that one page of a search may hold, in megabytes of JSON: texts have no length of their own. */
export const mostOnPage = 5

/** A search exceeds a limit: it has `found` of something, where at most `most` are allowed. */
export interface SearchExcess {
  readonly what: keyof typeof mostInSearch
  readonly found: number
  readonly most: number
}
