import type { Sql } from "../../../layers/db.ts"
import type { Conjunction, SearchQuery } from "./search-query.ts"

/** All of these words, as one tsquery; words that say nothing, such as `the`, ask for nothing. */
const allOf = (db: Sql, words: ReadonlyArray<string>) => db`plainto_tsquery('public.civic', ${words.join(" ")})`

const phrase = (db: Sql, text: string) => db`phraseto_tsquery('public.civic', ${text})`

/** Whether the meeting holds the phrase: in what it is about, or said within a stretch of its transcript. */
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

/** The condition on `meeting_search s` that a query is. */
export const fits = (db: Sql, query: SearchQuery) =>
  query.either.length === 0 ? db`false` : db.or(query.either.map((conjunction) => fitsConjunction(db, conjunction)))

/** Any of the wanted words or phrases, as one tsquery: for rank, and for finding where they stand. */
export const anyOf = (db: Sql, texts: ReadonlyArray<string>) =>
  texts.length === 0 ? db`''::tsquery` : db.join(" || ")(texts.map((text) => phrase(db, text)))

/** All the wanted words of one conjunction or another: the stretch of a transcript where they are said together. */
export const togetherOf = (db: Sql, query: SearchQuery) =>
  query.either.length === 0
    ? db`''::tsquery`
    : db.join(" || ")(
        query.either.map(({ words, phrases }) =>
          db.join(" && ")([allOf(db, words), ...phrases.map((text) => phrase(db, text))])
        )
      )
