import type { Statement } from "effect/sql"
import type { ReadSql } from "../../../../layers/db/db.ts"
import {
  type Conjunction,
  firstDayOf,
  type Scope,
  type ScopeName,
  type SearchQuery
} from "../../../../schema/search-query.ts"
import { bodyWithSlug, passagesWith } from "../../meetings/sql.ts"
import { nameOf, withoutTitles } from "./name-sql.ts"
import { mattersNamed, peopleNamed, tookUp, votedAt } from "./who-and-what.ts"

/** A word or phrase as a tsquery of consecutive lexemes; empty for stop words, such as `the`. */
const inRow = (db: ReadSql, text: string) => db`search_phrase(${text})`

/** All of these words and phrases as one tsquery, in any order and place. */
const allOf = (db: ReadSql, texts: ReadonlyArray<string>) =>
  db.join(" && ", false)(texts.map((text) => db`search_words(${text})`))

/**
 * The tsqueries of these texts, in their order and as text, for the search index: `every` by `allOf`, `in_row` by
 * `inRow`.
 */
export const asTsqueries = (db: ReadSql, texts: ReadonlyArray<string>) =>
  db<{ every: string; in_row: string }>`
    select search_words(given.text)::text as every, search_phrase(given.text)::text as in_row
    from unnest(${texts}::text[]) with ordinality given (text, at) order by given.at`

/**
 * Whether a meeting contains the phrase, in its subject matter or within one passage of its transcript or of a document
 * of it. Here and below,
 * `select` makes PostgreSQL parse the query once per statement rather than once per row.
 */
const holdsPhrase = (db: ReadSql, text: string) => db`(
  s.named @@ (select ${inRow(db, text)})
  or s.meeting_id in (select p.meeting_id from ${passagesWith(db, db`(select ${inRow(db, text)})`)} p)
  or s.meeting_id in (select p.meeting_id from document_passage p where p.words @@ (select ${inRow(db, text)})))`

/** Whether PostgreSQL may parse a text as more than one word: only letters, or only digits, are always one. */
export const maySplit = (word: string): boolean => !/^(\p{L}+|\d+)$/u.test(word)

/** Whether a word that may be several, such as `24-117`, is only one, or is in the meeting as a phrase. */
const holdsPieces = (db: ReadSql, word: string) =>
  db`((select numnode(${inRow(db, word)})) < 2 or ${holdsPhrase(db, word)})`

/** Any of these names as one tsquery, for vectors of the configuration `simple`. */
export const anyName = (db: ReadSql, names: ReadonlyArray<string>) =>
  names.length === 0 ? db`''::tsquery` : db.join(" || ")(names.map((name) => nameOf(db, name)))

/** Words in a body's name that people omit or move: `City Council of Marlow`. */
const untelling = ["the", "of", "for", "and", "on"]

/** Abbreviations in names of bodies that are not prefixes of the word, as `comm` is. */
const abbreviations: ReadonlyArray<readonly [short: string, long: string]> = [
  ["bd", "board"],
  ["cmte", "committee"],
  ["commn", "commission"],
  ["ctr", "center"],
  ["cty", "city"],
  ["cty", "county"],
  ["dept", "department"],
  ["ft", "fort"],
  ["govt", "government"],
  ["mgmt", "management"],
  ["mt", "mount"],
  ["st", "saint"],
  ["twp", "township"]
]

/**
 * The bodies that have this slug or whose name, apart from `of` and the like, consists of these words in any order. If
 * there are none, the bodies whose name has all these words among others; failing that, those with words that start
 * with these or are abbreviated by them (`planning comm`, `Knox Cty Bd`). Includes retired bodies. A select of `id`.
 */
