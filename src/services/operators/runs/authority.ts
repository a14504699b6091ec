import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Sql } from "../../../../layers/db/db.ts"
import {
  BodyElsewhere,
  discoveredNotFound,
  meetingOfRunNotFound,
  type NotFound,
  placeOfRunNotFound,
  sourceNotFound,
  taskNotFound,
  UnknownAgency
} from "../../failures.ts"
import { bodyWithSlug, idOf } from "../../meetings/sql.ts"

/** An open run and its place. */
export interface Run {
  readonly id: string
  readonly placeId: number
  readonly placeUuid: string
}

/** Whether a meeting `m` belongs to the run's place. */
export const meetingOfPlace = (db: Sql, run: Run) => db`exists (
  select from body_place bp where bp.body_id = m.body_id and bp.place_id = ${run.placeId})`

/**
 * The kind of object that an operation changes: whether one belongs to the run's place, and the failure if it does not.
 */
interface Subject {
  readonly isOfPlace: (db: Sql, run: Run, id: string | null) => ReturnType<typeof found>
  readonly absent: (ref: string) => NotFound
}

const found = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>) =>
  Effect.map(rows, (rows) => rows.length > 0)

const discovered: Subject = {
  isOfPlace: (db, run, id) =>
    found(db`
      select from discovered d join source s on s.id = d.source_id
      where d.id = ${id} and s.place_id = ${run.placeId}`),
  absent: discoveredNotFound
}

/** Locked, because a meeting that moves to another body may change places. */
const meeting: Subject = {
  isOfPlace: (db, run, id) =>
    found(db`
      select from meeting m where m.id = ${id} and ${meetingOfPlace(db, run)} for no key update`),
  absent: meetingOfRunNotFound
}

const source: Subject = {
  isOfPlace: (db, run, id) => found(db`select from source where id = ${id} and place_id = ${run.placeId}`),
  absent: sourceNotFound
}

const task: Subject = {
  isOfPlace: (db, run, id) =>
    found(db`
      select from task t join flow f on f.id = t.flow_id
      left join user_clip u on u.id = f.user_clip_id left join clip c on c.id = f.clip_id
      left join meeting m on m.id = coalesce(f.meeting_id, u.meeting_id, c.meeting_id)
      left join source s on s.id = f.source_id
      where t.id = ${id} and (
        s.place_id = ${run.placeId} or f.run_id = ${run.id} or ${meetingOfPlace(db, run)})`),
  absent: taskNotFound
}

const place: Subject = {
  isOfPlace: (_, run, id) => Effect.succeed(id === run.placeUuid),
  absent: placeOfRunNotFound
}

/**
 * The operations of a run, by the last segment of their paths (contract section 9), each with the kind of its subject.
 * A run reaches only objects of its own place; an operation without a subject here does not compile.
 */
export const runOperations = {
  import: discovered,
  "same-body": discovered,
  rerun: meeting,
  retry: task,
  bodies: source,
  reassign: meeting,
  candidates: place
} as const satisfies Readonly<Record<string, Subject>>

export type RunOperation = keyof typeof runOperations

/** Fails as if the subject did not exist, unless it belongs to the run's place. */
export const reach = Effect.fnUntraced(function* (db: Sql, run: Run, operation: RunOperation, ref: string) {
  const { isOfPlace, absent } = runOperations[operation]
  if (!(yield* isOfPlace(db, run, idOf(ref)))) return yield* absent(ref)
})

interface BodyRow {
  readonly id: number
  readonly slug: string
  readonly isOurs: boolean
  readonly isShared: boolean
}

/**
 * The bodies with these slugs, in their order. A run may name only bodies of its own place, because anything mapped or
 * moved to a body is published under that body's place. `field` gives the request's field of the slug at a position.
 */
export const bodiesInReach = Effect.fnUntraced(function* (
  db: Sql,
  run: Run,
  slugs: ReadonlyArray<string>,
  field: (at: number) => string
) {
  const rows = yield* db<BodyRow>`
    select named.id, named.slug, count(*) filter (where bp.place_id = ${run.placeId}) > 0 as "isOurs",
      count(*) filter (where bp.place_id <> ${run.placeId}) > 0 as "isShared"
    from (${bodyWithSlug(db, slugs)}) named left join body_place bp on bp.body_id = named.id
    group by named.id, named.slug`
  const bySlug = new Map(rows.map((row) => [row.slug, row]))
  return yield* Effect.forEach(
    slugs,
    Effect.fnUntraced(function* (slug, at) {
      const body = bySlug.get(slug)
      if (body === undefined) return yield* new UnknownAgency({ field: field(at), slug })
      if (!body.isOurs) return yield* new BodyElsewhere({ field: field(at), slug })
      return body
    })
  )
})
