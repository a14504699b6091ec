import { Effect } from "effect"
import type { ReadSql } from "../../../../layers/db/db.ts"
import { mostWords } from "../../../../schema/browse.ts"
import { parseSearchQuery, type SearchQuery } from "../../../../schema/search-query.ts"
import { asTsqueries } from "./search-sql.ts"

const alone = { words: [], phrases: [], notWords: [], notPhrases: [], scopes: [] }

/**
 * The words and phrases of a query, each as a search of its own; of a phrase alone, its words. At most 8, without stop
 * words and repetitions.
 */
export const apart = Effect.fnUntraced(function* (db: ReadSql, q: string) {
  const { either } = parseSearchQuery(q)
  const [words, phrases] = [either.flatMap((one) => one.words), either.flatMap((one) => one.phrases)]
  const [phrase = ""] = phrases
  const isPhrase = words.length === 0 && phrases.length === 1
  const texts = isPhrase ? (phrase.match(/[^\s"]+/gu) ?? []) : [...words, ...phrases]
  const few = [...new Set(texts)].slice(0, 2 * mostWords)
  if (few.length < 2) return []
  const tsqueries = yield* asTsqueries(db, few)
  return few
    .filter((_, at) => tsqueries[at]?.every !== "")
    .slice(0, mostWords)
    .map((text): SearchQuery => {
      const isWord = isPhrase || words.includes(text)
      return { either: [{ ...alone, ...(isWord ? { words: [text] } : { phrases: [text] }) }] }
    })
})
