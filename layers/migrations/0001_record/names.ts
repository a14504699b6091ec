import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** How names and texts are compared. */
export const names = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`create extension if not exists unaccent`
  yield* sql`create extension if not exists pg_trgm`

  // Names are compared without accents and case. The function is immutable, unlike unaccent, so that it can be indexed.
  yield* sql`
    create function fold(name text) returns text
    language sql immutable strict parallel safe
    return lower(public.unaccent('public.unaccent', name))`
  yield* sql`create text search configuration civic (copy = english)`
  yield* sql`
    alter text search configuration civic
    alter mapping for hword, hword_part, word with unaccent, english_stem`
})
