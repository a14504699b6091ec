import { Effect } from "effect"
import type { ReadSql } from "../../../../layers/db/db.ts"
import type { SearchQuery } from "../../../../schema/search-query.ts"
import { fold } from "../../../text/fold.ts"
import { withSpellings } from "../query/spellings.ts"
import { peopleNamed } from "../query/who-and-what.ts"
import { type CountsOf, correctionsOf, isName, withCorrections, wordsIn } from "./spelling.ts"

/** A word that was written more often is not doubted. */
const mostWritten = 5

/** A word is doubted beside one that was written this many times as often. */
const farOftener = 100

/** Shorter words have too many neighbors. */
const shortest = 5

/** The most words that are doubted. */
const mostDoubted = 2

/**
 * The query with each word that is hardly on record replaced by one that is there far oftener, one edit or one sound
 * away: recognizers mishear names, and so a misspelled one may be on record too. Names on the rosters are left alone,
 * and so are quoted names. With what the new query finds; undefined if nothing is doubted, or it finds no more.
 */
export const offerSpelling = Effect.fn("Browse.offerSpelling")(function* <E>(
  db: ReadSql,
  query: SearchQuery,
  typedCount: number,
  counts: CountsOf<E>
) {
  const words = query.either.flatMap(({ words, phrases }) => [
    ...words.flatMap(wordsIn),
    ...phrases.flatMap(wordsIn).filter((word) => !isName(word))
  ])
  const forms = new Map(words.map((word) => [word, fold(word)]))
  const long = [...forms.values()].filter((form) => form.length >= shortest && /^\p{L}+$/u.test(form))
  if (long.length === 0) return undefined
  const rare = yield* db<{ word: string; times: number }>`
    select f.word, f.times::float8 as times from word_form f
    where f.word = any(${long}::text[]) and f.times between 1 and ${mostWritten}`
  if (rare.length === 0 || rare.length > mostDoubted) return undefined
  const corrections = new Map<string, string>()
  for (const { word, times } of rare) {
    const [known] = yield* db<{ known: boolean }>`select exists (${peopleNamed(db, word)}) as known`
    if (known?.known === true) continue
    const candidates = yield* correctionsOf(db, { word, isNamed: false, alike: 0 }, false)
    const [likely] = candidates.filter(
      (one) => one.edits > 0 && one.edits <= (one.soundsAlike ? 2 : 1) && one.times >= farOftener * Math.max(1, times)
    )
    if (likely === undefined) continue
    for (const [typed, form] of forms) if (form === word) corrections.set(typed, likely.word)
  }
  if (corrections.size === 0) return undefined
  const meant = withCorrections(query, corrections)
  const [total = 0] = yield* counts([withSpellings(meant)])
  return total > typedCount ? meant : undefined
})
