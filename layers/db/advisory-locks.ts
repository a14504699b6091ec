/**
 * The advisory locks of the database, each with a number of its own, so that no two wait for each other by accident.
 */
export const advisoryLocks = {
  /** Held while the schema is migrated. */
  schema: 4_715_001,
  /** Held while events get their ids, which rise in the order of commits. */
  feed: 4_715_002,
  /** Held by the process that looks for recaps that have become ready. */
  recaps: 4_715_003,
  /** With the hash of a setting's name: those who set it do so one after the other. */
  setting: 4_715_004,
  /** Held while lines of the pipeline's log get their ids, which rise in the order of commits. */
  log: 4_715_005
} as const
