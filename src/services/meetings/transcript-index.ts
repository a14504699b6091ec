import { Effect } from "effect"
import type { Sql } from "../../../layers/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { Segment, TranscriptVersion } from "../../../schema/transcript.ts"
import { chunkVectors } from "./chunk-vectors.ts"
import { chunksOf, inGroups } from "./transcript-chunks.ts"
import { speakersOf } from "./transcript-speakers.ts"
import { noteWords } from "./word-forms.ts"

/** The most chunks that one statement inserts: an hour and more of speech, and few megabytes however long a meeting is. */
const chunksPerStatement = 200

/** Replaces what search reads of a meeting's transcript, in the transaction that writes the version that readers see. */
export const indexTranscript = Effect.fnUntraced(function* (
  db: Sql,
  meetingId: MeetingId,
  version: TranscriptVersion,
  segments: ReadonlyArray<Segment>
) {
  const speakers = speakersOf(segments)
  yield* db`delete from transcript_chunk where meeting_id = ${meetingId}`
  yield* db`delete from transcript_speaker where meeting_id = ${meetingId}`
  yield* db`
    insert into transcript_speaker (meeting_id, version, name, start)
    select ${meetingId}, ${version}, speaker.name, speaker.start
    from json_to_recordset(${JSON.stringify(speakers)}::json) as speaker (name text, start real)`
  let before = 0
  for (const chunks of inGroups(chunksOf(segments), chunksPerStatement)) {
    const texts = chunks.map(({ text }) => text)
    const vectors = yield* chunkVectors(db, texts)
    const starts = vectors.map(({ positions }, at) => `{${positions.map((word) => chunks[at]?.starts[word]).join()}}`)
    const words = vectors.map((vector) => vector.words)
    yield* db`
      insert into transcript_chunk (meeting_id, position, text, starts, words)
      select ${meetingId}, ${before}::int + chunk.position, chunk.text, chunk.starts::real[], chunk.words::tsvector
      from unnest(${texts}::text[], ${starts}::text[], ${words}::text[]) with ordinality
        chunk (text, starts, words, position)`
    before += chunks.length
  }
  yield* noteWords(
    db,
    segments.map(({ text }) => text)
  )
  yield* noteWords(
    db,
    speakers.map(({ name }) => name),
    true
  )
})
