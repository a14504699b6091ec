import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import { tsvectors } from "../../../layers/db/tsvector.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { Segment, TranscriptVersion } from "../../../schema/transcript.ts"
import { chunkVectors, type Stretch, vectorOf } from "./chunk-vectors.ts"
import { type Chunk, chunksOf, textOf } from "./transcript-chunks.ts"
import { speakersOf } from "./transcript-speakers.ts"
import { addForms, noteCounts, noteWords } from "./word-forms.ts"
import { type Word, type WrittenWords, writtenWords } from "./written-words.ts"

/** The most chunks that one statement inserts: an hour and more of speech, and few megabytes however long a meeting is. */
const chunksPerStatement = 200

/**
 * Reads the chunks of one statement and adds their words, each once, to counts. All that is made of a chunk's words is made
 * before the next chunk, while the processor has them at hand.
 */
const readStretches = (
  chunks: Iterator<Chunk<Word>>,
  known: WrittenWords,
  counts: Map<string, number>
): ReadonlyArray<Chunk<Word> & Stretch> => {
  const stretches: Array<Chunk<Word> & Stretch> = []
  const met: Array<Word> = []
  while (stretches.length < chunksPerStatement) {
    const { done, value: chunk } = chunks.next()
    if (done) break
    const { words, repeated } = chunk
    for (let at = repeated; at < words.length; at++) {
      const word = words[at]
      if (word !== undefined && word.times++ === 0) met.push(word)
    }
    stretches.push({ ...chunk, text: textOf(words), vector: vectorOf(known, words) })
  }
  for (const word of met) {
    addForms(counts, word.forms, word.times)
    word.times = 0
  }
  return stretches
}

/** Removes what search reads of a meeting's transcript. */
export const clearTranscriptIndex = Effect.fnUntraced(function* (db: Sql, meetingId: MeetingId) {
  yield* db`delete from transcript_chunk where meeting_id = ${meetingId}`
  yield* db`delete from transcript_speaker where meeting_id = ${meetingId}`
})

/**
 * Writes what search reads of a meeting's transcript, in the transaction that writes the version that readers see; what was
 * there before must have been cleared.
 */
export const indexTranscript = Effect.fnUntraced(function* (
  db: Sql,
  meetingId: MeetingId,
  version: TranscriptVersion,
  segments: ReadonlyArray<Segment>
) {
  const speakers = speakersOf(segments)
  if (speakers.length > 0) {
    yield* db`
      insert into transcript_speaker (meeting_id, version, name, start)
      select ${meetingId}, ${version}, speaker.name, speaker.start
      from json_to_recordset(${JSON.stringify(speakers)}::json) as speaker (name text, start real)`
  }
  const known = writtenWords(db)
  const said = new Map<string, number>()
  let before = 0
  const chunks = chunksOf(segments, known.wordAt)
  for (;;) {
    const stretches = readStretches(chunks, known, said)
    if (stretches.length === 0) break
    const vectors = yield* chunkVectors(db, known, stretches)
    const starts: Array<number> = []
    const ends: Array<number> = []
    for (const [at, stretch] of stretches.entries()) {
      for (const word of vectors[at]?.positions ?? []) starts.push(stretch.starts[word] ?? 0)
      ends.push(starts.length)
    }
    const texts = stretches.map(({ text }) => text)
    // One array of all, of which each chunk has a slice: PostgreSQL has no lists of different lengths in a list.
    const seconds = yield* Effect.orDie(Effect.fromResult(PgTypes.array(starts, PgTypes.OID.float4)))
    yield* db`
      insert into transcript_chunk (meeting_id, position, text, starts, words)
      select ${meetingId}, ${before}::int + chunk.position, chunk.text,
        (${seconds}::real[])[chunk.first:chunk.last], chunk.words
      from unnest(${texts}::text[], ${ends.map((_, at) => (ends[at - 1] ?? 0) + 1)}::int[], ${ends}::int[],
        ${tsvectors(vectors.map(({ words }) => words))}::tsvector[]) with ordinality chunk (text, first, last, words, position)`
    before += stretches.length
  }
  yield* noteCounts(db, said)
  yield* noteWords(
    db,
    speakers.map(({ name }) => name),
    true
  )
})
