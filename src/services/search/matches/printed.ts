import { Effect, Option, Schema } from "effect"
import type { ReadSql } from "../../../../layers/db/db.ts"
import { rowsBy } from "../../../../layers/db/rows.ts"
import { DocumentKind } from "../../../../schema/document.ts"
import type { Match } from "../../../../schema/meeting.ts"
import { type SearchQuery, wantedIn, wantedWords } from "../../../../schema/search-query.ts"
import { documentPagePath } from "../../meetings/documents.ts"
import type { Found, Passages } from "../found/found.ts"
import { anyAsWritten, anyDocument, anyOf, saysAny, togetherOf, typedWords } from "../query/search-sql.ts"

/** The most pages of documents that are listed for a meeting. */
const mostPages = 2

const rowsOf = rowsBy(
  Schema.Struct({
    meeting: Schema.String,
    id: Schema.String,
    kind: DocumentKind,
    title: Schema.String,
    page: Schema.Finite,
    snippet: Schema.String,
    is_typed: Schema.Boolean
  })
)

/** A page of a document on which a query matches, and whether it says a query of several words letter for letter. */
interface PrintedMatch {
  readonly match: Match
  readonly isTyped: boolean
}

const none: ReadonlyMap<string, ReadonlyArray<PrintedMatch>> = new Map()

/** The passages to read; without those from the index, all of these meetings. */
const toRead = (db: ReadSql, ids: ReadonlyArray<string>, told: Option.Option<Passages>) =>
  Option.match(told, {
    onNone: () => db`
      unnest(${ids}::text[]) w (id)
      cross join lateral (select * from document_passage k where k.meeting_id = w.id::uuid offset 0) p`,
    onSome: ({ meetings, positions }) => db`
      unnest(${meetings}::uuid[], ${positions}::int[]) told (id, position)
      join document_passage p on p.meeting_id = told.id and p.position = told.position`
  })

/**
 * The pages of documents on which a query matches, by meeting, the best first. Documents are public, so everybody is
 * shown the words. If a passage of some page has all of them, pages with fewer are left out.
 */
export const printedMatches = Effect.fn("Browse.printed")(function* (
  db: ReadSql,
  ids: ReadonlyArray<string>,
  {
    search,
    words,
    found
  }: { readonly search: SearchQuery; readonly words: string; readonly found: Pick<Found, "printed"> }
) {
  const [terms, scopes] = [wantedWords(search), wantedIn(search, "document")]
  if (terms.length + scopes.length === 0) return none
  // The index knows passages by words, not by scopes.
  const told = scopes.length > 0 ? Option.none() : yield* found.printed(ids)
  if (Option.exists(told, ({ positions }) => positions.length === 0)) return none
  const [typed, inScopes] = [typedWords(search), anyDocument(db, scopes)]
  const rows = yield* rowsOf(db`
    with asked as materialized (
      select ${anyOf(db, terms)} || ${inScopes} as one, ${togetherOf(db, search)} || ${inScopes} as every,
        ${anyOf(db, typed)} as row, ${anyAsWritten(db, [...terms, ...scopes])} || ${inScopes} as written
    ),
    hit as (
      select p.meeting_id, p.position, p.document_id, p.page, p.first_word, p.last_word,
        p.words @@ asked.every as is_whole, p.words @@ asked.row as in_row,
        ts_rank_cd(p.words, asked.every) as nearness, ts_rank(p.words, asked.one) as often
      from ${toRead(db, ids, told)}, asked where p.words @@ asked.one
    ),
    best as (
      select distinct on (meeting_id, document_id, page) * from hit
      order by meeting_id, document_id, page, is_whole desc, in_row desc, nearness desc, often desc, position
    ),
    ranked as (
      select b.*, bool_or(is_whole) over (partition by meeting_id) as has_whole, row_number() over (
        partition by meeting_id order by is_whole desc, in_row desc, nearness desc, often desc, position) as turn
      from best b
    )
    select r.meeting_id as meeting, d.id, d.kind, d.title, r.page,
      ts_headline('public.civic', passage.text,
        -- Where all words stand as they are searched for, the snippet has them all if they are near each other.
        case when r.is_whole and to_tsvector('public.civic', passage.text) @@ asked.every
          then asked.every else asked.written end,
        'StartSel="",StopSel="",MaxWords=30,MinWords=12') as snippet,
      ${saysAny(db, db`g.text`, typed)} as is_typed
    from ranked r cross join asked
    join document d on d.id = r.document_id and d.meeting_id = r.meeting_id
    join document_page g on g.document_id = d.id and g.version = d.version and g.number = r.page,
      lateral (select array_to_string((page_words(g.text))[r.first_word:r.last_word], ' ') as text) passage
    where r.turn <= ${mostPages} and (r.is_whole or not r.has_whole) order by r.turn`)
  return Map.groupBy(
    rows.map(({ meeting, id, kind, title, page, snippet, is_typed }) => ({
      meeting,
      isTyped: is_typed,
      match: {
        field: "document" as const,
        snippet,
        document: { id, kind, title },
        page,
        path: documentPagePath(id, page, words)
      }
    })),
    ({ meeting }) => meeting
  )
})
