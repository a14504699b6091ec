import { Effect } from "effect"
import type { ReadSql } from "../../../../layers/db/db.ts"
import { mostInSearch } from "../../../../schema/search-budget.ts"
import {
  type Conjunction,
  parseSearchQuery,
  type SearchQuery,
  writeSearchQuery
} from "../../../../schema/search-query.ts"
import { fold } from "../../../text/fold.ts"
import { given } from "../../wire.ts"
import type { Found, Narrowed } from "../found/found.ts"
import { countWords } from "../query/query-budget.ts"
import { asTsqueries } from "../query/search-sql.ts"
import { readRow } from "../query/tsquery.ts"
import { mostDoubted } from "./spelling.ts"

const wordsIn = (text: string): ReadonlyArray<string> => text.match(/[^\s"]*[\p{L}\p{N}][^\s"]*/gu) ?? []

/** The letters and digits of a word, as `word_form` has words. */
const formOf = (word: string): string => fold(word).replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "")

/**
 * A search of more plain words than may be looked for, without those that say least: words that repeat one, then those
 * said most (`timesOf` tells how often each form is), then the shortest. A pasted sentence is found so. A quotation
 * that
 * is longer than a phrase may be is searched for as its words. `typed` are all of its words, and
 * `dropped` those that were let go, in their order.
 * A search of alternatives stays as it is.
 */
export const withinWords = Effect.fnUntraced(function* <E, R>(
  q: string,
  timesOf: (forms: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, number>, E, R>
) {
  const [only, ...others] = parseSearchQuery(q).either
  if (only === undefined || others.length > 0) return { q, typed: undefined, dropped: [] }
  const [long, phrases] = [true, false].map((isLong) =>
    only.phrases.filter((phrase) => countWords(phrase) > mostInSearch.words_of_phrase === isLong)
  )
  const words = [...only.words, ...(long ?? []).flatMap(wordsIn)]
  const room = mostInSearch.words - countWords([...only.notWords, ...only.scopes.map(({ text }) => text)].join(" "))
  if (room < 1 || (countWords(words.join(" ")) <= room && long?.length === 0))
    return { q, typed: undefined, dropped: [] }
  const forms = words.map(formOf)
  const times = yield* timesOf([...new Set(forms)])
  const isRepeated = (at: number) => forms.indexOf(forms[at] ?? "") < at
  const kept = new Set<number>()
  let taken = 0
  for (const at of [...words.keys()].toSorted(
    (a, b) =>
      Number(isRepeated(a)) - Number(isRepeated(b)) ||
      (times.get(forms[a] ?? "") ?? 0) - (times.get(forms[b] ?? "") ?? 0) ||
      (words[b] ?? "").length - (words[a] ?? "").length ||
      a - b
  )) {
    const count = countWords(words[at] ?? "")
    if (taken + count > room) continue
    taken += count
    kept.add(at)
  }
  const search: SearchQuery = {
    either: [{ ...only, phrases: phrases ?? [], words: words.filter((_, at) => kept.has(at)) }]
  }
  return { q: writeSearchQuery(search), typed: words, dropped: words.filter((_, at) => !kept.has(at)) }
})

/** How often each of these forms is said or written on record. */
export const timesOnRecord = (db: ReadSql) => (forms: ReadonlyArray<string>) =>
  Effect.map(
    db<{ word: string; times: number }>`
      select word, times::float8 as times from word_form where word = any(${forms}::text[])`,
    (rows): ReadonlyMap<string, number> => new Map(rows.map(({ word, times }) => [word, times]))
  )

/** The only conjunction of a search, if it has no alternatives. */
const onlyOf = ({ either: [only, ...others] }: SearchQuery): Conjunction | undefined =>
  others.length === 0 ? only : undefined

/** The fewest words of a quotation that, said by nobody in a row, is searched for as its words. */
const fewestQuoted = 4

/** The search for the words of a quotation; undefined if it is for anything else, or the quotation is short. */
export const unquoted = (search: SearchQuery): SearchQuery | undefined => {
  const only = onlyOf(search)
  if (only === undefined || only.words.length > 0 || only.phrases.length === 0) return undefined
  const words = only.phrases.flatMap(wordsIn)
  return words.length < fewestQuoted ? undefined : { either: [{ ...only, phrases: [], words }] }
}

/** Of so few words none is let go unless hardly anything has all of them. */
const few = 3

/**
 * A search for several words without those that its best stretch lacks, and these words; without any, the search as it
 * is. Undefined if no stretch has most of them, or the search is for anything else.
 */
export const forgiving = Effect.fnUntraced(function* (
  db: ReadSql,
  search: SearchQuery,
  found: Found,
  narrowed: Narrowed
) {
  const only = onlyOf(search)
  if (only === undefined || only.phrases.length > 0) return undefined
  if (only.words.length <= few && narrowed.total > mostDoubted) return undefined
  const lacking = yield* found.lacking(narrowed)
  if (lacking === undefined) return undefined
  const tsqueries = lacking.length === 0 ? [] : yield* asTsqueries(db, only.words)
  const dropped = only.words.filter((_, at) => {
    const lexemes = readRow(tsqueries[at]?.in_row ?? "") ?? []
    return lexemes.length === 1 && lexemes.every(({ lexeme }) => lacking.includes(lexeme))
  })
  const words = only.words.filter((word) => !dropped.includes(word))
  const typed = only.typed ?? only.words
  return {
    search: { either: [{ ...only, words, typed }] } satisfies SearchQuery,
    ...given("dropped", dropped.length === 0 ? undefined : dropped)
  }
})
