import { Effect } from "effect"
import type { ReadSql } from "../../../../layers/db/db.ts"
import type { Scope, ScopeName, SearchQuery } from "../../../../schema/search-query.ts"
import { fold } from "../../../text/fold.ts"
import { mostCounted } from "../found/found.ts"
import { asTsqueries, bodiesAt, bodiesNamed, spokenBy } from "../query/search-sql.ts"
import { withSpellings } from "../query/spellings.ts"

/** A possible replacement for a misspelled word. */
interface Correction {
  readonly word: string
  /** How often it was written. */
  readonly times: number
  readonly edits: number
  readonly soundsAlike: boolean
  /** The logarithm of its likelihood. */
  readonly score: number
}

/** A query with more suspect words is not misspelled but about something else. */
const mostSuspects = 3
/** The most corrections that are tried, per word and for all words together, likeliest first. */
const mostTried = 8
/** A word of `word_form` used more often than this is assumed to be still on record, without a search for it. */
const surelyHeld = 20
/** A query that matches more meetings is not checked for misspellings. */
export const mostDoubted = 20
/**
 * A query that matches some meetings only by the stems of words that were never written may still be spelled right:
 * `inventing` shares its stem with `invented`, but `homlessness` with another typo. It is corrected only if one edit of
 * a word long enough to have few neighbors makes it match this many times as many meetings.
 */
const farMore = 20
const isFarFromOthers = (word: string): boolean => word.length >= 7

/** The most edits between a misspelled word and its correction. */
const mostEdits = (word: string) => (word.length < 7 ? 1 : 2)
/** Words that sound alike may differ by more edits. */
const mostEditsBySound = 3

/** The number of meetings that match each of these queries; inexact above `mostCounted`. */
export type CountsOf<E> = (queries: ReadonlyArray<SearchQuery>) => Effect.Effect<ReadonlyArray<number>, E>

/**
 * The edit distance of two words: letters inserted, deleted or replaced, or neighbors swapped (Damerau-Levenshtein, no
 * letter edited twice).
 */
const editDistance = (a: string, b: string): number => {
  let before: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
          isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
        )
      )
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}

const queryOf = (word: string): SearchQuery => ({
  either: [{ words: [word], phrases: [], notWords: [], notPhrases: [], scopes: [] }]
})

const wordPattern = /\p{L}[\p{L}\p{M}\p{N}'’]*/gu

export const wordsIn = (text: string): ReadonlyArray<string> => text.match(wordPattern) ?? []

/** A quoted name is meant as spelled: `"Ada Marsh"` is not `"Ida Marsh"`. */
export const isName = (word: string): boolean => /^\p{Lu}/u.test(word)

/** A word that may be misspelled, and whether it can only be part of a name. */
interface Suspect {
  readonly word: string
  readonly isNamed: boolean
  /** The number of meetings with another word of the same stem. */
  readonly alike: number
}

/**
 * The words of a query that no meeting holds, or that were never written although another word with their stem is on
 * record (`rasonable` shares that of the name Rason). Stop words, such as "and", are excluded.
 */
const suspectWords = Effect.fnUntraced(function* <E>(db: ReadSql, words: ReadonlyArray<string>, countsOf: CountsOf<E>) {
  const rows = yield* db<{ word: string; is_written: boolean }>`
    select given.word, given.folded !~ '^[[:alpha:]]{4,40}$'
      or exists (select from word_form f where f.word = given.folded) as is_written
    from unnest(${words}::text[], ${words.map(fold)}::text[]) given (word, folded)
    where numnode(search_words(given.word)) > 0
      and not exists (select from word_form f where f.word = given.folded and f.times > ${surelyHeld})`
  const counts = rows.length === 0 ? [] : yield* countsOf(rows.map(({ word }) => queryOf(word)))
  return rows
    .map(({ word, is_written }, at) => ({ word, is_written, alike: counts[at] ?? 0 }))
    .filter(({ is_written, alike }) => alike === 0 || !is_written)
    .map(({ word, alike }): Suspect => ({ word, isNamed: false, alike }))
})

const named = { speaker: spokenBy, body: bodiesNamed, place: bodiesAt }
const isNamed = (name: ScopeName): name is keyof typeof named => name in named

/** The words of scopes that match nobody and nothing, except words that do match by themselves. */
const suspectNames = Effect.fnUntraced(function* (db: ReadSql, scopes: ReadonlyArray<Scope>) {
  const isKnown = (name: keyof typeof named, text: string) =>
    Effect.map(
      db<{ known: boolean }>`select exists (${named[name](db, text)}) as known`,
      ([found]) => found?.known === true
    )
  const suspects: Array<Suspect> = []
  for (const { name, text } of scopes) {
    if (!isNamed(name) || (yield* isKnown(name, text))) continue
    for (const word of wordsIn(text))
      if (!(yield* isKnown(name, word))) suspects.push({ word, isNamed: true, alike: 0 })
  }
  return suspects
})

/**
 * The likeliest replacements for a word that no meeting holds: few edits, the same first letter, frequent or a name. A
 * word that is only doubted, because its stem is on record, gets those with the same first letter that are one edit
 * away.
 */
export const correctionsOf = Effect.fnUntraced(function* (
  db: ReadSql,
  { word: suspect, isNamed }: Suspect,
  isDoubted: boolean
) {
  const word = fold(suspect)
  if (!/^\p{L}{4,40}$/u.test(word)) return []
  const most = mostEdits(word)
  const rows = yield* db<{ word: string; times: number; is_name: boolean; sounds: boolean }>`
    select f.word, f.times, f.is_name, dmetaphone(f.word) = dmetaphone(${word}) as sounds from word_form f
    where (f.is_name or not ${isNamed}::boolean)
      and length(f.word) between ${word.length - most}::int and ${word.length + most}::int
      and (left(f.word, 1) = left(${word}, 1) or right(f.word, 2) = right(${word}, 2))
      -- A swap of neighbors is two edits here, and one below.
      and levenshtein_less_equal(f.word, ${word}, ${most + 1}::int) <= ${most + 1}::int
    union
    select f.word, f.times, f.is_name, true from word_form f
    where (f.is_name or not ${isNamed}::boolean)
      and dmetaphone(f.word) = dmetaphone(${word}) and dmetaphone(${word}) <> ''
      and levenshtein_less_equal(f.word, ${word}, ${mostEditsBySound}::int) <= ${mostEditsBySound}::int
    union
    -- "O'Brien" is stored as two words.
    select concat('o', chr(39), f.word), f.times, true, true from word_form f
    where f.word = ${/^o(\p{L}{4,})$/u.exec(word)?.[1] ?? ""}
    order by times desc limit 2000`
  const likely = rows
    .flatMap((row): ReadonlyArray<Correction> => {
      const edits = editDistance(word, row.word)
      const beginsAlike = row.word[0] === word[0]
      if (edits > (row.sounds ? mostEditsBySound : most) || (isDoubted && (edits > 1 || !beginsAlike))) return []
      const start = beginsAlike ? 0 : 3
      return [
        {
          word: row.word,
          times: row.times,
          edits,
          soundsAlike: row.sounds,
          score: Math.log(row.times) - 5 * edits - start + (row.is_name ? 1.5 : 0)
        }
      ]
    })
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 2 * mostTried)
  // A word that search ignores would only leave one word fewer.
  const tsqueries =
    likely.length === 0
      ? []
      : yield* asTsqueries(
          db,
          likely.map(({ word }) => word)
        )
  return likely.filter((_, at) => tsqueries[at]?.every !== "").slice(0, mostTried)
})

