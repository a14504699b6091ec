import { promisify } from "node:util"
import { constants, zstdCompress, zstdDecompress } from "node:zlib"
import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { Segment, TranscriptVersion, Word } from "../../../schema/transcript.ts"
import { given } from "../wire.ts"

/**
 * The spans of segments or words. Where all times are whole milliseconds, as nearly always, a span is the gap after the
 * end of the one before it and its length; else it is its start and its end in seconds.
 */
interface Spans {
  readonly from: ReadonlyArray<number>
  readonly to: ReadonlyArray<number>
}

/**
 * The segments of a transcript by columns: a third smaller under Zstandard than the same as rows, and read in half the
 * time.
 */
interface Columns extends Spans {
  readonly exact: boolean
  readonly texts: ReadonlyArray<string>
  /** Who speaks, and in how many segments in a row; null for nobody named. Missing if nobody is. */
  readonly speakers?: ReadonlyArray<readonly [speaker: string | null, segments: number]>
  /** Missing if no segment has timed words. */
  readonly words?: Spans & {
    /** How many words of each segment have times; null for a segment without a list of them. */
    readonly counts: ReadonlyArray<number | null>
    /** The words of each segment with a list, if they are not those of its text between single spaces. */
    readonly texts: ReadonlyArray<ReadonlyArray<string> | null>
  }
}

type Span = Pick<Word, "start" | "end">

const milliseconds = (seconds: number): number => Math.round(seconds * 1000)

const isExact = ({ start, end }: Span): boolean =>
  [start, end].every((time) => Number.isSafeInteger(milliseconds(time)) && milliseconds(time) / 1000 === time)

const spansOf = (list: ReadonlyArray<Span>, exact: boolean): Spans => {
  if (!exact) return { from: list.map(({ start }) => start), to: list.map(({ end }) => end) }
  return {
    from: list.map(({ start }, at) => milliseconds(start) - milliseconds(list[at - 1]?.end ?? 0)),
    to: list.map(({ start, end }) => milliseconds(end) - milliseconds(start))
  }
}

/** Reads spans one after the other. */
const spanReader = ({ from, to }: Spans, exact: boolean) => {
  let at = 0
  let reached = 0
  return (): Span => {
    const [one = 0, other = 0] = [from[at], to[at]]
    at++
    if (!exact) return { start: one, end: other }
    const start = reached + one
    reached = start + other
    return { start: start / 1000, end: reached / 1000 }
  }
}

const wordsIn = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.split(" "))

const isTextOf = (words: ReadonlyArray<Word>, text: string): boolean => {
  const plain = wordsIn(text)
  return plain.length === words.length && words.every((word, at) => word.text === plain[at])
}

const columnsOf = (segments: ReadonlyArray<Segment>): Columns => {
  const timed = segments.flatMap(({ words = [] }) => words)
  const exact = segments.every(isExact) && timed.every(isExact)
  const turns: Array<[string | null, number]> = []
  for (const { speaker = null } of segments) {
    const last = turns.at(-1)
    if (last !== undefined && last[0] === speaker) last[1]++
    else turns.push([speaker, 1])
  }
  return {
    exact,
    texts: segments.map(({ text }) => text),
    ...spansOf(segments, exact),
    ...(turns.some(([speaker]) => speaker !== null) ? { speakers: turns } : {}),
    ...(segments.some(({ words }) => words !== undefined)
      ? {
          words: {
            ...spansOf(timed, exact),
            counts: segments.map(({ words }) => words?.length ?? null),
            texts: segments.map(({ words, text }) =>
              words === undefined || isTextOf(words, text) ? null : words.map((word) => word.text)
            )
          }
        }
      : {})
  }
}

const segmentsOf = ({ exact, texts, speakers = [], words, ...spans }: Columns): ReadonlyArray<Segment> => {
  const nextSpan = spanReader(spans, exact)
  const nextWord = words && spanReader(words, exact)
  const speaking = speakers.flatMap(([speaker, count]) => Array<string | null>(count).fill(speaker))
  return texts.map((text, at): Segment => {
    const { start, end } = nextSpan()
    const timed = nextWord && typeof words?.counts[at] === "number" ? (words.texts[at] ?? wordsIn(text)) : undefined
    return {
      start,
      end,
      ...given("speaker", speaking[at]),
      text,
      ...given("words", nextWord && timed?.map((word) => ({ ...nextWord(), text: word })))
    }
  })
}

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Zstandard level 6: the next ones save 2% and take half as long again. */
const params = { [constants.ZSTD_c_compressionLevel]: 6 }

/** The first byte of what is packed. Builds up to 141 wrote rows, and no byte before the frame. */
const byColumns = 1

/**
 * The column `transcript.segments`: a byte for the form, then columns as JSON in UTF-8 in one Zstandard frame (RFC
 * 8878). PostgreSQL's own `pglz`, the only compression that every build has, takes five times as long and compresses
 * less. Runs in Node's thread pool.
 */
export const packSegments = (segments: ReadonlyArray<Segment>): Effect.Effect<Uint8Array> =>
  Effect.promise(async () => {
    const json = JSON.stringify(columnsOf(segments))
    // In one call: a stream would switch threads for every chunk.
    const frame = await compress(json, { params, chunkSize: Math.max(1024, json.length >>> 1) })
    return Buffer.concat([Uint8Array.of(byColumns), frame])
  })

/** The segments of a transcript. Bytes not written by `packSegments` are a defect. */
export const segmentsFrom = (packed: Uint8Array): Effect.Effect<ReadonlyArray<Segment>> =>
  Effect.promise(async () => {
    const isByColumns = packed[0] === byColumns
    const json = await decompress(isByColumns ? packed.subarray(1) : packed)
    // Trusted, because only segments that the schema has decoded are packed.
    const stored = JSON.parse(json.toString())
    return isByColumns ? segmentsOf(stored) : stored
  })

/** Transcripts that are packed again in one transaction. */
const packedAtOnce = 50

/** Packs the transcripts again that earlier builds wrote. What another process holds is left to the next time. */
export const packAgain = Effect.fn("Transcripts.packAgain")(function* (db: Sql) {
  const some = Effect.gen(function* () {
    const rows = yield* db<{ meeting_id: MeetingId; version: TranscriptVersion; segments: Uint8Array }>`
      select meeting_id, version, segments from transcript where substr(segments, 1, 1) <> '\\x01'
      order by meeting_id, version limit ${packedAtOnce} for update skip locked`
    for (const { meeting_id, version, segments } of rows) {
      yield* db`
        update transcript set segments = ${yield* packSegments(yield* segmentsFrom(segments))}
        where meeting_id = ${meeting_id} and version = ${version}`
    }
    return rows.length
  })
  yield* Effect.repeat(db.withTransaction(some), { while: (packed) => packed > 0 })
})
