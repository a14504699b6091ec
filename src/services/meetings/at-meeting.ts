import { Schema } from "effect"
import type { ReadSql } from "../../../layers/db/db.ts"
import { BodyKind } from "../../../schema/agency.ts"
import { AgendaItemId, MeetingId } from "../../../schema/primitives.ts"
import type { AtMeeting } from "../../../schema/vote.ts"
import { given } from "../wire.ts"
import { meetingPath } from "./cards.ts"
import { bodyRef } from "./refs.ts"

const nullable = Schema.NullOr

/** The columns of an `AtMeeting`; all null where the meeting is not on record. */
export const AtMeetingRow = Schema.Struct({
  meeting_id: nullable(MeetingId),
  short_id: nullable(Schema.String),
  meeting_date: nullable(Schema.String),
  body_slug: nullable(Schema.String),
  body_segment: nullable(Schema.String),
  body_name: nullable(Schema.String),
  body_kind: nullable(BodyKind),
  body_place: nullable(Schema.String),
  item_id: nullable(AgendaItemId),
  item_number: nullable(Schema.String),
  item_title: nullable(Schema.String)
})
export interface AtMeetingRow extends Schema.Schema.Type<typeof AtMeetingRow> {}

/** These columns, from rows `m` of `meeting`, `b` of `body` and `i` of `agenda_item`. */
export const atMeetingColumns = (db: ReadSql) => db`
  m.id as meeting_id, m.short_id, m.date::text as meeting_date, b.slug as body_slug, b.segment as body_segment,
  b.name as body_name, b.kind as body_kind,
  (select p.slug from body_place bp join place p on p.id = bp.place_id where bp.body_id = b.id order by bp.position limit 1)
    as body_place,
  i.id as item_id, i.number as item_number, i.title as item_title`

export const atMeeting = (row: AtMeetingRow): AtMeeting | undefined => {
  const { meeting_id, short_id, meeting_date, body_slug, body_segment, body_name, body_kind } = row
  if (meeting_id === null || short_id === null || meeting_date === null) return undefined
  if (body_slug === null || body_segment === null || body_name === null || body_kind === null) return undefined
  const place = row.body_place ?? undefined
  return {
    id: meeting_id,
    path: meetingPath({
      short_id,
      date: meeting_date,
      segment: body_segment,
      places: place === undefined ? [] : [{ slug: place }]
    }),
    date: meeting_date,
    body: bodyRef({ slug: body_slug, segment: body_segment, name: body_name, kind: body_kind }, place),
    ...(row.item_id === null || row.item_title === null
      ? {}
      : { item: { id: row.item_id, ...given("number", row.item_number), title: row.item_title } })
  }
}
