import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The lines that a `removed` line took off the record, by their fingerprints (`content_hash`), so that importing the bundle
 * again does not put them back only to remove them again. They are forgotten once their subject (a meeting's id or a
 * body's slug) is on record again. `removed` lines about transcripts and bodies, which leave no tombstone, are kept too.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`create table withdrawn_line (content_hash text primary key, subject text not null)`
  yield* sql`create index withdrawn_line_subject on withdrawn_line (subject)`
})
