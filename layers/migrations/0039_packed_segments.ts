import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { packText } from "../db/packed-text.ts"

/** Transcripts rewritten at a time. */
const atOnce = 100

interface Unpacked {
  readonly meeting_id: string
  readonly version: string
  readonly segments: string
}

/**
 * The segments of transcripts, compressed by whoever writes them (layers/db/packed-text.ts). No statement looks into them,
 * and letting PostgreSQL read and compress them as JSON was a quarter of what an import costs it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table transcript add column packed bytea`
  // It would be compressed in vain.
  yield* sql`alter table transcript alter column packed set storage external`
  for (;;) {
    const rows = yield* sql<Unpacked>`
      select meeting_id, version, segments::text as segments from transcript where packed is null limit ${atOnce}`
    if (rows.length === 0) break
    for (const { meeting_id, version, segments } of rows) {
      yield* sql`
        update transcript set packed = ${yield* packText(segments)} where meeting_id = ${meeting_id} and version = ${version}`
    }
  }
  yield* sql`drop view published_transcript`
  yield* sql`alter table transcript drop column segments`
  yield* sql`alter table transcript rename column packed to segments`
  yield* sql`alter table transcript alter column segments set not null`
  yield* sql`comment on column transcript.segments is 'A JSON array of segments in UTF-8, compressed with Zstandard.'`
  // The one place that decides which versions readers, search and exports see.
  yield* sql`create view published_transcript as select * from transcript where not withheld`
})
