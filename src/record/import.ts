import * as os from "node:os"
import { DateTime, Effect, Ref, Result, Stream } from "effect"
import { SqlError } from "effect/sql"
import { Db } from "../../layers/db/db.ts"
import type { BundleEntity } from "../../schema/bundle.ts"
import { Rehearsal } from "../services/feed/record.ts"
import { announceStale } from "../services/feed/stale-meetings.ts"
import { settleWords } from "../services/meetings/word-forms.ts"
import { withoutDoubts } from "./doubts.ts"
import type { Fault } from "./formats/decode.ts"
import type { Item } from "./formats/item.ts"
import { makeImportClock, type Spent } from "./import-clock.ts"
import { inOrder, type Line, meetingKey, partsOf } from "./parts.ts"
import { withReadableText } from "./readable.ts"
import { type WriteMedia, writeBatch } from "./write/batch.ts"
import { type EntityType, entityTypes } from "./write/entity.ts"
import type { Outcome } from "./write/outcome.ts"
import { makeWriters } from "./writers.ts"

/** A line of the source that was not kept as written: where it is, and what to correct. */
export interface Notice {
  readonly kind: "rejected" | "warning" | "repeated"
  readonly file: string
  readonly line: number
  readonly field: string
  readonly message: string
}

/** How many entities of one type had each outcome. */
interface Tally {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: number
}

export interface ImportReport {
  readonly entities: Readonly<Partial<Record<EntityType, Tally>>>
  readonly rejected: number
  readonly warnings: number
  readonly repeated: number
}

export interface ImportOptions<E, R> {
  /** Does everything, then rolls it back; nothing is announced, and the feed's lock stays free. */
  readonly dryRun: boolean
  readonly writeMedia: WriteMedia<E, R>
  readonly onNotice: (notice: Notice) => Effect.Effect<void>
  /** Called after every batch, in order, with the number of entities settled so far and the batch's last line. */
  readonly onProgress: (settled: number, line: number, spent: Spent) => Effect.Effect<void>
  /** How many batches are written concurrently, each on its own connection; a dry run has one transaction. */
  readonly writers: number
}

/**
 * The useful number of writers: one per core, plus one, because a connection waits while its batch is prepared in this
 * process. This process can feed four.
 */
export const usefulWriters = Math.min(4, os.availableParallelism() + 1)

/**
 * A batch is complete with this many entities or about this many characters; for the rest of a meeting it may be twice
 * as large.
 */
const batchEntities = 200
const batchSize = 1_000_000

const noTally: Tally = { created: 0, updated: 0, unchanged: 0, rejected: 0 }
const emptyReport: ImportReport = { entities: {}, rejected: 0, warnings: 0, repeated: 0 }

/** Ends a dry run, so that its transaction is rolled back. */
class DryRun {
  readonly _tag = "DryRun"
}

/** A rough size: only a transcript's words make an entity large. */
const sizeOf = (entity: BundleEntity): number =>
  entity.type === "transcript"
    ? entity.segments.reduce((size, segment) => size + segment.text.length + 60 * (1 + (segment.words?.length ?? 0)), 0)
    : 500

