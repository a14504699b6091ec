import type { Sql } from "../../../layers/db/db.ts"
import type { SourceKind } from "../../../schema/agent/directory.ts"

/** Kinds of sources that list recordings rather than meetings. */
const channelKinds = ["rss", "youtube", "internet_archive"] as const satisfies ReadonlyArray<SourceKind>
/** Those whose recordings are shown by whoever has them; they have no meetings of their own beside a calendar's. */
const playerKinds = ["youtube", "internet_archive"] as const satisfies ReadonlyArray<SourceKind>

/** Whether recordings of a source are paired with meetings, and an operator may say which bodies it belongs to. */
export const isPaired = (kind: SourceKind): boolean => playerKinds.some((one) => one === kind)

/** Whether a source, by its name in the query, is a channel of recordings. */
export const isChannel = (db: Sql, source: string) => db`${db.literal(source)}.kind = any(${channelKinds}::text[])`

/**
 * Whether an entry `d` of a player's channel, with its body in `sb`, is left to a calendar that lists the body, or to
 * an operator, because its day is not certain.
 */
export const isLeftToOthers = (db: Sql) => db`(d.doubt is not null or exists (
  select from source own join source_body ob on ob.body_id = sb.body_id join source o on o.id = ob.source_id
  where own.id = d.source_id and own.kind = any(${playerKinds}::text[]) and not ${isChannel(db, "o")}))`
