import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { Array as Arr, Context, Data, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import { dbDies, ReadDb } from "../../../layers/db/db.ts"
import type { BundleSpeaker } from "../../../schema/bundle.ts"
import { type MeetingId, roundSeconds } from "../../../schema/primitives.ts"
import type { RemovalCount, Segment, Transcript, TranscriptVersion } from "../../../schema/transcript.ts"
import { makeSharedWork } from "../shared-work.ts"
import { given } from "../wire.ts"
import { cuesOf, plainText, subRip, webVtt } from "./captions.ts"
import { MissingPart } from "./missing-part.ts"
import { segmentsFrom } from "./packed-segments.ts"
import { peopleSpeaking } from "./speaker-people.ts"

export type TranscriptFormat = "json" | "vtt" | "srt" | "txt"
export type ContentCoding = "br" | "gzip" | "identity"

/** The form in which a transcript is requested. */
export interface TranscriptQuery {
  /**
   * True for the unedited output of speech recognition; otherwise the refined version, or the raw one if there is no
   * other.
   */
  readonly raw: boolean
  /** Include word times. Captions without them have one cue per segment. */
  readonly words: boolean
  readonly format: TranscriptFormat
  /** The preferred content coding. Anything under 1 KB is sent uncompressed. */
  readonly coding: ContentCoding
}

interface Rendered {
  readonly bytes: Uint8Array
  readonly coding: ContentCoding
}

/** A transcript's bytes as sent. */
interface TranscriptBytes extends Rendered {
  /** Strong (RFC 9110, section 8.8.1): unique to a transcript's version, format and coding. */
  readonly etag: string
}

/** One rendering of one transcript; `hash` changes with each import. */
interface Rendering extends Omit<TranscriptQuery, "raw"> {
  readonly meetingId: MeetingId
  readonly version: TranscriptVersion
  readonly hash: string
  readonly removals: ReadonlyArray<RemovalCount>
  /** Speakers who are somebody in public office. */
  readonly people: NonNullable<Transcript["speakers"]>
}

interface Row {
  readonly language: string
  readonly generator: string | null
  readonly duration: number
  readonly speakers: ReadonlyArray<BundleSpeaker> | null
  readonly segments: Uint8Array
}

/** What was taken out, as a part of a name: `home3.phone1`. The text may stay the same while the counts change. */
const counts = (removals: ReadonlyArray<RemovalCount>): string =>
  removals.map(({ kind, count }) => `${kind}${count}`).join(".")

/**
 * Who the speakers are, as a part of a name; empty if that is known of nobody. It changes with the roster of the body.
 */
const whose = (people: Rendering["people"]): string =>
  people.length === 0 ? "" : createHash("sha256").update(JSON.stringify(people)).digest("hex").slice(0, 8)

/** The speakers whose voices were named, and those who are somebody in public office. */
const known = (named: ReadonlyArray<BundleSpeaker>, people: Rendering["people"]): Transcript["speakers"] => {
  const persons = new Map(people.map((speaker) => [speaker.name, speaker.person]))
  const speakers = [
    ...named.map(({ name, shown_at }) => ({
      name,
      ...given("shown_at", shown_at),
      ...given("person", persons.get(name))
    })),
    ...people.filter(({ name }) => named.every((one) => one.name !== name))
  ].filter((speaker) => speaker.shown_at !== undefined || speaker.person !== undefined)
  return speakers.length === 0 ? undefined : speakers
}

/** Another import replaced the transcript after its hash was read. */
class Replaced extends Data.TaggedError("Replaced") {}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

const compressed = (bytes: Uint8Array, coding: "br" | "gzip") =>
  coding === "br"
    ? // Beyond 5 a long transcript takes seconds, for a few percent.
      brotli(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
      })
    : gzipped(bytes)

/** The same bytes in memory of their own: a compressor gives a part of 64 KB. */
const alone = (bytes: Uint8Array) => Buffer.from(new Uint8Array(bytes).buffer)

/** Bytes below which compression gains nothing (contract section 1). */
const worthCompressing = 1024

/** Bytes of encoded transcripts that a process caches: about ten long meetings in every rendering. */
const usualBound = 32 * 1024 * 1024

const segmentOf =
  (withWords: boolean) =>
  ({ start, end, speaker, text, words }: Segment): Segment => ({
    start: roundSeconds(start),
    end: roundSeconds(end),
    ...given("speaker", speaker),
    text,
    ...(withWords && words !== undefined
      ? {
          words: words.map((word) => ({
            start: roundSeconds(word.start),
            end: roundSeconds(word.end),
            text: word.text
          }))
        }
      : {})
  })

const written = (
  { meetingId, version, removals, people, words, format }: Rendering,
  row: Row,
  said: ReadonlyArray<Segment>
): string => {
  const segments = said.map(segmentOf(words))
  switch (format) {
    case "json":
      return JSON.stringify({
        meeting_id: meetingId,
        version,
        language: row.language,
        ...given("generator", row.generator),
        duration: row.duration,
        ...(Arr.isReadonlyArrayNonEmpty(removals) ? { removals } : {}),
        ...given("speakers", known(row.speakers ?? [], people)),
        segments
      } satisfies Transcript)
    case "vtt":
      return webVtt(cuesOf(segments))
    case "srt":
      return subRip(cuesOf(segments))
    case "txt":
      return plainText(segments)
  }
}

