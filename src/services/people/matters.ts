import { Context, Effect, Layer, Schema } from "effect"
import { dbDies, ReadDb, type ReadSql } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import { BodyKind } from "../../../schema/agency.ts"
import { anonymous, mayRead, type Viewer } from "../../../schema/viewer.ts"
import {
  type Matter,
  MatterKind,
  MatterStatus,
  type Matters as MattersPage,
  type MattersQuery,
  VoteCount,
  VoteOrigin,
  VoteResult
} from "../../../schema/vote.ts"
import { matterNotFound, type NotFound } from "../failures.ts"
import { AtMeetingRow, atMeeting, atMeetingColumns } from "../meetings/at-meeting.ts"
import { stands } from "../meetings/matter-actions.ts"
import { bodyRef, matterRef, PlaceRow, personRef, placeRef } from "../meetings/refs.ts"
import { bodyWithSlug } from "../meetings/sql.ts"
import { given, givenAddress } from "../wire.ts"
import { discussionsOf } from "./discussions.ts"
import { mentionsOf } from "./mentions.ts"
import { personWithSlug } from "./people.ts"

const nullable = Schema.NullOr

const MatterRow = Schema.Struct({
  id: Schema.Finite,
  slug: Schema.String,
  identifier: Schema.String,
  title: Schema.String,
  description: nullable(Schema.String),
  kind: MatterKind,
  kind_label: nullable(Schema.String),
  status: MatterStatus,
  status_label: nullable(Schema.String),
  introduced_on: nullable(Schema.String),
  enacted_as: nullable(Schema.String),
  source_url: nullable(Schema.String),
  attachments: Schema.Array(Schema.Struct({ title: Schema.String, url: Schema.String })),
  updated_at: Schema.Date,
  place: PlaceRow,
  body_slug: nullable(Schema.String),
  body_segment: nullable(Schema.String),
  body_name: nullable(Schema.String),
  body_kind: nullable(BodyKind)
})
type MatterRow = typeof MatterRow.Type
const matterRows = rowsBy(MatterRow)

const mattersById = (db: ReadSql, ids: ReadonlyArray<number>) =>
  matterRows(db`
    select x.id, x.slug, x.identifier, x.title, x.description, x.kind, x.kind_label, x.status, x.status_label,
      x.introduced_on::text as introduced_on, x.enacted_as, x.source_url, x.attachments, x.updated_at,
      json_build_object('slug', l.slug, 'name', l.name, 'kind', l.kind, 'state', l.state, 'county', l.county) as place,
      b.slug as body_slug, b.segment as body_segment, b.name as body_name, b.kind as body_kind
    from unnest(${ids}::int[]) with ordinality wanted (id, position)
    join matter x on x.id = wanted.id join place l on l.id = x.place_id left join body b on b.id = x.body_id
    order by wanted.position`)

const summaryOf = (row: MatterRow) => ({
  ...matterRef({ ...row, place: row.place.slug }),
  kind: row.kind,
  ...given("kind_label", row.kind_label),
  status: row.status,
  ...given("status_label", row.status_label),
  ...given("introduced_on", row.introduced_on),
  place: placeRef(row.place),
  ...(row.body_slug === null || row.body_segment === null || row.body_name === null || row.body_kind === null
    ? {}
    : {
        agency: bodyRef(
          { slug: row.body_slug, segment: row.body_segment, name: row.body_name, kind: row.body_kind },
          row.place.slug
        )
      }),
  updated_at: row.updated_at.toISOString()
})

const stepRows = rowsBy(
  Schema.Struct({
    date: Schema.String,
    action: Schema.String,
    result: nullable(VoteResult),
    actor: nullable(Schema.String),
    start: nullable(Schema.Finite),
    vote: nullable(
      Schema.Struct({
        id: Schema.String,
        result: nullable(VoteResult),
        counts: Schema.Array(VoteCount),
        from: VoteOrigin
      })
    ),
    ...AtMeetingRow.fields
  })
)

const sponsorRows = rowsBy(
  Schema.Struct({
    slug: nullable(Schema.String),
    person: nullable(Schema.String),
    name: Schema.String,
    is_primary: Schema.Boolean
  })
)

/** What bodies decide, followed across their meetings. */
export class Matters extends Context.Service<
  Matters,
  {
    /** Matters, the newest first; with `q`, one with that identifier first. */
    readonly list: (query: MattersQuery) => Effect.Effect<MattersPage>
    /** A matter with its history, and the meetings beside that on whose agendas it stands or where it is only said. */
    readonly matter: (slug: string, viewer?: Viewer) => Effect.Effect<Matter, NotFound>
  }