/** A batch that the database aborted because another transaction was in its way succeeds on retry. */
const isInTheWay = (error: unknown): boolean =>
  SqlError.isSqlError(error) && (error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError")

type Taken = Item & Line

/**
 * Writes what a format finds to the record, one transaction per batch, keeping the good lines when others are bad.
 * Several batches are written side by side while others are read, with the outcome that one writer would have
 * (`partsOf`). Running it again changes nothing; if it is interrupted, committed batches stay and another run does the
 * rest.
 */
export const importItems = Effect.fn("Records.import")(function* <E, R, E2, R2>(
  items: Stream.Stream<Item, E, R>,
  options: ImportOptions<E2, R2>
) {
  const db = yield* Db
  const report = yield* Ref.make(emptyReport)
  const clock = makeImportClock()
  const writers = options.dryRun ? 1 : options.writers
  let gathered: Array<Taken> = []
  let size = 0

  const notice = (item: Item, kind: Notice["kind"], field: string, message: string) =>
    options.onNotice({ kind, file: item.file, line: item.line, field, message })

  const warn = (item: Item, field: string, message: string) =>
    Ref.update(report, (before) => ({ ...before, warnings: before.warnings + 1 })).pipe(
      Effect.andThen(notice(item, "warning", field, message))
    )

  const reject = (item: Item, { field, message }: Fault) =>
    Ref.update(report, (before) => ({ ...before, rejected: before.rejected + 1 })).pipe(
      Effect.andThen(notice(item, "rejected", field, message))
    )

  const write = (lines: ReadonlyArray<Taken>) => {
    const batch = writeBatch(
      lines.map(({ entity }) => entity),
      (media, hash) => clock.during("media", options.writeMedia(media, hash))
    )
    return clock.during("writing", options.dryRun ? batch : Effect.retry(batch, { while: isInTheWay, times: 5 }))
  }

  const settle = Effect.fnUntraced(function* (lines: ReadonlyArray<Taken>, outcomes: ReadonlyArray<Outcome>) {
    for (const [at, item] of lines.entries()) {
      const outcome = outcomes[at]
      if (outcome === undefined) continue
      if (outcome._tag === "Refused") yield* notice(item, "rejected", outcome.field, outcome.message)
      else for (const { field, message } of outcome.notes ?? []) yield* warn(item, field, message)
      yield* Ref.update(report, (before) => count(before, item.entity.type, outcome._tag))
    }
    const before = yield* Ref.get(report)
    yield* options.onProgress(settledCount(before), lines.at(-1)?.line ?? 0, clock.spent())
  })

  const all = Effect.gen(function* () {
    const { add, drain, running } = yield* makeWriters(writers, write, settle)

    const flush = Effect.gen(function* () {
      if (gathered.length === 0) return
      const lines = gathered
      gathered = []
      size = 0
      yield* Effect.forEach(writers === 1 ? [inOrder(lines)] : partsOf(lines), add, { discard: true })
    })

    /** Whether the lines gathered so far make a batch that this entity must not or need not join. */
    const isBatch = (entity: BundleEntity): boolean => {
      const last = gathered.at(-1)?.entity
      if (last === undefined) return false
      // Everything before a removal must be on record when the removal is applied.
      if ((last.type === "removed") !== (entity.type === "removed")) return true
      // Two batches that share a meeting cannot be written concurrently.
      const key = meetingKey(entity)
      const share = key !== undefined && key === meetingKey(last) ? 2 : 1
      return gathered.length >= batchEntities * share || size >= batchSize * share
    }

    const take = Effect.fnUntraced(function* (item: Item) {
      const { result } = item
      switch (result._tag) {
        case "Entity": {
          const readable = withReadableText(result.entity)
          if (Result.isFailure(readable)) return yield* reject(item, readable.failure)
          const { entity, doubts } = withoutDoubts(readable.success.entity, yield* DateTime.now)
          const { removals } = readable.success
          for (const { field, message } of [...removals, ...doubts]) yield* warn(item, field, message)
          if (isBatch(entity)) yield* flush
          gathered.push({ ...item, entity })
          size += sizeOf(entity)
          return
        }
        case "Rejected":
          return yield* reject(item, result)
        case "Warning":
          return yield* warn(item, result.field, result.message)
        case "Repeated":
          yield* Ref.update(report, (before) => ({ ...before, repeated: before.repeated + 1 }))
          return yield* notice(item, "repeated", "", result.message)
      }
    })

    // Few lines are read ahead, because each may be tens of megabytes.
    const read = Stream.runForEach(Stream.buffer(items, { capacity: 2 }), take).pipe(
      Effect.andThen(flush),
      // Lines that were read before a source failed are still written.
      Effect.tapError(() => Effect.andThen(flush, drain)),
      Effect.andThen(drain)
    )
    yield* Effect.raceFirst(read, running)
  }).pipe(Effect.scoped)

  if (!options.dryRun) yield* all.pipe(Effect.andThen(settleWords(db)), Effect.andThen(announceStale))
  else {
    yield* db.withTransaction(Effect.andThen(all, Effect.fail(new DryRun()))).pipe(
      Effect.provideService(Rehearsal, true),
      Effect.catchTag("DryRun", () => Effect.void)
    )
  }
  return yield* Ref.get(report)
})

const count = (
  report: ImportReport,
  type: EntityType,
  tag: "Created" | "Updated" | "Unchanged" | "Refused"
): ImportReport => {
  const tally = report.entities[type] ?? noTally
  const field = tag === "Refused" ? "rejected" : (tag.toLowerCase() as "created" | "updated" | "unchanged")
  return {
    ...report,
    rejected: report.rejected + (tag === "Refused" ? 1 : 0),
    entities: { ...report.entities, [type]: { ...tally, [field]: tally[field] + 1 } }
  }
}

const settledCount = (report: ImportReport): number =>
  entityTypes.reduce((sum, type) => {
    const tally = report.entities[type] ?? noTally
    return sum + tally.created + tally.updated + tally.unchanged + tally.rejected
  }, 0)
