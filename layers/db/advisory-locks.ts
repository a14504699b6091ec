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
