import { Effect, Schema } from "effect"
import type { ReadSql } from "../../../../layers/db/db.ts"
import { rowsBy } from "../../../../layers/db/rows.ts"
import type { SearchQuery } from "../../../../schema/search-query.ts"
import type { Phrase, SpokenPassage } from "../../../search-engine/types.ts"
import { overlapWords } from "../../meetings/passages.ts"
import { readRow } from "../query/tsquery.ts"
import { occurrences } from "./moments.ts"

const spokenRows = rowsBy(
  Schema.Struct({
    id: Schema.String,
    passage: Schema.Finite,
    said: Schema.Array(Schema.Tuple([Schema.String, Schema.Array(Schema.Finite)]))
  })
)

/** Every passage of these meetings with any of these lexemes, by meeting: as the search index has them. */
export const spokenInSql = (db: ReadSql, ids: ReadonlyArray<string>, lexemes: ReadonlyArray<string>) =>
  Effect.map(
    spokenRows(db`
      select w.id, p.position - 1 as passage, (
          select json_agg(json_build_array(l.lexeme, l.positions))
          from unnest(ts_filter(setweight(p.words, 'a', ${lexemes}::text[]), '{a}')) l) as said
      from unnest(${ids}::text[]) w (id)
      cross join lateral (select * from passage_vector k where k.meeting_id = w.id::uuid offset 0) p
      where p.words @@ (
        select string_agg(quote_literal(lexeme), ' | ')::tsquery from unnest(${lexemes}::text[]) lexeme)
      order by p.position`),
    (rows): ReadonlyMap<string, ReadonlyArray<SpokenPassage>> =>
      Map.groupBy(
        rows.map(({ id, passage, said }) => ({ id, passage, positions: new Map(said) })),
        ({ id }) => id
      )
  )

/** The words and phrases of one conjunction; stop words are none. */
type Terms = ReadonlyArray<Phrase>

/** The words and phrases of each conjunction, whose tsqueries are in the order of `wantedWords`. */
export const termsOf = (search: SearchQuery, tsqueries: ReadonlyArray<string>): ReadonlyArray<Terms> => {
  let from = 0
  return search.either.map(({ words, phrases }) => {
    const to = from + words.length + phrases.length
    const terms = tsqueries.slice(from, to).map((tsquery) => readRow(tsquery) ?? [])
    from = to
    return terms.filter((term) => term.length > 0)
  })
}

/** How often a term is said in a passage, and how often first there: neighbors share words, which count once. */
const timesIn = ({ passage, positions }: SpokenPassage, term: Phrase) => {
  const length = (term.at(-1)?.at ?? 0) - (term[0]?.at ?? 0)
  const starts =
    term.length === 1
      ? (positions.get(term[0]?.lexeme ?? "") ?? [])
      : occurrences(new Map(term.map(({ lexeme }) => [lexeme, new Set(positions.get(lexeme))])), term)
  return { all: starts.length, first: starts.filter((at) => passage === 0 || at + length > overlapWords).length }
}

const sum = (counts: ReadonlyArray<number>): number => counts.reduce((total, count) => total + count, 0)

/**
 * How often a meeting says what is searched for: a word or a phrase, wherever it is said; several, as often as all of
 * them are said within about half a minute or, if they never are, as often as any of them is.
 */
export const timesSaid = (either: ReadonlyArray<Terms>, passages: ReadonlyArray<SpokenPassage>): number => {
  const counts = passages.map((passage) =>
    either
      .filter((terms) => terms.length > 0)
      .map((terms) => {
        const times = terms.map((term) => timesIn(passage, term))
        const firsts = times.map(({ first }) => first)
        const isAny = firsts.some((count) => count > 0)
        const isWhole = times.every(({ all }) => all > 0)
        return { any: sum(firsts), whole: isWhole && isAny ? Math.max(1, Math.min(...firsts)) : 0 }
      })
  )
  const most = (of: "any" | "whole") => sum(counts.map((ways) => Math.max(0, ...ways.map((way) => way[of]))))
  return most("whole") || most("any")
}
