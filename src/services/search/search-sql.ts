import type { Sql } from "../../../layers/db.ts"
import type { Conjunction, SearchQuery } from "./search-query.ts"

/** All of these words as one tsquery. Stop words, such as `the`, drop out. */
const allOf = (db: Sql, words: ReadonlyArray<string>) => db`plainto_tsquery('public.civic', ${words.join(" ")})`

const phrase = (db: Sql, text: string) => db`phraseto_tsquery('public.civic', ${text})`

/** Whether a meeting contains the phrase, in what it is about or within one stretch of its transcript. */
const holdsPhrase = (db: Sql, text: string) => db`(
  s.named @@ ${phrase(db, text)}
  or s.meeting_id in (select c.meeting_id from transcript_chunk c where c.words @@ ${phrase(db, text)}))`

const fitsConjunction = (db: Sql, { words, phrases, notWords, notPhrases }: Conjunction) => {
  const everyWord = [...words, ...phrases]
  return db.and([
    ...(everyWord.length === 0 ? [] : [db`s.document @@ ${allOf(db, everyWord)}`]),
    ...phrases.map((text) => holdsPhrase(db, text)),
    ...notWords.map((word) => db`not s.document @@ ${allOf(db, [word])}`),
    ...notPhrases.map((text) => db`not ${holdsPhrase(db, text)}`)
  ])
}

/** A query as a condition on `meeting_search s`. */
export const fits = (db: Sql, query: SearchQuery) =>
  query.either.length === 0 ? db`false` : db.or(query.either.map((conjunction) => fitsConjunction(db, conjunction)))

/** Any of these words or phrases as one tsquery, for ranking meetings and for locating the words in them. */
export const anyOf = (db: Sql, texts: ReadonlyArray<string>) =>
  texts.length === 0 ? db`''::tsquery` : db.join(" || ")(texts.map((text) => phrase(db, text)))

/**
 * All the wanted words of at least one conjunction, which finds the stretches of a transcript that say them together.
 */
export const togetherOf = (db: Sql, query: SearchQuery) =>
  query.either.length === 0
    ? db`''::tsquery`
    : db.join(" || ")(
        query.either.map(({ words, phrases }) =>
          db.join(" && ")([allOf(db, words), ...phrases.map((text) => phrase(db, text))])
        )
      )