export const bodiesNamed = (db: ReadSql, text: string) => {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const telling = words.filter((word) => !untelling.includes(word.toLowerCase()))
  const wanted = telling.length === 0 ? words : telling
  return db<{ id: number }>`
    select id from (
      select id, closeness, min(closeness) over () as closest from (
        select id, 0 as closeness from (${bodyWithSlug(db, [text])}) named
        union all
        select b.id, case when not name.words @@ ${nameOf(db, wanted.join(" "))} then 2
          else (length(ts_delete(name.words, ${untelling}::text[])) > ${telling.length}::int)::int end
        from body b, lateral (select to_tsvector('simple', fold(b.name)) as words) name
        where name.words @@ (
          select string_agg(concat_ws(' | ', '(' || quote_literal(lexeme) || ':*', long.words) || ')', ' & ')::tsquery
          from unnest(to_tsvector('simple', fold(${wanted.join(" ")}))), lateral (
            select string_agg(quote_literal(a.long), ' | ') as words
            from unnest(
              ${abbreviations.map(([short]) => short)}::text[], ${abbreviations.map(([, long]) => long)}::text[]
            ) a (short, long)
            where a.short = lexeme) long)
      ) likely
    ) ranked where closeness = closest`
}

/** The bodies that serve a place whose name has all these words, or that has this slug: a select of `id`. */
export const bodiesAt = (db: ReadSql, text: string) => db<{ id: number }>`
  select bp.body_id as id from body_place bp join place p on p.id = bp.place_id
  where to_tsvector('simple', fold(p.name)) @@ ${nameOf(db, text)} or p.slug = ${text}`

/** A speaker's name as a tsquery: all of its words or, if no speaker has them all, those that are not titles. */
const speakerNamed = (db: ReadSql, text: string) => {
  const untitled = withoutTitles(text)
  if (untitled === text) return nameOf(db, text)
  return db`(case when exists (select from transcript_speaker k where k.words @@ ${nameOf(db, text)})
    then ${nameOf(db, text)} else ${nameOf(db, untitled)} end)`
}

/** Any of these speakers as one tsquery. */
export const anySpeaker = (db: ReadSql, names: ReadonlyArray<string>) =>
  names.length === 0 ? db`''::tsquery` : db.join(" || ")(names.map((name) => speakerNamed(db, name)))

/** The meetings with a speaker whose name has all these words: a select of `id`. */
export const spokenBy = (db: ReadSql, text: string) => db<{ id: string }>`
  select distinct k.meeting_id as id from transcript_speaker k where k.words @@ (select ${speakerNamed(db, text)})`

/** The meetings with a document that has all these words in one passage: a select of `id`. */
const documentedBy = (db: ReadSql, text: string) => db<{ id: string }>`
  select distinct p.meeting_id as id from document_passage p where p.words @@ (select ${allOf(db, [text])})`

/** The scopes that list meetings: each as a select of `id`. */
export const listedBy = {
  speaker: spokenBy,
  document: documentedBy,
  person: (db: ReadSql, text: string) => votedAt(db, peopleNamed(db, text)),
  matter: (db: ReadSql, text: string) => tookUp(db, mattersNamed(db, text))
}

export const isListed = (name: ScopeName): name is keyof typeof listedBy => name in listedBy

/** Each scope as a condition on `meeting_search s`. */
const scoped: { readonly [Name in ScopeName]: (db: ReadSql, text: string) => Statement.Fragment } = {
  speaker: (db, text) => db`s.meeting_id in (${listedBy.speaker(db, text)})`,
  person: (db, text) => db`s.meeting_id in (${listedBy.person(db, text)})`,
  matter: (db, text) => db`s.meeting_id in (${listedBy.matter(db, text)})`,
  document: (db, text) => db`s.meeting_id in (${listedBy.document(db, text)})`,
  body: (db, text) => db`s.body_id in (${bodiesNamed(db, text)})`,
  place: (db, text) => db`s.body_id in (${bodiesAt(db, text)})`,
  after: (db, text) => db`s.date >= ${firstDayOf(text) ?? null}::date`,
  before: (db, text) => db`s.date < ${firstDayOf(text) ?? null}::date`
}

