/**
 * A query of browse in the syntax people know from web search: words, "phrases", -not, or. PostgreSQL's
 * `websearch_to_tsquery` reads the same, but a transcript is longer than the positions it can keep (PostgreSQL 12.11),
 * so phrases are told apart here and looked for in stretches of the transcript.
 */
export interface SearchQuery {
  /** One of these must fit. */
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

/** One word in quotes is a word. */
const isPhrase = (token: Token): boolean => (token.text.match(/[\p{L}\p{N}]+/gu) ?? []).length > 1 && token.quoted

/** Reads a query; one without a single word, such as `"" -`, has no conjunction and fits nothing. */
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

/** Every word that a fitting meeting may owe its place to, for finding where in it they stand. */
export const wantedWords = (query: SearchQuery): ReadonlyArray<string> =>
  query.either.flatMap(({ words, phrases }) => [...words, ...phrases])