/** Capitalizes a correction as the misspelled word was. */
const corrected = (text: string, corrections: ReadonlyMap<string, string>): string =>
  text.replace(wordPattern, (word) => {
    const correction = corrections.get(word) ?? word
    return isName(word) ? correction.replace(/^./u, (letter) => letter.toUpperCase()) : correction
  })

export const withCorrections = (query: SearchQuery, corrections: ReadonlyMap<string, string>): SearchQuery => ({
  either: query.either.map((conjunction) => ({
    ...conjunction,
    words: conjunction.words.map((word) => corrected(word, corrections)),
    phrases: conjunction.phrases.map((phrase) => corrected(phrase, corrections)),
    scopes: conjunction.scopes.map((scope) => ({ ...scope, text: corrected(scope.text, corrections) }))
  }))
})

/**
 * The query with each word that no meeting holds replaced by the likeliest word of the record, so that some meeting
 * matches. Quoted words are corrected too, but not quoted names; words of scopes are corrected to names. A word that
 * any meeting holds as written is never replaced, however rare. Undefined if no corrected query matches or, if the
 * query itself matches some meetings, not far more.
 */
export const correctSpelling = Effect.fn("Browse.correctSpelling")(function* <E>(
  db: ReadSql,
  query: SearchQuery,
  counts: CountsOf<E>
) {
  const countsOf: CountsOf<E> = (queries) => counts(queries.map(withSpellings))
  const words = query.either.flatMap(({ words, phrases }) => [
    ...words.flatMap(wordsIn),
    ...phrases.flatMap(wordsIn).filter((word) => !isName(word))
  ])
  const scopes = query.either.flatMap(({ scopes }) => scopes)
  const unknown = [...(yield* suspectWords(db, [...new Set(words)], countsOf)), ...(yield* suspectNames(db, scopes))]
  if (unknown.length === 0) return undefined
  const [typedCount = 0] = yield* countsOf([query])
  const isDoubted = typedCount > 0
  const suspects = unknown.filter(({ word, alike }) => !isDoubted || (alike <= mostDoubted && isFarFromOthers(word)))
  if (typedCount > mostDoubted || suspects.length === 0 || suspects.length > mostSuspects) return undefined
  // All words unknown is what another language looks like, so words are replaced only by near ones.
  const isAllUnknown = suspects.length > 1 && suspects.length === new Set(words).size && scopes.length === 0
  let tries: ReadonlyArray<{ readonly corrections: ReadonlyMap<string, string>; readonly score: number }> = [
    { corrections: new Map(), score: 0 }
  ]
  for (const one of suspects) {
    const all = yield* correctionsOf(db, one, isDoubted)
    const candidates = isAllUnknown ? all.filter(({ edits }) => edits < 2) : all
    tries = tries
      .flatMap(({ corrections, score }) =>
        candidates.map((correction) => ({
          corrections: new Map(corrections).set(one.word, correction.word),
          score: score + correction.score
        }))
      )
      .toSorted((a, b) => b.score - a.score)
      .slice(0, mostTried)
  }
  if (tries.length === 0) return undefined
  const matching = yield* countsOf(tries.map(({ corrections }) => withCorrections(query, corrections)))
  const hasOthers = query.either.some(({ words, phrases }) => [...words, ...phrases].flatMap(wordsIn).length > 1)
  // If the query has other words, candidates found beside them are likelier.
  const [best] = tries
    .map(({ corrections, score }, at) => ({ corrections, score, matching: Math.min(mostCounted, matching[at] ?? 0) }))
    .filter(({ matching }) => matching > 0 && matching >= farMore * typedCount)
    .map((one) => ({ ...one, score: one.score + (hasOthers ? 1.5 * Math.log(one.matching) : 0) }))
    .toSorted((a, b) => b.score - a.score)
  return best === undefined ? undefined : withCorrections(query, best.corrections)
})
