import { randomUUID } from "node:crypto"
import { Context, Data, DateTime, Effect, Layer, Stream } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { ObjectStore, type ObjectStoreError } from "../../../layers/object-store/object-store.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { type NotFound, type Removed, uploadNotFound } from "../failures.ts"
import { Operator, recordAction } from "../history.ts"
import { uploadKeys } from "../meetings/media-tier.ts"
import { Meetings } from "../meetings/meetings.ts"
import { idOf } from "../meetings/sql.ts"
import { addFlows } from "../queue/add-flows.ts"
import { Flows } from "../queue/flows.ts"
import { Settings } from "../settings/settings.ts"
import { given } from "../wire.ts"

/** A file that cannot be given; `problem` completes a sentence that begins with the field. */
export class UnfitUpload extends Data.TaggedError("UnfitUpload")<{
  readonly field: "name" | "bytes" | "modified" | "address"
  readonly problem: string
}> {}

/** A piece of an upload does not continue it, or has not the length it must have; `received` is where it stands. */
export class OutOfStep extends Data.TaggedError("OutOfStep")<{
  readonly received: number
  readonly bytes: number
  /** The bytes of the next piece; 0 if all have arrived. */
  readonly next: number
}> {}

/** A file on the disk of an operator. */
export interface GivenFile {
  readonly name: string
  readonly bytes: number
  /** When it was last changed, in milliseconds since 1970. */
  readonly modified?: number | undefined
  /** The captions that come with it, as a file. */
  readonly captions?: Uint8Array | undefined
}

/** How far an upload has come. */
export interface Upload {
  readonly id: string
  readonly meeting: MeetingId
  readonly name: string
  readonly bytes: number
  readonly received: number
  readonly modified?: number
  /** The length of each piece but the last. */
  readonly piece_bytes: number
  readonly operator: string
  readonly touched_at: string
  readonly finished: boolean
}

interface UploadRow {
  readonly id: string
  readonly meeting: MeetingId
  readonly name: string
  readonly bytes: number
  readonly received: number
  readonly modified: number | null
  readonly piece_bytes: number
  readonly pieces: string
  readonly operator: string
  readonly touched_at: Date
  readonly finished: boolean
}

/** The length of a piece, in bytes: little is sent again after an interruption, and a day's recording has thousands. */
const usualPiece = 8 * 1024 * 1024

const uploadOf = ({ pieces: _, modified, touched_at, ...row }: UploadRow): Upload => ({
  ...row,
  ...given("modified", modified),
  touched_at: touched_at.toISOString()
})

/** The length of an upload's next piece; 0 if it has all. */
export const nextPiece = ({ received, bytes, piece_bytes }: Pick<Upload, "received" | "bytes" | "piece_bytes">) =>
  Math.min(piece_bytes, bytes - received)

/** The key of a piece, numbered from 0. */
export const pieceKey = (pieces: string, number: number) => `${pieces}${number}`

/**
 * Recordings that operators give to meetings, from their own disk or from an address. A file arrives in pieces, each an
 * object of the store, in any process and over days: `begin` with the same file finds what has arrived. What is whole
 * is taken by the stage `receive`.
 */
export class GivenRecordings extends Context.Service<
  GivenRecordings,
  {
    /** Begins an upload for a meeting, named by its id or slug, or goes on with that of the same file. */
    readonly begin: (ref: string, file: GivenFile) => Effect.Effect<Upload, NotFound | Removed | UnfitUpload>
    readonly upload: (id: string) => Effect.Effect<Upload, NotFound>
    /** Adds a whole piece at the offset where the upload stands. */
    readonly append: <E, R>(
      id: string,
      offset: number,
      body: Stream.Stream<Uint8Array, E, R>
    ) => Effect.Effect<Upload, NotFound | OutOfStep | ObjectStoreError | E, R>
    /** Hands a whole upload over to the pipeline, in place of what waits there. Doing so again changes nothing. */
    readonly finish: (id: string) => Effect.Effect<Upload, NotFound | OutOfStep>
    /** Forgets an upload with what has arrived. */
    readonly discard: (id: string) => Effect.Effect<Upload, NotFound>
    /** Has a recording fetched from an address. Returns the meeting. */
    readonly fromAddress: (
      ref: string,
      address: string,
      captions?: Uint8Array
    ) => Effect.Effect<MeetingId, NotFound | Removed | UnfitUpload>
    /** The uploads of a meeting that are not its recording yet, newest first. */
    readonly uploads: (meeting: MeetingId) => Effect.Effect<ReadonlyArray<Upload>>
  }
