import { calendarDate } from "./primitives.ts"

/**
 * A browse query in the syntax people know from web search: words, "phrases", -not, or, and words that name where to
 * look, such as `speaker:`. PostgreSQL's `websearch_to_tsquery` reads much of the same syntax, but a transcript has
 * more positions than a tsvector can hold (PostgreSQL 12.11), so phrases are kept apart here and looked up in passages
 * of the transcript.
 */
export interface SearchQuery {
  /** At least one of these must match. */
  readonly either: ReadonlyArray<Conjunction>
}

/** All of these must match. */
export interface Conjunction {
  readonly words: ReadonlyArray<string>
  readonly phrases: ReadonlyArray<string>
  readonly notWords: ReadonlyArray<string>
  readonly notPhrases: ReadonlyArray<string>
  readonly scopes: ReadonlyArray<Scope>
  /** Words that need not match, and let a meeting that has them come earlier; they are not written. */
  readonly helpful?: ReadonlyArray<string>
  /** The words as they were typed, if some of them were let go: the places of `words` among them. */
  readonly typed?: ReadonlyArray<string>
}

/** The scopes that may stand before a colon in a query. */
export type ScopeName = "speaker" | "body" | "place" | "person" | "matter" | "document" | "before" | "after"

/**
 * `speaker:"Ada Marsh"`: somebody with this name speaks. `body:` and `place:` take words of a name or a slug; `person:`
 * somebody who votes, by name or slug; `matter:` a matter by its number in any spelling, its slug or words of its
 * title; `document:` words that stand together in a document of the meeting. `after:` and `before:` take a day, a month
 * or a year, in figures or words: on its first day or later, and
 * earlier than its first day, so that `after:2025 before:2026` is the year 2025. A blank may follow the colon; a scope
 * that asks for nothing is passed over.
 */
export interface Scope {
  readonly name: ScopeName
  readonly text: string
  readonly negated: boolean
}

interface Token {
  readonly negated: boolean
  readonly quoted: boolean
  readonly scope: ScopeName | undefined
  readonly text: string
}

const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** The scopes that take a name, and all of them, as alternatives of a pattern. */
const named = "speaker|body|place|person|matter|document"
const scope = `${named}|before|after`

const pattern = new RegExp(`(-*)(?:(${scope}):)?"([^"]*)"?|(-*)(${scope}):([^\\s"]+)|(\\S+)`, "giu")
const beforeQuote = new RegExp(`(?<=(?:^|\\s)-*)(${scope}): +(?=")`, "giu")
const beforeName = new RegExp(`(?<=(?:^|\\s)-*)(${named}): +(?=[\\p{L}\\p{N}])(?!or(?!\\S)|(?:${scope}):)`, "giu")
const empty = new RegExp(`(?<!\\S)-*(?:${scope}):(?!\\S)`, "giu")

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const month = `(${months.join("|")})[a-z]*\\.?`
/** `May 2024`, `May 5, 2024` and `5 May 2024`. */
const dayInMonth = new RegExp(`^(?:(\\d{1,2}) +)?${month}(?:[ -]+(\\d{1,2})(?:st|nd|rd|th)?,?)?[ -]+(\\d{4})$`, "i")
const dateInWords = new RegExp(`(?<=(?:^|\\s)-*)(before|after): *(${dayInMonth.source.slice(1, -1)})(?!\\S)`, "giu")

/**
 * Normalizes a query to the letters and marks of the grammar: full-width forms become plain ones, typographic quotation
 * marks and hyphens those of a keyboard; no blank follows the colon of a scope, a date in words is quoted, and empty
 * scopes are dropped.
 */
const asMeant = (q: string): string =>
  q
    .normalize("NFKC")
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[\u2010\u2011\u2212]/g, "-")
    .replace(dateInWords, '$1:"$2"')
    .replace(beforeQuote, "$1:")
    .replace(/(?<=(?:^|\s)-*)(before|after): +(?=\d)/giu, "$1:")
    .replace(beforeName, "$1:")
    .replace(empty, "")

const scopeOf = (written: string | undefined) => written?.toLowerCase() as ScopeName | undefined

const tokens = (q: string): ReadonlyArray<Token> =>
  [...asMeant(q).matchAll(pattern)]
    .map(([, minus, scopeOfQuoted, quoted, minuses, scope, text, bare = ""]): Token => {
      if (quoted !== undefined) {
        return { negated: minus !== "", quoted: true, scope: scopeOf(scopeOfQuoted), text: quoted.trim() }
      }
      if (text !== undefined) return { negated: minuses !== "", quoted: false, scope: scopeOf(scope), text }
      const negated = /^-+[\p{L}\p{N}]/u.test(bare)
      return { negated, quoted: false, scope: undefined, text: bare.replace(/^-+/u, "") }
    })
    .filter(({ text }) => hasWord(text))