const fitsScope = (db: ReadSql, { name, text, negated }: Scope) => {
  const fits = scoped[name](db, text)
  return negated ? db`not (${fits})` : db`(${fits})`
}

const fitsConjunction = (db: ReadSql, { words, phrases, notWords, notPhrases, scopes }: Conjunction) => {
  const everyWord = [...words, ...phrases]
  const holds = (texts: ReadonlyArray<string>) => db`s.document @@ (select ${allOf(db, texts)})`
  return db.and([
    ...(everyWord.length === 0 ? [] : [holds(everyWord)]),
    ...words.filter(maySplit).map((word) => holdsPieces(db, word)),
    ...phrases.map((text) => holdsPhrase(db, text)),
    ...notWords.map((word) =>
      maySplit(word) ? db`not (${holds([word])} and ${holdsPieces(db, word)})` : db`not ${holds([word])}`
    ),
    ...notPhrases.map((text) => db`not ${holdsPhrase(db, text)}`),
    ...scopes.map((scope) => fitsScope(db, scope))
  ])
}

/** A query as a condition on `meeting_search s`. */
export const fits = (db: ReadSql, query: SearchQuery) =>
  query.either.length === 0 ? db`false` : db.or(query.either.map((conjunction) => fitsConjunction(db, conjunction)))

/** The words of any of these scopes `document:`, as one tsquery. */
export const anyDocument = (db: ReadSql, texts: ReadonlyArray<string>) =>
  texts.length === 0 ? db`''::tsquery` : db.join(" || ")(texts.map((text) => allOf(db, [text])))

/** Any of these words or phrases as one tsquery, for ranking meetings and for locating the words in them. */
export const anyOf = (db: ReadSql, texts: ReadonlyArray<string>) =>
  texts.length === 0 ? db`''::tsquery` : db.join(" || ")(texts.map((text) => inRow(db, text)))

/** The same for highlighting words in a text as written, so that `-117` is highlighted as `117` is. */
export const anyAsWritten = (db: ReadSql, texts: ReadonlyArray<string>) =>
  texts.length === 0
    ? db`''::tsquery`
    : db.join(" || ")(texts.flatMap((text) => [inRow(db, text), db`phraseto_tsquery('public.civic', ${text})`]))

/**
 * The words as typed that may match in other forms: the phrases of each conjunction or, if it has none, its words in a
 * row.
 */
export const typedWords = (query: SearchQuery): ReadonlyArray<string> =>
  query.either
    .flatMap(({ words, phrases, typed = words }) => (phrases.length > 0 ? phrases : [typed.join(" ")]))
    .filter((text) => /[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(text))

/** Whether a text has any of these letter for letter, regardless of the punctuation between words. */
export const saysAny = (db: ReadSql, text: Statement.Fragment, typed: ReadonlyArray<string>) => {
  // Most searches are for one word, which needs no text to be read.
  if (typed.length === 0) return db`false`
  const between = "[^[:alnum:]'’]"
  // Letters, marks, digits and apostrophes only, so nothing that is special in a pattern.
  const rows = typed.map((one) => {
    const words = one.match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? []
    return words.map((word) => word.replaceAll(/['’]/g, "['’]")).join(`${between}+`)
  })
  const pattern = `(^|${between})(${rows.join("|")})($|${between})`
  // Case-insensitive matching costs a tenth of comparing with a lower-case copy of the text.
  return db`coalesce(${text} ~* ${pattern}, false)`
}

/** All words of at least one conjunction, to find the passages that have them together. */
export const togetherOf = (db: ReadSql, query: SearchQuery) =>
  query.either.length === 0
    ? db`''::tsquery`
    : db.join(" || ")(
        query.either.map(({ words, phrases }) =>
          words.length + phrases.length === 0
            ? db`''::tsquery`
            : db.join(" && ")([...words, ...phrases].map((text) => inRow(db, text)))
        )
      )
