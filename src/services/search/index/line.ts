import { randomUUID } from "node:crypto"
import * as fs from "node:fs"
import { Clock, Context, Data, Effect, Option } from "effect"
import { Environment } from "../../../../layers/config/config.ts"
import { Db, type Sql } from "../../../../layers/db/db.ts"
import { Siblings } from "../../../../layers/processes/siblings.ts"
import { listOf } from "../../../search-engine/format/document-set.ts"
import type { Part } from "../../../search-engine/format/part.ts"
import { readAhead } from "../../../search-engine/format/read-ahead.ts"
import { openSegment, type Segment } from "../../../search-engine/format/segment.ts"
import { SegmentSet } from "../../../search-engine/segment-set.ts"
import { SegmentRefused } from "../../../search-engine/types.ts"
import { changedSince, isKept, type Position, positionNow } from "../changes.ts"
import type { Builder } from "./builder.ts"
import { baseFolder, changesFolder, dropChanges, indexFolder, type Origin, originsIn, writeOrigin } from "./folder.ts"
import type { BodyKeys } from "./found-in-index.ts"

/** Thresholds for merging small segments and replacing a base. Tests use smaller ones. */
export const IndexSizes = Context.Reference("civic-record/SearchIndex/Sizes", {
  defaultValue: () => ({
    /** The most changes in one small segment. */
    atOnce: 5000,
    /** A new small segment absorbs earlier ones that are no larger, up to this combined size. */
    takenIn: 2000,
    /** Beyond this many small segments, this many of the smallest are merged. */
    small: 10,
    /** Changed meetings, or a tenth of the base if that is more, after which a new base is built. */
    changed: 20_000
  })
})

/** The database does not have all that the line has (`isKept`). */
class RecordWentBack extends Data.TaggedError("RecordWentBack") {}

/** A base segment with later changes, up to a position (`Position`). */
export class Line {
  readonly origin: Origin
  readonly set: SegmentSet
  readonly keys: BodyKeys & { readonly ids: Array<number>; readonly keyOf: Map<number, number> }
  readonly timeline: string
  position: string
  /** The number of changed meetings since the base was built. */
  changed = 0
  /** When its position was last current, in milliseconds. */
  readAt: number

  constructor(origin: Origin, set: SegmentSet, now: number) {
    this.origin = origin
    this.set = set
    this.timeline = origin.timeline
    this.position = origin.position
    this.keys = { ids: [...origin.bodies], keyOf: new Map(origin.bodies.map((body, key) => [body, key])) }
    this.readAt = now
  }

  /** Changes the set, and removes the folders of segments that leave it. Open snapshots stay readable. */
  exchange(change: () => void) {
    const before = this.set.parts
    change()
    const left = before.filter(({ segment }) => !this.set.parts.some((part) => part.segment === segment))
    for (const { segment } of left) fs.rmSync(segment.directory, { recursive: true, force: true })
  }

  know(bodies: ReadonlyArray<number>) {
    for (const body of bodies) if (!this.keys.keyOf.has(body)) this.keys.keyOf.set(body, this.keys.ids.push(body) - 1)
  }
}

const liveIn = ({ segment, live }: Part) => [...listOf({ bits: live })].map((document) => segment.uuid(document))

/** The meetings of the newest small segments that a segment of `size` meetings absorbs. */
const takenIn = (parts: ReadonlyArray<Part>, size: number, most: number) => {
  const ids: Array<string> = []
  for (const part of parts.slice(1).toReversed()) {
    const live = part.segment.documents - part.deleted
    if (live > size + ids.length || size + ids.length + live > most) break
    ids.push(...liveIn(part))
  }
  return ids
}

const refusedAt = (directory: string) => (cause: unknown) =>
  cause instanceof SegmentRefused ? cause : new SegmentRefused({ directory, reason: String(cause) })

const opened = (directory: string) => Effect.try({ try: () => openSegment(directory), catch: refusedAt(directory) })

/** Reads a segment through, and fails if any block is not as it was written. */
export const verified = (segment: Segment) =>
  Effect.tryPromise({ try: () => readAhead(segment), catch: refusedAt(segment.directory) })

/** Removes a segment that cannot be read, so that nothing opens it again. */
export const removeDamaged = ({ directory, reason }: SegmentRefused) =>
  Effect.andThen(
    Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true })),
    Effect.annotateLogs(Effect.logWarning("A damaged segment of the search index is removed"), { directory, reason })
  )

/** Opens an existing base. Fails if its files have been altered. */
export const openLine = Effect.fn("SearchIndex.open")(function* (folder: string, origin: Origin) {
  const base = yield* opened(baseFolder(folder, origin.id))
  const { number, count } = yield* Siblings
  yield* dropChanges(folder, origin.id, number, count)
  return new Line(origin, new SegmentSet([base]), yield* Clock.currentTimeMillis)
})

/**
 * Builds a base segment of every held meeting, and registers it in the database. Its rows are read after its position
 * is taken; changes committed in between are applied again.
 */
export const buildBase = Effect.fn("SearchIndex.buildBase")(function* (db: Sql, builder: Builder, folder: string) {
  const id = randomUUID()
  const [now = { timeline: "", position: "" }] = yield* db<Position>`select ${positionNow(db)}`
  // Read after the position: a meeting whose body is missing here has changed since.
  const bodies = (yield* db<{ id: number }>`select id from body order by id`).map((body) => body.id)
  yield* builder.build({
    selection: { bodies },
    directory: baseFolder(folder, id),
    options: { revision: 0 }
  })
  yield* db`insert into search_segment (id, position) values (${id}, ${now.position}::pg_snapshot)`
  const origin: Origin = { id, version: 3, ...now, bodies, made_at: yield* Clock.currentTimeMillis }
  yield* writeOrigin(folder, origin)
  return origin
})

