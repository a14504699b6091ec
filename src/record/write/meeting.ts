import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { BundleMeeting } from "../../../schema/bundle.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { bodyWithSlug } from "../../services/meetings/sql.ts"
import { noteWords } from "../../services/meetings/word-forms.ts"
import { settled } from "./directory.ts"
import { tieItems } from "./item-pages.ts"
import { refused } from "./outcome.ts"
import { tieToMeeting } from "./votes.ts"

/** Writes one meeting under its id, with its agenda and chapters. */
export const writeMeeting = Effect.fnUntraced(function* (db: Sql, meeting: BundleMeeting, hash: string, now: string) {
  const [body] = yield* bodyWithSlug(db, [meeting.agency])
  if (body === undefined)
    return refused("agency", `agency ${meeting.agency} is neither on record nor on an earlier line`)
  const row = {
    id: meeting.id,
    body_id: body.id,
    title: meeting.title,
    date: meeting.date,
    starts_at: meeting.starts_at ?? null,
    timezone: meeting.timezone,
    status: meeting.status,
    duration: meeting.duration ?? null,
    source_url: meeting.source_url ?? null,
    agenda_url: meeting.agenda_url ?? null,
    agenda_changed_at: meeting.agenda_changed_at ?? null,
    location: meeting.location ?? null,
    join_url: meeting.join_url ?? null,
    minutes_url: meeting.minutes_url ?? null,
    video_url: meeting.video_url ?? null,
    identifier: meeting.identifier ?? null,
    attachments: JSON.stringify(meeting.attachments ?? []),
    updated_at: now,
    content_hash: hash
  }
  const written = yield* db<{ created: boolean }>`
    insert into meeting as m ${db.insert(row)}
    on conflict (id) do update set
      body_id = excluded.body_id, title = excluded.title, date = excluded.date, starts_at = excluded.starts_at,
      timezone = excluded.timezone, status = excluded.status, duration = excluded.duration,
      source_url = excluded.source_url, agenda_url = excluded.agenda_url,
      agenda_changed_at = excluded.agenda_changed_at, location = excluded.location, join_url = excluded.join_url, minutes_url = excluded.minutes_url, video_url = excluded.video_url,
      identifier = excluded.identifier,
      attachments = excluded.attachments, content_hash = excluded.content_hash, corrected = '{}'
    where m.content_hash <> excluded.content_hash
    returning xmax = 0 as created`
  const outcome = settled(written[0])
  if (outcome._tag === "Unchanged") return outcome
  yield* noteWords(db, [meeting.title])
  // A meeting that was just created has neither yet.
  const isNew = outcome._tag === "Created"
  if (!isNew || meeting.agenda_items.length > 0) yield* writeAgenda(db, meeting)
  if (!isNew || meeting.chapters.length > 0) yield* writeChapters(db, meeting)
  yield* tieToMeeting(db, meeting.id, meeting.identifier, body.id)
  return outcome
})

/** A number that is a file's, such as `Int 0410-2018`, and not an item's place on the agenda. */
const fileNumber = String.raw`\d{3}|\d-\d`

/** Replaces the agenda of a meeting; rows that refer to an item survive if the item stays. */
export const writeAgenda = Effect.fnUntraced(function* (db: Sql, meeting: Pick<BundleMeeting, "id" | "agenda_items">) {
  const items = JSON.stringify(meeting.agenda_items)
  yield* db`
    delete from agenda_item where meeting_id = ${meeting.id} and id <> all(${meeting.agenda_items.map((item) => item.id)}::uuid[])`
  if (meeting.agenda_items.length === 0) return
  // The numbers of all items are read for search together, because a call costs more than the words in it. No rule of
  // search_text reads across the semicolon between two of them.
  yield* db`
    with item as (
      select item.*, translate(coalesce(item.matter, case when item.number ~ ${fileNumber} then item.number end),
        chr(10), ' ') as file
      from rows from (json_to_recordset(${items}::json)
        as (id uuid, number text, title text, description text, outcome text, start numeric, identifier text, matter text))
        with ordinality item (id, number, title, description, outcome, start, identifier, matter, position)),
    known as (
      select read.at, plain_words(read.file) as key from string_to_table(search_text((
        select string_agg(file, E'\\n;\\n' order by position) from item)), E'\\n;\\n') with ordinality read (file, at)),
    counted as (select item.*, count(file) over (order by position) as at from item)
    insert into agenda_item (id, meeting_id, position, number, title, description, outcome, start, identifier, matter,
      matter_key)
    select item.id, ${meeting.id}, item.position, item.number, item.title, item.description, item.outcome, item.start,
      item.identifier, item.matter, known.key
    from counted item left join known on known.at = item.at and item.file is not null
    on conflict (meeting_id, id) do update set
      position = excluded.position, number = excluded.number, title = excluded.title,
      description = excluded.description, outcome = excluded.outcome, start = excluded.start,
      identifier = excluded.identifier, matter = excluded.matter, matter_key = excluded.matter_key`
  yield* noteWords(
    db,
    meeting.agenda_items.map(({ title, description = "" }) => `${title} ${description}`)
  )
  yield* tieItems(db, meeting.id)
})

/** Replaces the addresses of a meeting's documents. */
export const writeAttachments = (db: Sql, id: MeetingId, attachments: BundleMeeting["attachments"] = []) => db`
  update meeting set attachments = ${JSON.stringify(attachments)}::jsonb where id = ${id}`

/** Replaces the chapters of a meeting. */
export const writeChapters = Effect.fnUntraced(function* (db: Sql, meeting: Pick<BundleMeeting, "id" | "chapters">) {
  yield* db`delete from chapter where meeting_id = ${meeting.id}`
  if (meeting.chapters.length === 0) return
  yield* db`
    insert into chapter (meeting_id, position, title, start, "end")
    select ${meeting.id}, chapter.position, chapter.title, chapter.start, chapter."end"
    from rows from (json_to_recordset(${JSON.stringify(meeting.chapters)}::json)
      as (title text, start numeric, "end" numeric)) with ordinality chapter (title, start, "end", position)`
  yield* noteWords(
    db,
    meeting.chapters.map(({ title }) => title)
  )
})
