import { DateTime, Effect, Schema } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import { MeetingId } from "../../../schema/primitives.ts"
import { RemovalKind, Word } from "../../../schema/transcript.ts"
import type { Held, Judged } from "../../text/redact/judged.ts"

const Kept = Schema.Struct({
  before: Schema.String,
  after: Schema.String,
  parts: Schema.Array(Schema.Struct({ text: Schema.String, words: Schema.optionalKey(Schema.Array(Word)) }))
})

export const RemovalRow = Schema.Struct({
  id: Schema.String,
  meeting_id: MeetingId,
  kind: RemovalKind,
  rule: Schema.String,
  start: Schema.Finite,
  end: Schema.Finite,
  parts: Schema.Array(Schema.Struct({ segment: Schema.Finite, from: Schema.Finite, to: Schema.Finite })),
  kept: Schema.NullOr(Kept),
  state: Schema.Literals(["removed", "restored", "added"]),
  decided_by: Schema.NullOr(Schema.String),
  decided_at: Schema.NullOr(Schema.Date),
  created_at: Schema.Date
})
export interface RemovalRow extends Schema.Schema.Type<typeof RemovalRow> {}

const rows = rowsBy(RemovalRow)

/** The columns of a `RemovalRow`, from a row `r` of `removal`. */
export const removalColumns = (db: Sql) => db`r.id, r.meeting_id, r.kind, r.rule, r.start::float8 as start,
  r."end"::float8 as "end", r.parts, r.kept, r.state, r.decided_by, r.decided_at, r.created_at`

/** Locks a meeting, as every writer does first, and returns what was taken out of its transcript. */
export const removalsHeld = Effect.fnUntraced(function* (db: Sql, meeting: MeetingId) {
  yield* db`select from meeting where id = ${meeting} for no key update`
  return yield* rows(db`
    select ${removalColumns(db)} from removal r where r.meeting_id = ${meeting} order by r.start, r.id`)
})

/** A row as the rules of redaction see it. */
export const heldOf = ({ kept, ...row }: RemovalRow): Held => ({ ...row, ...(kept === null ? {} : { kept }) })

/** Whether the words are out of the transcript now. */
export const isOut = ({ state }: Pick<RemovalRow, "state">): boolean => state !== "restored"

/** Adds rows; what a person decided about one that was there before stays, with its id. */
export const addRemovals = Effect.fnUntraced(function* (
  db: Sql,
  meeting: MeetingId,
  removals: ReadonlyArray<Judged>,
  before: ReadonlyArray<RemovalRow> = [],
  decided_by: string | null = null
) {
  if (removals.length === 0) return
  const now = DateTime.formatIso(yield* DateTime.now)
  const known = new Map(before.map((row) => [row.id, row]))
  const added = removals.map(({ was, ...removal }) => {
    const {
      id,
      created_at = now,
      ...decided
    } = known.get(was?.id ?? "") ?? {
      decided_by,
      decided_at: decided_by === null ? null : now
    }
    return { ...removal, id, created_at, decided_by: decided.decided_by, decided_at: decided.decided_at }
  })
  yield* db`
    insert into removal (id, meeting_id, kind, rule, start, "end", parts, kept, state, decided_by, decided_at, created_at)
    select coalesce(id, uuidv7()), ${meeting}, kind, rule, start, "end", parts, kept, state, decided_by, decided_at,
      created_at
    from json_to_recordset(${JSON.stringify(added)}::json) as given (id uuid, kind text, rule text, start numeric,
      "end" numeric, parts jsonb, kept jsonb, state text, decided_by text, decided_at timestamptz, created_at timestamptz)`
})

/**
 * Replaces the removals of a meeting, in the transaction that writes the transcript that they were taken from; `before`
 * are those that were held.
 */
export const replaceRemovals = Effect.fnUntraced(function* (
  db: Sql,
  meeting: MeetingId,
  removals: ReadonlyArray<Judged>,
  before: ReadonlyArray<RemovalRow>
) {
  yield* db`delete from removal where meeting_id = ${meeting}`
  yield* addRemovals(db, meeting, removals, before)
})
