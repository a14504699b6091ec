import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import { tsvectors } from "../../../layers/db/tsvector.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { Segment, TranscriptVersion } from "../../../schema/transcript.ts"
import { type PassageToIndex, passageVectors, vectorOf } from "./passage-vectors.ts"
import { type Passage, passagesOf, textOf } from "./passages.ts"
import { speakersOf } from "./transcript-speakers.ts"
import { addForms, noteCounts, noteWords } from "./word-forms.ts"
import { type Word, type WrittenWords, writtenWords } from "./written-words.ts"

/** The passages per row of `passage_block`, which views read apart (layers/db/functions/passage.sql). */
const passagesPerBlock = 32

/** The most passages per insert, in whole blocks: over an hour of speech, and a few megabytes at most. */
const passagesPerStatement = 7 * passagesPerBlock

/**
 * Reads the passages of one insert and counts their words; words that two passages share count once. Each passage is
 * finished before the next, while its words are in the CPU cache.
 */
const readPassages = (
  passages: Iterator<Passage<Word>>,
  known: WrittenWords,
  counts: Map<string, number>
): ReadonlyArray<Passage<Word> & PassageToIndex> => {
  const read: Array<Passage<Word> & PassageToIndex> = []
  const met: Array<Word> = []
  while (read.length < passagesPerStatement) {
    const { done, value: passage } = passages.next()
    if (done) break
    const { words, repeated } = passage
    for (let at = repeated; at < words.length; at++) {
      const word = words[at]
      if (word !== undefined && word.times++ === 0) met.push(word)
    }
    read.push({ ...passage, text: textOf(words), vector: vectorOf(known, words) })
  }
  for (const word of met) {
    addForms(counts, word.forms, word.times)
    word.times = 0
  }
  return read
}

/** Deletes the passages and speakers of a meeting. */
export const clearTranscriptIndex = Effect.fnUntraced(function* (db: Sql, meetingId: MeetingId) {
  yield* db`delete from passage_block where meeting_id = ${meetingId}`
  yield* db`delete from transcript_speaker where meeting_id = ${meetingId}`
})

/**
 * Writes the passages and speakers of a meeting, in the transaction that writes the version that readers see; the old
 * ones must already be deleted.
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
      insert into transcript_speaker (meeting_id, version, name, start, turns, until, moments, person)
      select ${meetingId}, ${version}, s.name, s.start, s.turns, s.until, s.moments, (
        select lower(given.person)
        from transcript t cross join jsonb_to_recordset(t.speakers) given (name text, person text)
        where t.meeting_id = ${meetingId} and t.version = ${version} and given.name = s.name and given.person is not null
        limit 1)
      from json_to_recordset(${JSON.stringify(speakers)}::json) as s (name text, start real, turns real[], until real[],
        moments jsonb)`
  }
  const known = writtenWords(db)
  const said = new Map<string, number>()
  let before = 0
  const remaining = passagesOf(segments, known.wordAt)
  for (;;) {
    const passages = readPassages(remaining, known, said)
    if (passages.length === 0) break
    const vectors = yield* passageVectors(db, known, passages)
    const starts: Array<number> = []
    const ends: Array<number> = []
    for (const [at, passage] of passages.entries()) {
      for (const word of vectors[at]?.positions ?? []) starts.push(passage.starts[word] ?? 0)
      ends.push(starts.length)
    }
    const words = tsvectors(vectors.map(({ words }) => words))
    const texts = passages.map(({ text }) => text)
    // Arrays that each block takes a slice of, because PostgreSQL has no arrays of arrays of different lengths.
    const seconds = yield* Effect.orDie(Effect.fromResult(PgTypes.array(starts, PgTypes.OID.float4)))
    yield* db`
      insert into passage_block (meeting_id, block, words, texts, starts, ends)
      select ${meetingId}, block_of(${before}::int + b.first), (${words}::tsvector[])[b.first:b.last],
        (${texts}::text[])[b.first:b.last], (${seconds}::real[])[b.until + 1:(${ends}::int[])[b.last]],
        array(select e - b.until from unnest((${ends}::int[])[b.first:b.last]) e)
      from (
        select first, least(first + ${passagesPerBlock - 1}, ${passages.length}) as last,
          coalesce((${ends}::int[])[first - 1], 0) as until
        from generate_series(1, ${passages.length}::int, ${passagesPerBlock}::int) first) b`
    before += passages.length
  }
  yield* noteCounts(db, said)
  yield* noteWords(
    db,
    speakers.map(({ name }) => name),
    true
  )
})
