import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What stages of the pipeline note about their results: transcripts that readers never see, and what checked claims. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A recognizer's own output, from which the refined version has had home addresses removed.
  yield* sql`alter table transcript add column withheld boolean not null default false`
  yield* sql`alter table transcript add constraint only_raw_withheld check (not withheld or version = 'raw')`
  // The one place that decides which versions readers, search and exports see.
  yield* sql`create view published_transcript as select * from transcript where not withheld`

  // The version of the rules and, where a model could be asked, of the prompt: "rules-1 verify-1". Absent for imported claims.
  yield* sql`alter table claims add column checked_by text`
})
