import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect } from "effect"
import { tsvectors } from "../../../layers/db/tsvector.ts"
import type { Sql } from "../../../layers/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { Segment, TranscriptVersion } from "../../../schema/transcript.ts"
import { chunkVectors } from "./chunk-vectors.ts"
import { type Chunk, chunksOf, inGroups } from "./transcript-chunks.ts"
import { speakersOf } from "./transcript-speakers.ts"
import { addForms, noteCounts, noteWords } from "./word-forms.ts"
import { type Word, writtenWords } from "./written-words.ts"

/** The most chunks that one statement inserts: an hour and more of speech, and few megabytes however long a meeting is. */
const chunksPerStatement = 200

/** Adds the words of chunks, each once, to counts. */
const countWords = (counts: Map<string, number>, chunks: ReadonlyArray<Chunk<Word>>): void => {
  const met: Array<Word> = []
  for (const { words, repeated } of chunks) {
    for (let at = repeated; at < words.length; at++) {
      const word = words[at]
      if (word !== undefined && word.times++ === 0) met.push(word)
    }
  }
  for (const word of met) {
    addForms(counts, word.forms, word.times)
    word.times = 0
  }
}

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
  const known = writtenWords(db)
  const said = new Map<string, number>()
  let before = 0
  for (const chunks of inGroups(chunksOf(segments, known.wordIn), chunksPerStatement)) {
    countWords(said, chunks)
    const vectors = yield* chunkVectors(
      db,
      known,
      chunks.map(({ words }) => words)
    )
    const texts = chunks.map(({ words }) => words.map(({ text }) => text).join(" "))
    const starts: Array<number> = []
    const ends: Array<number> = []
    for (const [at, chunk] of chunks.entries()) {
      for (const word of vectors[at]?.positions ?? []) starts.push(chunk.starts[word] ?? 0)
      ends.push(starts.length)
    }
    // One array of all, of which each chunk has a slice: PostgreSQL has no lists of different lengths in a list.
    const seconds = yield* Effect.orDie(Effect.fromResult(PgTypes.array(starts, PgTypes.OID.float4)))
    yield* db`
      insert into transcript_chunk (meeting_id, position, text, starts, words)
      select ${meetingId}, ${before}::int + chunk.position, chunk.text,
        (${seconds}::real[])[chunk.first:chunk.last], chunk.words
      from unnest(${texts}::text[], ${ends.map((_, at) => (ends[at - 1] ?? 0) + 1)}::int[], ${ends}::int[],
        ${tsvectors(vectors.map(({ words }) => words))}::tsvector[]) with ordinality chunk (text, first, last, words, position)`
    before += chunks.length
  }
  yield* noteCounts(db, said)
  yield* noteWords(
    db,
    speakers.map(({ name }) => name),
    true
  )
})