>()("civic-record/GivenRecordings") {
  static readonly layer = Layer.effect(
    GivenRecordings,
    Effect.gen(function* () {
      const db = yield* Db
      const store = yield* ObjectStore
      const flows = yield* Flows
      const meetings = yield* Meetings
      const settings = yield* Settings
      const clock = Effect.map(DateTime.now, DateTime.formatIso)

      const columns = db`id, meeting_id as meeting, name, bytes::float8 as bytes, received::float8 as received,
        modified::float8 as modified, piece_bytes, pieces, operator, touched_at, finished_at is not null as finished`

      /** An upload that is under way or waits, locked if it is about to change. */
      const row = Effect.fnUntraced(function* (id: string, isLocked = false) {
        const [found] = yield* db<UploadRow>`
          select ${columns} from given_recording where id = ${idOf(id)} and address is null and taken_at is null
          ${isLocked ? db`for update` : db``}`
        return found ?? (yield* uploadNotFound(id))
      })

      const checked = Effect.fnUntraced(function* ({ name, bytes, modified }: GivenFile) {
        const unfit = (field: UnfitUpload["field"], problem: string) => new UnfitUpload({ field, problem })
        const most = yield* settings.get("pipeline.LargestUploadMB")
        if (!/^[^\p{Cc}/\\]{1,255}$/u.test(name)) {
          return yield* unfit("name", "must be a file's name of 1 to 255 characters")
        }
        if (!Number.isSafeInteger(bytes) || bytes < 1) return yield* unfit("bytes", "must be the length of the file")
        if (bytes > most * 1_000_000) {
          return yield* unfit("bytes", `must be at most ${most} MB (setting pipeline.LargestUploadMB)`)
        }
        if (modified !== undefined && !Number.isSafeInteger(modified)) {
          return yield* unfit("modified", "must be a whole number of milliseconds")
        }
      })

      const begin = Effect.fn("GivenRecordings.begin")(function* (ref: string, file: GivenFile) {
        yield* checked(file)
        const meeting = yield* meetings.resolve(ref)
        const { name, bytes, modified = null, captions = null } = file
        const [operator, now] = [(yield* Operator) ?? "the pipeline", yield* clock]
        return yield* db.withTransaction(
          Effect.gen(function* () {
            // Two tabs that begin the same file at once find one upload.
            yield* db`select from meeting where id = ${meeting} for no key update`
            const [known] = yield* db<UploadRow>`
              update given_recording set touched_at = ${now}, captions = coalesce(${captions}, captions)
              where id = (select id from given_recording
                where meeting_id = ${meeting} and name = ${name} and bytes = ${bytes} and taken_at is null
                  and modified is not distinct from ${modified}::int8 order by created_at desc limit 1)
              returning ${columns}`
            if (known !== undefined) return uploadOf(known)
            const [begun] = yield* db<UploadRow>`
              insert into given_recording ${db.insert({
                ...{ meeting_id: meeting, operator, name, bytes, modified, captions, received: 0 },
                ...{ piece_bytes: usualPiece, pieces: uploadKeys(meeting, randomUUID()) },
                ...{ created_at: now, touched_at: now }
              })} returning ${columns}`
            return begun === undefined ? yield* uploadNotFound(name) : uploadOf(begun)
          })
        )
      }, dbDies)

      const append = Effect.fn("GivenRecordings.append")(function* <E, R>(
        id: string,
        offset: number,
        body: Stream.Stream<Uint8Array, E, R>
      ) {
        const { piece_bytes, received, bytes, pieces, finished } = yield* dbDies(row(id))
        const length = nextPiece({ received, bytes, piece_bytes })
        const outOfStep = new OutOfStep({ received, bytes, next: length })
        if (offset !== received || length === 0 || finished) return yield* outOfStep
        let size = 0
        const counted = body.pipe(
          Stream.mapEffect((chunk) => {
            size += chunk.length
            return size > length ? Effect.fail(outOfStep) : Effect.succeed(chunk)
          }),
          Stream.concat(
            Stream.fromEffect(Effect.suspend(() => (size < length ? outOfStep : Effect.void))).pipe(Stream.drain)
          )
        )
        const key = pieceKey(pieces, received / piece_bytes)
        yield* store.put(key, counted, "application/octet-stream")
        const now = yield* clock
        const [added] = yield* dbDies(
          db<UploadRow>`
            update given_recording set received = received + ${length}, touched_at = ${now}
            where id = ${id} and received = ${offset} and finished_at is null returning ${columns}`
        )
        if (added !== undefined) return uploadOf(added)
        // Another tab was faster, or the upload was discarded meanwhile.
        const left = yield* Effect.option(dbDies(row(id)))
        if (left._tag === "Some") return yield* new OutOfStep({ ...left.value, next: nextPiece(left.value) })
        yield* dbDies(db`insert into removed_media (key) values (${key}) on conflict do nothing`)
        return yield* uploadNotFound(id)
      })

      /** Has the stage `receive` take what was given last, in the caller's transaction. */
      const handOver = Effect.fnUntraced(function* (meeting: MeetingId, id: string) {
        yield* db`
          delete from given_recording
          where meeting_id = ${meeting} and id <> ${id} and finished_at is not null and taken_at is null`
        const [open] = yield* db<{ id: string }>`
          select id from flow where meeting_id = ${meeting} and kind = 'given' and state = 'open' for no key update`
        if (open === undefined) yield* addFlows(db, "given", [{ meeting_id: meeting }])
        else
          yield* Effect.catchTags(flows.rerun(open.id, "receive"), { UnknownFlow: Effect.die, NewerFlow: Effect.die })
      })

      const finish = Effect.fn("GivenRecordings.finish")(function* (id: string) {
        const now = yield* clock
        return yield* db.withTransaction(
          Effect.gen(function* () {
            const upload = yield* row(id, true)
            const { meeting, name, bytes, received, finished } = upload
            if (received < bytes) return yield* new OutOfStep({ received, bytes, next: nextPiece(upload) })
            if (finished) {
              // If it could not be taken, that is tried again.
              yield* addFlows(db, "given", [{ meeting_id: meeting }])
              return uploadOf(upload)
            }
            yield* db`update given_recording set finished_at = ${now}, touched_at = ${now} where id = ${id}`
            yield* handOver(meeting, id)
            yield* recordAction(db, "recording.add", meeting, { file: name, bytes })
            return { ...uploadOf(upload), finished: true }
          })
        )
      }, dbDies)

      const discard = Effect.fn("GivenRecordings.discard")(function* (id: string) {
        return yield* db.withTransaction(
          Effect.gen(function* () {
            const upload = yield* row(id, true)
            yield* db`delete from given_recording where id = ${id}`
            yield* recordAction(db, "recording.discard", upload.meeting, { file: upload.name, bytes: upload.received })
            return uploadOf(upload)
          })
        )
      }, dbDies)

      const fromAddress = Effect.fn("GivenRecordings.fromAddress")(function* (
        ref: string,
        address: string,
        captions: Uint8Array | null = null
      ) {
        const url = URL.parse(address)
        if (url === null || !/^https?:$/.test(url.protocol) || address.length > 2000) {
          return yield* new UnfitUpload({ field: "address", problem: "must be an http or https address" })
        }
        const meeting = yield* meetings.resolve(ref)
        const [operator, now] = [(yield* Operator) ?? "the pipeline", yield* clock]
        return yield* db.withTransaction(
          Effect.gen(function* () {
            const [added] = yield* db<{ id: string }>`
              insert into given_recording ${db.insert({
                ...{ meeting_id: meeting, operator, address: url.href, captions },
                ...{ created_at: now, touched_at: now, finished_at: now }
              })} returning id`
            if (added !== undefined) yield* handOver(meeting, added.id)
            yield* recordAction(db, "recording.add", meeting, { address: url.href })
            return meeting
          })
        )
      }, dbDies)

      const uploads = Effect.fn("GivenRecordings.uploads")(function* (meeting: MeetingId) {
        const rows = yield* db<UploadRow>`
          select ${columns} from given_recording
          where meeting_id = ${meeting} and address is null and taken_at is null order by created_at desc, id limit 50`
        return rows.map(uploadOf)
      }, dbDies)

      return {
        begin,
        upload: Effect.fn("GivenRecordings.upload")((id: string) => dbDies(Effect.map(row(id), uploadOf))),
        append,
        finish,
        discard,
        fromAddress,
        uploads
      }
    })
  ).pipe(Layer.provide(Meetings.fromPrimary))
}
