import type { Statement } from "effect/sql"
import type { Sql } from "./pool.ts"

/** The database's advisory locks, each with its own number, so that no two collide by accident. */
export const advisoryLocks = {
  /** Held while the schema is migrated. */
  schema: 4_715_001,
  /** Held while events get their ids, which ascend in commit order. */
  feed: 4_715_002,
  /** Held by the process that looks for newly ready recaps. */
  recaps: 4_715_003,
  /** Combined with the hash of a setting's name: serializes changes of one setting. */
  setting: 4_715_004,
  /** Held while lines of the pipeline's log get their ids, which ascend in commit order. */
  log: 4_715_005,
  /** Held by the process that looks for meetings to be made again with their model. */
  madeAgain: 4_715_006
} as const

/**
 * The head of a statement that gives out ids in its rows' order; each row has to join `held`, so that no id is given
 * out before the lock is held. Every transaction that gives out such ids holds the lock until it has committed, so they
 * become visible in rising order: a reader who goes on after the last one has missed none. None of a timeline that was
 * lost is given out again.
 */
export const inOrder = (db: Sql, lock: number): Statement.Fragment => db`
  with locked as materialized (select pg_advisory_xact_lock(${lock})),
    held as materialized (select enter_timeline() from locked)`
