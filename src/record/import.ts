import { DateTime, Effect, Ref, Stream } from "effect"
import { Db } from "../../layers/db.ts"
import type { BundleEntity } from "../../schema/bundle.ts"
import { Rehearsal } from "../services/feed/record.ts"
import { doubtsOf } from "./doubts.ts"
import type { Item } from "./formats/item.ts"
import { withoutUnstorable } from "./unstorable.ts"
import { type WriteMedia, writeBatch } from "./write/batch.ts"
import { type EntityType, entityTypes } from "./write/entity.ts"

/** A line of the source that was not kept as written: where it is, and what to correct. */
export interface Notice {
  readonly kind: "rejected" | "warning" | "repeated"
  readonly file: string
  readonly line: number
  readonly field: string
  readonly message: string
}

/** How many entities of one type had each outcome. */
export interface Tally {
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
  /** Does everything, then rolls it back; nothing is told, and the feed's lock stays free. */
  readonly dryRun: boolean
  readonly writeMedia: WriteMedia<E, R>
  readonly onNotice: (notice: Notice) => Effect.Effect<void>
  /** Called after every batch with the number of entities settled so far and the last line read. */
  readonly onProgress: (settled: number, line: number) => Effect.Effect<void>
}

/** One transaction holds at most this many entities, or about this many characters of them. */
const batchEntities = 200
const batchSize = 4_000_000

const noTally: Tally = { created: 0, updated: 0, unchanged: 0, rejected: 0 }
const emptyReport: ImportReport = { entities: {}, rejected: 0, warnings: 0, repeated: 0 }

/** Ends a dry run, so that its transaction is rolled back. */
class DryRun {
  readonly _tag = "DryRun"
}

/** A rough size: only the words of a transcript make an entity large. */
const sizeOf = (entity: BundleEntity): number =>
  entity.type === "transcript"
    ? entity.segments.reduce((size, segment) => size + segment.text.length + 60 * (1 + (segment.words?.length ?? 0)), 0)
    : 500

/**
 * Writes what a format finds to the record, one transaction per batch, keeping the good lines when others are bad. Running
 * it again changes nothing; if it is interrupted, committed batches stay and another run does the rest.
 */
export const importItems = Effect.fn("Records.import")(function* <E, R, E2, R2>(
  items: Stream.Stream<Item, E, R>,
  options: ImportOptions<E2, R2>
) {
  const report = yield* Ref.make(emptyReport)
  let batch: Array<Item & { readonly result: { readonly _tag: "Entity" } }> = []
  let size = 0

  const notice = (item: Item, kind: Notice["kind"], field: string, message: string) =>
    options.onNotice({ kind, file: item.file, line: item.line, field, message })

  const warn = (item: Item, field: string, message: string) =>
    Ref.update(report, (before) => ({ ...before, warnings: before.warnings + 1 })).pipe(
      Effect.andThen(notice(item, "warning", field, message))
    )

  const flush = Effect.gen(function* () {
    if (batch.length === 0) return
    const taken = batch
    batch = []
    size = 0
    const outcomes = yield* writeBatch(
      taken.map((item) => item.result.entity),
      options.writeMedia
    )
    for (const [at, item] of taken.entries()) {
      const outcome = outcomes[at]
      if (outcome === undefined) continue
      if (outcome._tag === "Refused") yield* notice(item, "rejected", outcome.field, outcome.message)
      else for (const { field, message } of outcome.notes ?? []) yield* warn(item, field, message)
      yield* Ref.update(report, (before) => count(before, item.result.entity.type, outcome._tag))
    }
    yield* Ref.get(report).pipe(
      Effect.flatMap((before) => options.onProgress(settledCount(before), taken.at(-1)?.line ?? 0))
    )
  })

  const take = Effect.fnUntraced(function* (item: Item) {
    const { result } = item
    switch (result._tag) {
      case "Entity": {
        const { entity, removals } = withoutUnstorable(result.entity)
        const doubts = doubtsOf(entity, yield* DateTime.now)
        for (const { field, message } of [...removals, ...doubts]) yield* warn(item, field, message)
        // Whatever comes before a removal is on record when it is worked off.
        if ((batch.at(-1)?.result.entity.type === "removed") !== (entity.type === "removed")) yield* flush
        batch.push({ ...item, result: { ...result, entity } })
        size += sizeOf(entity)
        if (batch.length >= batchEntities || size >= batchSize) yield* flush
        return
      }
      case "Rejected":
        yield* Ref.update(report, (before) => ({ ...before, rejected: before.rejected + 1 }))
        return yield* notice(item, "rejected", result.field, result.message)
      case "Warning":
        return yield* warn(item, result.field, result.message)
      case "Repeated":
        yield* Ref.update(report, (before) => ({ ...before, repeated: before.repeated + 1 }))
        return yield* notice(item, "repeated", "", result.message)
    }
  })

  // The next lines are read while a batch is written; few of them, because each may be tens of megabytes.
  const all = Stream.runForEach(Stream.buffer(items, { capacity: 2 }), take).pipe(Effect.andThen(flush))
  if (!options.dryRun) yield* all
  else {
    const db = yield* Db
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
