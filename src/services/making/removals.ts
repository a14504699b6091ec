import { createHash } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { Context, Data, DateTime, Effect, Layer, Schema } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { RemovalKind, Segment } from "../../../schema/transcript.ts"
import type { RemovalState } from "../../text/redact/judged.ts"
import { marks, marksIn } from "../../text/redact/marks.ts"
import { applied, type Removal } from "../../text/redact/redact.ts"
import {
  hasWords,
  linesAt,
  placeBefore,
  putBack,
  saidIn,
  takenFrom,
  withoutWords,
  wordsOf
} from "../../text/redact/taken.ts"
import { NotFound, type Removed } from "../failures.ts"
import { meetingsChanged } from "../feed/changed.ts"
import { commandLine, Operator, recordAction } from "../history.ts"
import { Meetings } from "../meetings/meetings.ts"
import { MissingPart } from "../meetings/missing-part.ts"
import { packSegments, segmentsFrom } from "../meetings/packed-segments.ts"
import { wordCount } from "../meetings/passages.ts"
import { holdClaimCheck } from "../meetings/serving.ts"
import { idOf } from "../meetings/sql.ts"
import { clearTranscriptIndex, indexTranscript } from "../meetings/transcript-index.ts"
import { beginAgain } from "../queue/begin-again.ts"
import { takeOutOfQuotes } from "./quoted-words.ts"
import { addRemovals, isOut, RemovalRow, removalColumns, removalsHeld } from "./removal-rows.ts"

/** The words are no longer kept, so nobody can put them back. */
export class WordsNotKept extends Data.TaggedError("WordsNotKept")<{ readonly id: string }> {}

/** No line at that second has the words. */
export class WordsNotSaid extends Data.TaggedError("WordsNotSaid")<{ readonly second: number }> {}

/** The transcript was not refined here, but imported. */
export class TranscriptImported extends Data.TaggedError("TranscriptImported")<{ readonly meetingId: MeetingId }> {}

/** Removals per page of the list. */
export const removalPage = 50

const Listed = Schema.Struct({
  ...RemovalRow.fields,
  meeting_title: Schema.String,
  body: Schema.String,
  date: Schema.String,
  /** The key of the recording, if there is one. */
  recording: Schema.NullOr(Schema.String)
})
/** A removal with its meeting. */
export interface ListedRemoval extends Schema.Schema.Type<typeof Listed> {}

const listed = rowsBy(Listed)

/** Which removals a list is of; a missing field is any. */
export interface RemovalFilter {
  readonly kind?: RemovalKind | undefined
  readonly state?: RemovalState | undefined
  /** Its id or slug. */
  readonly meeting?: string | undefined
}

/** What to take out of a meeting's transcript. */
export interface ToTakeOut {
  readonly kind: RemovalKind
  /** A second of the recording at which the line is said. */
  readonly second: number
  readonly words: string
}

/** A decision: `changed` is false if it had been made before. */
export interface RemovalDecided {
  readonly meeting: MeetingId
  readonly changed: boolean
}

/**
 * What was taken out of transcripts that were refined here, and what operators decide about it. Each decision is one
 * transaction: it changes the transcript that readers see, what search finds and, where words are taken out, what was
 * made of them.
 */
export class Removals extends Context.Service<
  Removals,
  {
    /** One page of them, newest first; of one meeting, in the order in which they are said. */
    readonly list: (
      filter: RemovalFilter,
      page: number
    ) => Effect.Effect<
      {
        readonly total: number
        readonly meeting: MeetingId | undefined
        readonly removals: ReadonlyArray<ListedRemoval>
      },
      NotFound | Removed
    >
    /** Puts the words back into the transcript. */
    readonly restore: (id: string) => Effect.Effect<RemovalDecided, NotFound | WordsNotKept>
    /** Takes words out of a line of a meeting, each time that they are said in it. */
    readonly takeOut: (
      ref: string,
      words: ToTakeOut
    ) => Effect.Effect<RemovalDecided, NotFound | Removed | MissingPart | TranscriptImported | WordsNotSaid>
  }