/** Transcripts as bytes that are encoded only once (spec 4.2, contract section 4). */
export class Transcripts extends Context.Service<
  Transcripts,
  {
    readonly read: (meetingId: MeetingId, query: TranscriptQuery) => Effect.Effect<TranscriptBytes, MissingPart>
    /** The default version, without word times. */
    readonly spoken: (meetingId: MeetingId) => Effect.Effect<Transcript, MissingPart>
    /** The same with word times. */
    readonly timed: (meetingId: MeetingId) => Effect.Effect<Transcript, MissingPart>
  }
>()("civic-record/Transcripts") {
  /** Caches the most recently requested transcripts, encoded, up to `bound` bytes. */
  static readonly layerBounded = (bound: number) =>
    Layer.effect(
      Transcripts,
      Effect.gen(function* () {
        const db = yield* ReadDb

        const encode = Effect.fn("Transcripts.encode")(function* (rendering: Rendering) {
          const { meetingId, version, hash } = rendering
          const [row] = yield* db<Row>`
            select language, generator, duration::float8 as duration, speakers, segments from published_transcript
            where meeting_id = ${meetingId} and version = ${version} and content_hash = ${hash}`
          if (row === undefined) return yield* new Replaced()
          return Buffer.from(written(rendering, row, yield* segmentsFrom(row.segments)))
        }, dbDies)

        const cache = new LRUCache<string, Rendered>({
          maxSize: bound,
          sizeCalculation: ({ bytes }) => bytes.length || 1
        })
        const share = makeSharedWork<string, Rendered, Replaced>()

        /** The cached bytes, or new ones shared by concurrent callers. A failure is not cached. */
        const rendered = (rendering: Rendering): Effect.Effect<Rendered, Replaced> =>
          Effect.suspend(() => {
            const { meetingId, version, hash, removals, people, words, format, coding } = rendering
            const key = [meetingId, version, hash, counts(removals), whose(people), words, format, coding].join(" ")
            const known = cache.get(key)
            if (known !== undefined) return Effect.succeed(known)
            return share(
              key,
              Effect.tap(render(rendering), (made) => Effect.sync(() => cache.set(key, made)))
            )
          })

        const render = Effect.fnUntraced(function* (rendering: Rendering) {
          const { coding } = rendering
          if (coding === "identity") return { bytes: yield* encode(rendering), coding }
          const plain = yield* rendered({ ...rendering, coding: "identity" })
          if (plain.bytes.length < worthCompressing) return plain
          return { bytes: alone(yield* Effect.promise(() => compressed(plain.bytes, coding))), coding }
        })

        const read = Effect.fn("Transcripts.read")(
          function* (meetingId: MeetingId, { raw, words, format, coding }: TranscriptQuery) {
            const kept = yield* db<Pick<Rendering, "version" | "hash" | "removals">>`
              select t.version, t.content_hash as hash, coalesce((
                select json_agg(json_build_object('kind', kind, 'count', count) order by count desc, kind) from (
                  select r.kind, count(*)::int as count from removal r
                  where r.meeting_id = t.meeting_id and r.version = t.version and r.state <> 'restored'
                  group by r.kind) counted), '[]') as removals
              from published_transcript t where t.meeting_id = ${meetingId} order by t.version = 'refined' desc`
            const wanted = raw ? kept.find(({ version }) => version === "raw") : kept[0]
            if (wanted === undefined) {
              return yield* new MissingPart({
                meetingId,
                part: raw && kept.length > 0 ? "raw_transcript" : "transcript"
              })
            }
            const { version, hash, removals } = wanted
            // Plain text has no times, so it is the same with and without words.
            const withWords = words && format !== "txt"
            const people = format === "json" ? yield* peopleSpeaking(db, meetingId, version) : []
            const made = yield* rendered({
              meetingId,
              version,
              hash,
              removals,
              people,
              words: withWords,
              format,
              coding
            })
            const rest = [version, format, withWords ? "words" : "", counts(removals), whose(people), made.coding]
            const etag = `"${[hash.slice(0, 32), ...rest].filter((part) => part !== "").join("-")}"`
            return { ...made, etag }
          },
          Effect.retry({ while: (error) => error._tag === "Replaced", times: 3 }),
          Effect.catchTags({ SqlError: Effect.die, Replaced: Effect.die })
        )

        const decoded = Effect.fn("Transcripts.spoken")(function* (meetingId: MeetingId, words: boolean) {
          const { bytes } = yield* read(meetingId, { raw: false, words, format: "json", coding: "identity" })
          // Parsing our own cached bytes costs a fraction of a query.
          const transcript: Transcript = JSON.parse(new TextDecoder().decode(bytes))
          return transcript
        })

        return {
          read,
          spoken: (meetingId) => decoded(meetingId, false),
          timed: (meetingId) => decoded(meetingId, true)
        }
      })
    )

  static readonly layer = Transcripts.layerBounded(usualBound)
}
