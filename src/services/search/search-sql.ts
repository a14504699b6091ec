import type { Statement } from "effect/sql"
import type { Sql } from "../../../layers/db.ts"
import {
  type Conjunction,
  firstDayOf,
  type Scope,
  type ScopeName,
  type SearchQuery
} from "../../../schema/search-query.ts"
import { bodyWithSlug } from "../meetings/sql.ts"

/** All of these words as one tsquery. Stop words, such as `the`, drop out. */
const allOf = (db: Sql, words: ReadonlyArray<string>) => db`plainto_tsquery('public.civic', ${words.join(" ")})`

const phrase = (db: Sql, text: string) => db`phraseto_tsquery('public.civic', ${text})`

/**
 * What a text asks of a meeting, for the search index: `every` as `allOf` asks for it, `in_row` as `phrase` does, both
 * tsqueries as text.
 */
export const asTsqueries = (db: Sql, text: string) =>
  db<{ every: string; in_row: string }>`select ${allOf(db, [text])}::text as every, ${phrase(db, text)}::text as in_row`

/** Whether a meeting contains the phrase, in what it is about or within one stretch of its transcript. */
const holdsPhrase = (db: Sql, text: string) => db`(
  s.named @@ ${phrase(db, text)}
  or s.meeting_id in (select c.meeting_id from transcript_chunk c where c.words @@ ${phrase(db, text)}))`

/** A name as a tsquery: all of its words, without accents; names have no stop words and are not stemmed. */
const nameOf = (db: Sql, text: string) => db`plainto_tsquery('simple', fold(${text}))`

/** Any of these names as one tsquery, for vectors of the configuration `simple`. */
export const anyName = (db: Sql, names: ReadonlyArray<string>) =>
  names.length === 0 ? db`''::tsquery` : db.join(" || ")(names.map((name) => nameOf(db, name)))

/** The bodies whose name has all these words, or that have this slug, retired ones too: a select of `id`. */
export const bodiesNamed = (db: Sql, text: string) => db<{ id: number }>`
  select b.id from body b where to_tsvector('simple', fold(b.name)) @@ ${nameOf(db, text)}
  union select id from (${bodyWithSlug(db, [text])}) named`

/** The bodies that serve a place whose name has all these words, or that has this slug: a select of `id`. */
export const bodiesAt = (db: Sql, text: string) => db<{ id: number }>`
  select bp.body_id as id from body_place bp join place p on p.id = bp.place_id
  where to_tsvector('simple', fold(p.name)) @@ ${nameOf(db, text)} or p.slug = ${text}`

/** The meetings where somebody whose name has all these words speaks: a select of `id`. */
export const spokenBy = (db: Sql, text: string) => db<{ id: string }>`
  select distinct k.meeting_id as id from transcript_speaker k where k.words @@ ${nameOf(db, text)}`

/** What each scope asks of `meeting_search s`. */
const scoped: { readonly [Name in ScopeName]: (db: Sql, text: string) => Statement.Fragment } = {
  speaker: (db, text) => db`s.meeting_id in (${spokenBy(db, text)})`,
  body: (db, text) => db`s.body_id in (${bodiesNamed(db, text)})`,
  place: (db, text) => db`s.body_id in (${bodiesAt(db, text)})`,
  after: (db, text) => db`s.date >= ${firstDayOf(text) ?? null}::date`,
  before: (db, text) => db`s.date < ${firstDayOf(text) ?? null}::date`
}

const fitsScope = (db: Sql, { name, text, negated }: Scope) => {
  const fits = scoped[name](db, text)
  return negated ? db`not (${fits})` : db`(${fits})`
}

const fitsConjunction = (db: Sql, { words, phrases, notWords, notPhrases, scopes }: Conjunction) => {
  const everyWord = [...words, ...phrases]
  return db.and([
    ...(everyWord.length === 0 ? [] : [db`s.document @@ ${allOf(db, everyWord)}`]),
    ...phrases.map((text) => holdsPhrase(db, text)),
    ...notWords.map((word) => db`not s.document @@ ${allOf(db, [word])}`),
    ...notPhrases.map((text) => db`not ${holdsPhrase(db, text)}`),
    ...scopes.map((scope) => fitsScope(db, scope))
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