>()("civic-record/Removals") {
  static readonly layer = Layer.effect(
    Removals,
    Effect.gen(function* () {
      const db = yield* Db
      const meetings = yield* Meetings

      const list = Effect.fn("Removals.list")(function* (filter: RemovalFilter, page: number) {
        const meeting = filter.meeting === undefined ? undefined : yield* meetings.resolve(filter.meeting)
        const { kind, state } = filter
        const where = db.and([
          db`true`,
          ...(kind === undefined ? [] : [db`r.kind = ${kind}`]),
          ...(state === undefined ? [] : [db`r.state = ${state}`]),
          ...(meeting === undefined ? [] : [db`r.meeting_id = ${meeting}`])
        ])
        const [counted] = yield* db<{ total: number }>`select count(*)::int as total from removal r where ${where}`
        const removals = yield* listed(db`
          select ${removalColumns(db)}, m.title as meeting_title, b.name as body, m.date::text as date,
            (select key from media where meeting_id = m.id and role = 'rendition') as recording
          from removal r join meeting m on m.id = r.meeting_id join body b on b.id = m.body_id
          where ${where} order by ${meeting === undefined ? db`r.created_at desc, r.id desc` : db`r.start, r.id`}
          limit ${removalPage} offset ${(page - 1) * removalPage}`)
        return { total: counted?.total ?? 0, meeting, removals }
      }, dbDies)

      /** The refined transcript, and whether a stage made it. */
      const refined = Effect.fnUntraced(function* (meeting: MeetingId) {
        const [row] = yield* db<{ segments: Uint8Array; made: boolean }>`
          select t.segments, exists (select from made_part p where p.meeting_id = t.meeting_id and p.part = 'transcript'
            and p.mark = coalesce(t.generator, '-')) as made
          from transcript t where t.meeting_id = ${meeting} and t.version = 'refined'`
        return row === undefined ? undefined : { made: row.made, segments: yield* segmentsFrom(row.segments) }
      })

      /** Writes the transcript anew. Where anything is out of it, the raw one is withheld, which has the words. */
      const rewrite = Effect.fnUntraced(function* (meeting: MeetingId, segments: ReadonlyArray<Segment>) {
        // Unlike the hash of any imported line, so that importing a transcript later counts as a change.
        const hash = `judged-${createHash("sha256").update(JSON.stringify(segments)).digest("hex")}`
        yield* db`
          update transcript set segments = ${yield* packSegments(segments)}, word_count = ${wordCount(segments)},
            content_hash = ${hash} where meeting_id = ${meeting} and version = 'refined'`
        // By its marks: of what was taken out before removals were rows, nothing else is known.
        const isAnyOut = segments.some(({ text }) => marksIn(text) > 0)
        yield* db`update transcript set withheld = ${isAnyOut} where meeting_id = ${meeting} and version = 'raw'`
        yield* clearTranscriptIndex(db, meeting)
        yield* indexTranscript(db, meeting, "refined", segments)
      })

      const restored = Effect.fnUntraced(function* (ref: string) {
        const unknown = new NotFound({ what: "removal", ref })
        const [of] = yield* db<{ meeting_id: MeetingId }>`select meeting_id from removal where id = ${idOf(ref)}`
        if (of === undefined) return yield* unknown
        const meeting = of.meeting_id
        // Locked by now: another decision, or another transcript, may have come first.
        const held = yield* removalsHeld(db, meeting)
        const row = held.find(({ id }) => id === idOf(ref))
        if (row === undefined) return yield* unknown
        if (!isOut(row)) return { meeting, changed: false }
        const { kept } = row
        if (kept === null) return yield* new WordsNotKept({ id: row.id })
        const out = held.filter(isOut)
        const transcript = yield* refined(meeting)
        const segments = transcript && putBack(transcript.segments, { ...row, kept }, out)
        if (segments === undefined)
          return yield* Effect.die(`The marks of removal ${row.id} are not where it left them.`)
        yield* rewrite(meeting, segments)
        yield* db`
          update removal set state = 'restored', decided_by = ${(yield* Operator) ?? commandLine},
            decided_at = ${DateTime.formatIso(yield* DateTime.now)} where id = ${row.id}`
        const { kind, rule, start } = row
        yield* recordAction(db, "removal.restore", row.id, { meeting, kind, rule, second: Math.floor(start) })
        yield* meetingsChanged(db, [meeting])
        return { meeting, changed: true }
      })

      const taken = Effect.fnUntraced(function* (meeting: MeetingId, { kind, second, words }: ToTakeOut) {
        yield* holdClaimCheck(db)
        // Whatever is being made now, of the transcript as it was, would have the words.
        yield* beginAgain(db, meeting, "refine")
        const held = yield* removalsHeld(db, meeting)
        const transcript = yield* refined(meeting)
        if (transcript === undefined) return yield* new MissingPart({ meetingId: meeting, part: "transcript" })
        if (!transcript.made) return yield* new TranscriptImported({ meetingId: meeting })
        const { segments } = transcript
        const out = held.filter(isOut)
        const lines = linesAt(segments, second)
        const places = lines.map((line) => saidIn(segments, words, line, line + 1)).find((found) => found.length > 0)
        if (places === undefined) {
          const isOutAlready = out.some(
            ({ parts, kept }) =>
              kept !== null &&
              parts.some(({ segment }) => lines.includes(segment)) &&
              saidIn([{ start: 0, end: 0, text: wordsOf(kept) }], words, 0, 1).length > 0
          )
          return isOutAlready ? { meeting, changed: false } : yield* new WordsNotSaid({ second })
        }
        const removals = places.map((parts): Removal => ({ kind, rule: "operator", parts }))
        const added = removals.map((removal) => ({
          ...takenFrom(segments, removal),
          parts: removal.parts.map((part) => placeBefore(part, out)),
          state: "added" as const
        }))
        yield* rewrite(meeting, applied(segments, removals))
        // Put back before, and now taken out after all.
        const again = held.filter(
          (row) => !isOut(row) && added.some(({ parts }) => isDeepStrictEqual(parts, row.parts))
        )
        yield* db`delete from removal where id = any(${again.map(({ id }) => id)}::uuid[])`
        yield* addRemovals(db, meeting, added, [], (yield* Operator) ?? commandLine)
        const span = {
          start: Math.min(...added.map((one) => one.start)),
          end: Math.max(...added.map((one) => one.end))
        }
        yield* takeOutOfQuotes(db, meeting, span, (text) => withoutWords(text, words, marks[kind]))
        yield* recordAction(db, "removal.take-out", meeting, { kind, second: Math.floor(span.start) })
        yield* meetingsChanged(db, [meeting])
        return { meeting, changed: true }
      })

      const takeOut = Effect.fn("Removals.takeOut")(function* (ref: string, given: ToTakeOut) {
        const meeting = yield* meetings.resolve(ref)
        if (!hasWords(given.words)) return yield* new WordsNotSaid({ second: given.second })
        return yield* db.withTransaction(taken(meeting, given))
      }, dbDies)

      return {
        list,
        restore: Effect.fn("Removals.restore")((id: string) => db.withTransaction(restored(id)), dbDies),
        takeOut
      }
    })
  ).pipe(Layer.provide(Meetings.fromPrimary))
}