/** A single word in quotes counts as a word. */
const isPhrase = (token: Token): boolean => (token.text.match(/[\p{L}\p{N}]+/gu) ?? []).length > 1 && token.quoted

/** Parses a query. One without any word, such as `"" -`, has no conjunctions and matches nothing. */
export const parseSearchQuery = (q: string): SearchQuery => {
  const groups: Array<Array<Token>> = [[]]
  for (const token of tokens(q)) {
    if (!token.quoted && token.scope === undefined && token.text.toLowerCase() === "or") groups.push([])
    else groups.at(-1)?.push(token)
  }
  const pick = (group: ReadonlyArray<Token>, negated: boolean, phrase: boolean) =>
    group
      .filter((token) => token.scope === undefined && token.negated === negated && isPhrase(token) === phrase)
      .map(({ text }) => text)
  return {
    either: groups
      .filter((group) => group.length > 0)
      .map((group) => ({
        words: pick(group, false, false),
        phrases: pick(group, false, true),
        notWords: pick(group, true, false),
        notPhrases: pick(group, true, true),
        scopes: group.flatMap(({ scope, text, negated }) =>
          scope === undefined ? [] : [{ name: scope, text, negated }]
        )
      }))
  }
}

/**
 * Writes a word as it stands in a query, wanted or not: in quotes if it would otherwise be read as something else, such
 * as `or`.
 */
const asWord = (text: string, minus: "" | "-"): string => {
  const [read] = parseSearchQuery(minus + text).either
  const words = minus === "" ? read?.words : read?.notWords
  return words?.[0] === text ? minus + text : `${minus}"${text}"`
}

/** Writes a query as a caller would; parsing it again gives the same query. */
export const writeSearchQuery = (query: SearchQuery): string =>
  query.either
    .map(({ words, phrases, notWords, notPhrases, scopes }) =>
      [
        ...words.map((word) => asWord(word, "")),
        ...phrases.map((phrase) => `"${phrase}"`),
        ...notWords.map((word) => asWord(word, "-")),
        ...notPhrases.map((phrase) => `-"${phrase}"`),
        ...scopes.map(({ name, text, negated }) => `${negated ? "-" : ""}${name}:"${text}"`)
      ].join(" ")
    )
    .join(" or ")

/** A query with what is not written in it. */
export const withUnwritten = (query: SearchQuery, unwritten: Pick<Conjunction, "helpful" | "typed">): SearchQuery => ({
  either: query.either.map((conjunction) => ({ ...conjunction, ...unwritten }))
})

/** Every word or phrase that may have made a meeting match, for locating it in that meeting. */
export const wantedWords = (query: SearchQuery): ReadonlyArray<string> =>
  query.either.flatMap(({ words, phrases }) => [...words, ...phrases])

/** The values of a scope, without the negated ones. */
export const wantedIn = (query: SearchQuery, name: ScopeName): ReadonlyArray<string> =>
  query.either.flatMap(({ scopes }) =>
    scopes.filter((scope) => scope.name === name && !scope.negated).map(({ text }) => text)
  )

/** Year, month and day as they are written in numbers: `2024-05-01`, `2024/5`, `5/1/2024`, `5/2024`. */
const dateInNumbers = /^(\d{4})(?:[-/.](\d{1,2}))?(?:[-/.](\d{1,2}))?$|^(\d{1,2})\/(?:(\d{1,2})\/)?(\d{4})$/

/**
 * The first day of the day, month or year that `before:` or `after:` was given, `YYYY-MM-DD`; undefined if it is none.
 * In `5/1/2024` the month comes first, as in the United States.
 */
export const firstDayOf = (text: string): string | undefined => {
  const [, firstYear, ofYear, ofMonth, monthFirst, dayNext, lastYear] = dateInNumbers.exec(text) ?? []
  const [, dayFirst, name, dayAfter, yearInWords] = dayInMonth.exec(text.trim()) ?? []
  const year = firstYear ?? lastYear ?? yearInWords
  const named = name === undefined ? undefined : months.indexOf(name.toLowerCase()) + 1
  const date = [ofYear ?? monthFirst ?? named ?? 1, ofMonth ?? dayNext ?? dayFirst ?? dayAfter ?? 1]
    .map((part) => String(part).padStart(2, "0"))
    .join("-")
  return year !== undefined && calendarDate(`${year}-${date}`) ? `${year}-${date}` : undefined
}

/** The fault in the scopes of a query, if any. */
export const scopeFault = (q: string): string | undefined =>
  parseSearchQuery(q)
    .either.flatMap(({ scopes }) => scopes)
    .filter(({ name, text }) => (name === "before" || name === "after") && firstDayOf(text) === undefined)
    .map(
      ({ name }) =>
        `must have a day, a month or a year after ${name}:, such as ${name}:2026-03-31, ${name}:"March 2026" or ${name}:2026`
    )[0]