>()("civic-record/Matters") {
  static readonly layer = Layer.effect(
    Matters,
    Effect.gen(function* () {
      const db = yield* ReadDb

      const list = Effect.fn("Matters.list")(function* (query: MattersQuery) {
        const {
          q = "",
          place_slug,
          agency_slug,
          kind,
          status,
          sponsor,
          year,
          updated_since,
          page = 1,
          page_size = 20
        } = query
        const [body] = agency_slug === undefined ? [] : yield* bodyWithSlug(db, [agency_slug])
        const [person] = sponsor === undefined ? [] : yield* personWithSlug(db, sponsor)
        const isAsked = q.trim() !== ""
        // As subqueries: a plan that is kept for all texts would spell the text anew for each matter.
        const words = db`(select websearch_to_tsquery('civic', search_text(${q})))`
        const key = db`(select plain_words(search_text(${q})))`
        const conditions = db.and([
          db`true`,
          ...(isAsked ? [db`(x.words @@ ${words} or x.key = ${key})`] : []),
          ...(place_slug === undefined ? [] : [db`x.place_id = (select id from place where slug = ${place_slug})`]),
          ...(agency_slug === undefined ? [] : [db`x.body_id = ${body?.id ?? 0}`]),
          ...(kind === undefined ? [] : [db`x.kind = ${kind}`]),
          ...(status === undefined ? [] : [db`x.status = ${status}`]),
          ...(sponsor === undefined
            ? []
            : [
                // As an array: joined, the newest matters would be gone through for those of a few sponsors.
                db`x.id = any(array(select matter_id from sponsor where person_id = any(${person?.ids ?? []}::int[])))`
              ]),
          ...(year === undefined
            ? []
            : [db`x.introduced_on between ${`${year}-01-01`}::date and ${`${year}-12-31`}::date`]),
          ...(updated_since === undefined ? [] : [db`x.updated_at >= ${updated_since}::timestamptz`])
        ])
        const [counted] = yield* db<{ total: number }>`select count(*)::int as total from matter x where ${conditions}`
        const first = isAsked ? db`x.key = ${key} desc,` : db``
        const found = yield* db<{ id: number }>`
          select x.id from matter x where ${conditions}
          order by ${first} x.introduced_on desc nulls last, x.id desc
          limit ${page_size} offset ${(page - 1) * page_size}`
        const rows = yield* mattersById(
          db,
          found.map(({ id }) => id)
        )
        return { total: counted?.total ?? 0, page, page_size, matters: rows.map(summaryOf) }
      }, dbDies)

      const historyOf = (id: number) =>
        stepRows(db`
          with step as (
            select s.date, s.position::int as position, s.action, s.result, s.body_name as actor, s.meeting_id,
              s.agenda_item_id, s.event, s.item
            from matter_step s where s.matter_id = ${id}),
          announced as (
            select distinct on (m.id) m.date, 30000 as position, 'On the agenda' as action, null::text as result,
              null::text as actor, m.id as meeting_id, i.id as agenda_item_id, null::text as event, null::text as item
            from matter x join agenda_item i on i.matter_key = x.key join meeting m on m.id = i.meeting_id
            join body_place bp on bp.body_id = m.body_id and bp.place_id = x.place_id
            where x.id = ${id} and m.status <> 'cancelled'
              and not exists (select from matter_step s where s.matter_id = x.id and s.meeting_id = m.id)
            order by m.id, i.position),
          whole as (select * from step union all select * from announced)
          select w.date::text as date, w.action, w.result, w.actor, coalesce(v.start, i.start)::float8 as start, v.vote,
            ${atMeetingColumns(db)}
          from whole w
          left join meeting m on m.id = w.meeting_id left join body b on b.id = m.body_id
          left join agenda_item i on i.meeting_id = w.meeting_id and i.id = w.agenda_item_id
          left join lateral (
            select v.start,
              json_build_object('id', v.id, 'result', v.result, 'counts', v.counts, 'from', v.origin) as vote
            from vote v where v.matter_id = ${id} and v.kind = 'vote' and ${stands(db)}
              and (v.meeting_id = w.meeting_id and v.agenda_item_id = w.agenda_item_id
                or v.event = w.event and v.item = w.item)
            -- The last vote on an item decides it.
            order by v.start desc nulls last, v.id limit 1) v on true
          order by w.date, w.position`)

      const matter = Effect.fn("Matters.matter")(function* (slug: string, viewer: Viewer = anonymous) {
        const found = yield* db<{ id: number }>`select id from matter where slug = ${slug.toLowerCase()}`
        const [row] = yield* mattersById(
          db,
          found.map(({ id }) => id)
        )
        if (row === undefined) return yield* matterNotFound(slug)
        const sponsors = yield* sponsorRows(db`
          select p.slug, p.name as person, s.name, s.is_primary from sponsor s
          left join person o on o.id = s.person_id left join person p on p.id = coalesce(o.merged_into, o.id)
          where s.matter_id = ${row.id} order by s.position`)
        const [steps, discussions, mentions] = yield* Effect.all(
          [historyOf(row.id), discussionsOf(db, row.id, viewer), mentionsOf(db, row, viewer)],
          { concurrency: 2 }
        )
        return {
          ...summaryOf(row),
          ...given("description", row.description),
          ...given("enacted_as", row.enacted_as),
          ...givenAddress("source_url", row.source_url),
          ...given("attachments", row.attachments.length === 0 ? undefined : row.attachments),
          sponsors: sponsors.map(({ slug, person, name, is_primary }) => ({
            ...(slug === null ? {} : { person: personRef({ slug, name: person ?? name }) }),
            name,
            is_primary
          })),
          history: steps.map((step) => {
            const meeting = atMeeting(step)
            return {
              date: step.date,
              action: step.action,
              ...given("result", step.result),
              ...given("agency", meeting?.body),
              ...given("body_name", step.actor),
              ...given("meeting", meeting),
              ...(meeting !== undefined && step.start !== null ? { has_start: true as const } : {}),
              ...given("start", meeting !== undefined && mayRead(viewer, meeting.id) ? step.start : null),
              ...(step.vote === null
                ? {}
                : {
                    vote: {
                      id: step.vote.id,
                      ...given("result", step.vote.result),
                      counts: step.vote.counts,
                      from: step.vote.from
                    }
                  })
            }
          }),
          discussions,
          mentions
        }
      }, dbDies)

      return { list, matter }
    })
  )
}
