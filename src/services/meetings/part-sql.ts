import type { Statement } from "effect/sql"
import type { ReadSql } from "../../../layers/db/db.ts"
import type { MediaRole } from "../../../schema/bundle.ts"
import type { MeetingPart, NotedPart } from "../../../schema/part.ts"

/** SQL about the meeting with this id. */
type OfMeeting = (db: ReadSql, id: Statement.Fragment) => Statement.Fragment

interface PartSql {
  /** Whether the part is made, so that stages have nothing left to do. */
  readonly isMade: OfMeeting
  /** Whether readers see the part, now or once it is checked. */
  readonly isShown: OfMeeting
  /** The operators' view of the part: rows of a version, a generator, a state and a count. */
  readonly rows?: OfMeeting
}

interface NotedSql extends PartSql {
  /** A text that changes when an import replaces the part that a stage made; null if there is no part. */
  readonly mark: OfMeeting
}

/** For parts that count as made exactly when readers see them. */
const isThere = (isThere: OfMeeting) => ({ isMade: isThere, isShown: isThere })

const inTable =
  (table: string): OfMeeting =>
  (db, id) =>
    db`exists (select from ${db(table)} where meeting_id = ${id})`

/** The role is a literal because a card takes longer to plan with a parameter for each role. */
const inMedia =
  (role: MediaRole): OfMeeting =>
  (db, id) =>
    db`exists (select from media where meeting_id = ${id} and role = ${db.literal(`'${role}'`)})`

const transcript = (version: string): Pick<NotedSql, "isMade" | "mark"> => ({
  isMade: (db, id) => db`exists (select from transcript where meeting_id = ${id} and version = ${version})`,
  mark: (db, id) => db`(
    select coalesce(generator, '-') from transcript where meeting_id = ${id} and version = ${version})`
})

/** A row with the count of a table's rows; no row if the table has none. */
const counted =
  (table: string): OfMeeting =>
  (db, id) =>
    db`
    select null::text, null::text, null::text, count(*)::int from ${db(table)} where meeting_id = ${id}
    having count(*) > 0`

/** The published clips `c` that can be watched, each with its media `d`. */
export const handedOut = (db: ReadSql) => db`(select c.* from clip c where c.state = 'published') c
  join media d on d.meeting_id = c.meeting_id and d.role = 'clip' and d.subject = c.id`

const hash =
  (table: string): OfMeeting =>
  (db, id) =>
    db`(select content_hash from ${db(table)} where meeting_id = ${id})`

/** A digest of the rows of a table, by their ids or texts. */
const digest =
  (table: string, row: string, order: string): OfMeeting =>
  (db, id) =>
    db`(select md5(string_agg(${db.literal(row)}, ' ' order by ${db.literal(order)})) from ${db(table)}
    where meeting_id = ${id})`

/**
 * The parts of a meeting. Stages and readers may define a part differently: to stages a clip is made when it is
 * proposed, while readers see it once it is published and rendered.
 */
export const partSql: { readonly [Part in MeetingPart]: Part extends NotedPart ? NotedSql : PartSql } = {
  video: isThere(inMedia("rendition")),
  agenda: {
    isMade: inTable("agenda_item"),
    isShown: (db, id) => db`(${inTable("agenda_item")(db, id)} or ${inMedia("agenda")(db, id)})`,
    rows: counted("agenda_item"),
    mark: digest("agenda_item", "id::text", "position")
  },
  agenda_copy: isThere(inMedia("agenda")),
  raw_transcript: {
    ...transcript("raw"),
    isShown: (db, id) => db`exists (select from published_transcript where meeting_id = ${id} and version = 'raw')`
  },
  transcript: {
    ...transcript("refined"),
    isShown: inTable("published_transcript"),
    rows: (db, id) => db`select version, generator, null::text, word_count from transcript where meeting_id = ${id}`
  },
  agenda_summary: {
    ...isThere(inTable("agenda_summary")),
    rows: (db, id) => db`
      select null::text, null::text, null::text, jsonb_array_length(items)
      from agenda_summary where meeting_id = ${id}`,
    mark: hash("agenda_summary")
  },
  chapters: {
    ...isThere(inTable("chapter")),
    rows: counted("chapter"),
    mark: digest("chapter", "start || ' ' || title", "position")
  },
  briefing: {
    ...isThere(inTable("briefing")),
    rows: (db, id) => db`
      select null::text, generator, case when served is null then 'pending' else 'served' end, 1
      from briefing where meeting_id = ${id}`,
    mark: (db, id) => db`(select coalesce(generator, '-') from briefing where meeting_id = ${id})`
  },
  claims: {
    isMade: (db, id) => db`(exists (select from claims where meeting_id = ${id})
      and not exists (select from claim where meeting_id = ${id} and verdict is null))`,
    isShown: (db, id) => db`exists (select from claim where meeting_id = ${id} and verdict is not null)`,
    rows: (db, id) => db`
      select null::text, null::text, coalesce(verdict, 'pending'), count(*)::int
      from claim where meeting_id = ${id} group by verdict`
  },
  clips: {
    isMade: inTable("clip"),
    isShown: (db, id) => db`exists (select from ${handedOut(db)} where c.meeting_id = ${id})`,
    rows: (db, id) => db`
      select null::text, null::text, state, count(*)::int from clip where meeting_id = ${id} group by state`,
    mark: digest("clip", "id::text", "id")
  },
  community_clips: isThere((db, id) => db`exists (select from user_clip where meeting_id = ${id} and state = 'ready')`),
  figures: {
    isMade: inTable("figure"),
    isShown: (db, id) => db`exists (
      select from media where meeting_id = ${id} and role = 'figure' and width is not null and height is not null)`,
    rows: counted("figure"),
    mark: digest("figure", "id::text", "id")
  },
  recap: {
    ...isThere(inTable("recap")),
    rows: (db, id) => db`select null::text, null::text, null::text, 1 from recap where meeting_id = ${id}`,
    mark: hash("recap")
  }
}

/** Whether readers see this part of a meeting `m`. */
export const isShown = (db: ReadSql, part: MeetingPart) => partSql[part].isShown(db, db.literal("m.id"))

/** Whether this part of a meeting `m` is made, so that stages have nothing left to do. */
export const isMade = (db: ReadSql, part: MeetingPart) => partSql[part].isMade(db, db.literal("m.id"))
