import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { packText } from "../db/packed-text.ts"

/** Transcripts rewritten at a time, which are in memory together. */
const atOnce = 100

const firstId = "00000000-0000-0000-0000-000000000000"

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
  for (let last: Pick<Unpacked, "meeting_id" | "version"> | undefined = { meeting_id: firstId, version: "" }; last; ) {
    const rows: ReadonlyArray<Unpacked> = yield* sql<Unpacked>`
      select meeting_id, version, segments::text as segments from transcript
      where (meeting_id, version) > (${last.meeting_id}::uuid, ${last.version}) order by meeting_id, version limit ${atOnce}`
    const packed = yield* Effect.forEach(rows, ({ segments }) => packText(segments), { concurrency: 4 })
    yield* sql`
      update transcript set packed = given.packed
      from unnest(${rows.map(({ meeting_id }) => meeting_id)}::uuid[], ${rows.map(({ version }) => version)}::text[],
        ${packed}::bytea[]) given (meeting_id, version, packed)
      where transcript.meeting_id = given.meeting_id and transcript.version = given.version`
    last = rows.at(-1)
  }
  yield* sql`drop view published_transcript`
  yield* sql`alter table transcript drop column segments`
  yield* sql`alter table transcript rename column packed to segments`
  yield* sql`alter table transcript alter column segments set not null`
  yield* sql`comment on column transcript.segments is 'A JSON array of segments in UTF-8, compressed with Zstandard.'`
  // The one place that decides which versions readers, search and exports see.
  yield* sql`create view published_transcript as select * from transcript where not withheld`
})
