/** What one search may ask for (contract section 2). Every common word and every phrase is one more pass over all that was said. */
export const mostInSearch = { words: 16, phrases: 4, words_of_phrase: 8 } as const

/** What a search has too much of: `found` of it, where at most `most` are allowed. */
export interface SearchExcess {
  readonly what: keyof typeof mostInSearch
  readonly found: number
  readonly most: number
}