/**
 * The usable segment on disk: one that is registered in the very database it was built from, on its timeline. A row
 * that was copied into another database has the xmin of the transaction that copied it.
 */
export const usableOrigin = Effect.fn("SearchIndex.usable")(function* (db: Sql, folder: string) {
  return yield* usableOf(db, yield* originsIn(folder))
})

/** The same of any origins: the one that was registered last. */
export const usableOf = Effect.fnUntraced(function* (db: Sql, origins: ReadonlyArray<Origin>) {
  const known = yield* db<Position & { readonly id: string }>`
    select id, position::text as position, current_timeline() as timeline from search_segment
    where id = any(${origins.map(({ id }) => id)}::uuid[]) and xmin = xid::xid
      and pg_snapshot_xmax(position) <= pg_snapshot_xmax(pg_current_snapshot())
    order by made_at desc`
  const [newest] = known.flatMap((row) =>
    origins.filter((one) => one.id === row.id && one.position === row.position && one.timeline === row.timeline)
  )
  return Option.fromNullishOr(newest)
})

/** Adds the new state of these meetings to the line, as a small segment. */
const apply = Effect.fnUntraced(function* (
  db: Sql,
  builder: Builder,
  folder: string,
  line: Line,
  changed: ReadonlyArray<string>
) {
  const { takenIn: most } = yield* IndexSizes
  line.know(
    (yield* db<{ body_id: number }>`
      select distinct body_id from meeting_search where meeting_id = any(${changed}::uuid[])`).map(
      ({ body_id }) => body_id
    )
  )
  const meetings = [...new Set([...changed, ...takenIn(line.set.parts, changed.length, most)])]
  const directory = changesFolder(folder, line.origin.id, (yield* Siblings).number)
  const averages = line.set.parts[0]?.segment.meta.averages
  const { documents } = yield* builder.build({
    selection: { bodies: line.keys.ids, meetings },
    directory,
    options: { revision: 0, durable: false, ...(averages === undefined ? {} : { averages }) }
  })
  const segment = documents === 0 ? undefined : yield* opened(directory)
  line.exchange(() => line.set.replace(meetings, segment))
  line.changed += changed.length
})

/** Merges the smallest small segments, so that a search reads few. */
const merge = Effect.fnUntraced(function* (builder: Builder, folder: string, line: Line) {
  const { small: most } = yield* IndexSizes
  const small = line.set.parts.slice(1)
  if (small.length <= most) return
  const merged = small.toSorted((a, b) => a.segment.documents - b.segment.documents).slice(0, most)
  const directory = changesFolder(folder, line.origin.id, (yield* Siblings).number)
  yield* builder.build({
    directory,
    merged: merged.map(({ segment, live }) => ({ directory: segment.directory, live }))
  })
  const segment = yield* opened(directory)
  line.exchange(() => line.set.substitute(merged, segment))
})

/** Applies the changes since the line's position. Returns how many meetings changed. Fails if the record went back. */
export const catchUp = Effect.fn("SearchIndex.catchUp")(function* (
  db: Sql,
  builder: Builder,
  folder: string,
  line: Line
) {
  const now = yield* Clock.currentTimeMillis
  const [read] = yield* db<{ position: string; is_kept: boolean; meetings: ReadonlyArray<string> }>`
    select pg_current_snapshot()::text as position, ${isKept(db, line)} as is_kept,
      coalesce(array_agg(distinct c.meeting_id) filter (where c.meeting_id is not null), '{}') as meetings
    from ${changedSince(db, line.position)} c`
  if (read === undefined) return 0
  if (!read.is_kept) return yield* new RecordWentBack()
  const { atOnce } = yield* IndexSizes
  for (let from = 0; from < read.meetings.length; from += atOnce) {
    yield* apply(db, builder, folder, line, read.meetings.slice(from, from + atOnce))
    yield* merge(builder, folder, line)
  }
  line.position = read.position
  line.readAt = now
  return read.meetings.length
})

/**
 * The base segment on disk that a service would open: its age, the number of meetings changed since, and the damage
 * found by reading all of it.
 */
export const lookAtIndex = Effect.fn("SearchIndex.lookAt")(function* () {
  const db = yield* Db
  const { dataDir } = yield* Environment
  const origin = yield* usableOrigin(db, indexFolder(dataDir))
  if (Option.isNone(origin)) return Option.none()
  const { id, position, made_at } = origin.value
  const [row] = yield* db<{ changed: number }>`
    select count(distinct c.meeting_id)::int as changed from ${changedSince(db, position)} c`
  const hours = Math.round(((yield* Clock.currentTimeMillis) - made_at) / 3_600_000)
  const damage = yield* Effect.acquireUseRelease(opened(baseFolder(indexFolder(dataDir), id)), verified, (segment) =>
    Effect.sync(() => segment.close())
  ).pipe(
    Effect.as(undefined),
    Effect.catch(({ reason }) => Effect.succeed(reason))
  )
  return Option.some({ hours, changed: row?.changed ?? 0, damage })
})
