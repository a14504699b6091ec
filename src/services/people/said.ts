import { Context, Effect, Layer, Schema } from "effect"
import { dbDies, ReadDb } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import type { PersonSaid, PersonSaidQuery } from "../../../schema/person-said.ts"
import { AgendaItemId, MeetingId, roundSeconds } from "../../../schema/primitives.ts"
import { anonymous, mayRead, type Viewer } from "../../../schema/viewer.ts"
import { type NotFound, personNotFound } from "../failures.ts"
import { AtMeetingRow, atMeeting, atMeetingColumns } from "../meetings/at-meeting.ts"
import { speakersKnown } from "../meetings/speaker-people.ts"
import { given } from "../wire.ts"
import { personWithSlug } from "./people.ts"

/** The most speakers with a word of somebody's name who are looked at, the newest: those of some decades. */
const mostLookedAt = 4000

/** The moments of a meeting that are told. */
const mostMoments = 3

const candidateRows = rowsBy(
  Schema.Struct({
    ...{ meeting_id: MeetingId, body_id: Schema.Finite, date: Schema.String, name: Schema.String },
    person: Schema.NullOr(Schema.String)
  })
)

const spokenRows = rowsBy(
  Schema.Struct({
    turns: Schema.Finite,
    moments: Schema.Array(
      Schema.Struct({
        start: Schema.Finite,
        text: Schema.NullOr(Schema.String),
        length: Schema.Finite,
        item: Schema.NullOr(
          Schema.Struct({ id: AgendaItemId, number: Schema.NullOr(Schema.String), title: Schema.String })
        )
      })
    ),
    ...AtMeetingRow.fields
  })
)

/** What people in public office said. That they spoke is open to all, as a search for a speaker is; words are gated. */
export class Said extends Context.Service<
  Said,
  {
    /** The meetings at which a person spoke, the newest first. */
    readonly byPerson: (slug: string, query: PersonSaidQuery, viewer?: Viewer) => Effect.Effect<PersonSaid, NotFound>
  }
>()("civic-record/Said") {
  static readonly layer = Layer.effect(
    Said,
    Effect.gen(function* () {
      const db = yield* ReadDb

      /** The speakers who are this person, the newest first. */
      const speakersWho = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
        const rows = yield* candidateRows(db`
          with named as (
            select string_agg(quote_literal(word), ' | ')::tsquery as query from (
              select distinct unnest(tsvector_to_array(to_tsvector('simple', fold(n.name)))) as word
              from person p cross join unnest(p.name || p.other_names) n (name) where p.id = any(${ids}::int[])) words)
          select k.meeting_id, m.body_id, m.date::text as date, k.name, k.person
          from transcript_speaker k join meeting m on m.id = k.meeting_id
          where k.person in (
              select slug from person where id = any(${ids}::int[])
              union all select slug from retired_person where person_id = any(${ids}::int[]))
            or k.person is null and k.words @@ (select query from named) and exists (
              select from membership s
              where s.person_id = any(${ids}::int[]) and s.body_id = m.body_id
                and coalesce(s.start_date, '-infinity') <= m.date and coalesce(s.end_date, 'infinity') >= m.date)
          order by m.date desc, k.meeting_id limit ${mostLookedAt}`)
        const [whole] = yield* db<{ slug: string }>`
          select slug from person where id = any(${ids}::int[]) and merged_into is null`
        const personOf = yield* speakersKnown(db, rows)
        return rows.filter((row) => personOf(row)?.slug === whole?.slug)
      })

      const byPerson = Effect.fn("Said.byPerson")(function* (
        slug: string,
        { page = 1, page_size = 20 }: PersonSaidQuery,
        viewer: Viewer = anonymous
      ) {
        const [person] = yield* personWithSlug(db, slug)
        if (person === undefined) return yield* personNotFound(slug)
        const speakers = yield* speakersWho(person.ids)
        const meetings = [...new Set(speakers.map(({ meeting_id }) => meeting_id))]
        const shown = new Set(meetings.slice((page - 1) * page_size, page * page_size))
        const asked = speakers.filter(({ meeting_id }) => shown.has(meeting_id))
        const rows =
          asked.length === 0
            ? []
            : yield* spokenRows(db`
          with said as (
            select k.meeting_id, sum(coalesce(cardinality(k.turns), 1))::int as turns,
              json_agg(coalesce(k.moments, jsonb_build_array(jsonb_build_object('start', k.start)))) as moments
            from unnest(${asked.map(({ meeting_id }) => meeting_id)}::uuid[], ${asked.map(({ name }) => name)}::text[])
              asked (id, name)
            join transcript_speaker k on k.meeting_id = asked.id and k.name = asked.name group by 1)
          select s.turns, (
              select json_agg(json_build_object('start', moment.start, 'text', moment.text,
                'length', coalesce(length(moment.text), 0), 'item', (
                  select json_build_object('id', a.id, 'number', a.number, 'title', a.title) from agenda_item a
                  where a.meeting_id = m.id and a.start <= moment.start order by a.start desc, a.position limit 1)))
              from json_array_elements(s.moments) one,
                json_to_recordset(one) moment (start float8, text text)) as moments,
            ${atMeetingColumns(db)}
          from said s join meeting m on m.id = s.meeting_id join body b on b.id = m.body_id
          left join agenda_item i on false
          order by m.date desc, m.id`)
        return {
          ...{ total: meetings.length, page, page_size },
          meetings: rows.flatMap((row): PersonSaid["meetings"] => {
            const meeting = atMeeting(row)
            if (meeting === undefined) return []
            // Of two names that somebody has in one transcript, the longest words.
            const moments = row.moments
              .toSorted((a, b) => b.length - a.length)
              .slice(0, mostMoments)
              .toSorted((a, b) => a.start - b.start)
              .map(({ start, text, item }) => ({
                start: roundSeconds(start),
                ...given("text", text),
                ...(item === null ? {} : { item: { id: item.id, ...given("number", item.number), title: item.title } })
              }))
            return [{ meeting, turns: row.turns, ...(mayRead(viewer, meeting.id) ? { moments } : {}) }]
          })
        }
      }, dbDies)

      return { byPerson }
    })
  )
}
