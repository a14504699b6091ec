/**
 * A browse query in the syntax people know from web search: words, "phrases", -not, or. PostgreSQL's
 * `websearch_to_tsquery` reads the same syntax, but a transcript has more positions than a tsvector can hold
 * (PostgreSQL 12.11), so phrases are kept apart here and looked up in stretches of the transcript.
 */
export interface SearchQuery {
  /** At least one of these must fit. */
  readonly either: ReadonlyArray<Conjunction>
}

/** All of these must fit. */
export interface Conjunction {
  readonly words: ReadonlyArray<string>
  readonly phrases: ReadonlyArray<string>
  readonly notWords: ReadonlyArray<string>
  readonly notPhrases: ReadonlyArray<string>
}

interface Token {
  readonly negated: boolean
  readonly quoted: boolean
  readonly text: string
}

const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

const tokens = (q: string): ReadonlyArray<Token> =>
  [...q.matchAll(/(-?)"([^"]*)"?|(\S+)/gu)].map(([, minus, quoted, bare = ""]) =>
    quoted === undefined
      ? { negated: /^-+[\p{L}\p{N}]/u.test(bare), quoted: false, text: bare.replace(/^-+/u, "") }
      : { negated: minus === "-", quoted: true, text: quoted }
  )

/** A single word in quotes counts as a word. */
const isPhrase = (token: Token): boolean => (token.text.match(/[\p{L}\p{N}]+/gu) ?? []).length > 1 && token.quoted

/** Parses a query. One without any word, such as `"" -`, has no conjunctions and fits nothing. */
export const parseSearchQuery = (q: string): SearchQuery => {
  const groups: Array<Array<Token>> = [[]]
  for (const token of tokens(q)) {
    if (!token.quoted && token.text.toLowerCase() === "or") groups.push([])
    else if (hasWord(token.text)) groups.at(-1)?.push(token)
  }
  const pick = (group: ReadonlyArray<Token>, negated: boolean, phrase: boolean) =>
    group.filter((token) => token.negated === negated && isPhrase(token) === phrase).map((token) => token.text)
  return {
    either: groups
      .filter((group) => group.length > 0)
      .map((group) => ({
        words: pick(group, false, false),
        phrases: pick(group, false, true),
        notWords: pick(group, true, false),
        notPhrases: pick(group, true, true)
      }))
  }
}

/** A query as a caller would write it; parsing it again gives the same query. */
export const writeSearchQuery = (query: SearchQuery): string =>
  query.either
    .map(({ words, phrases, notWords, notPhrases }) =>
      [
        ...words,
        ...phrases.map((phrase) => `"${phrase}"`),
        ...notWords.map((word) => `-${word}`),
        ...notPhrases.map((phrase) => `-"${phrase}"`)
      ].join(" ")
    )
    .join(" or ")

/** Every word or phrase that may have made a meeting fit, for locating it in that meeting. */
export const wantedWords = (query: SearchQuery): ReadonlyArray<string> =>
  query.either.flatMap(({ words, phrases }) => [...words, ...phrases])
