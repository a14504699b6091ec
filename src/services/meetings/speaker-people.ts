import { Effect, Schema } from "effect"
import type { ReadSql } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import type { PersonRef } from "../../../schema/person-ref.ts"
import { type Member, speakerFinder } from "../../text/roll-calls/members.ts"
import { personRef } from "./refs.ts"

/** Who the speakers of transcripts are: whom the transcript itself means, or a member of the body on that day. */

/** A speaker at a meeting of a body. */
export interface SpeakerAt {
  readonly body_id: number
  /** The meeting's day. */
  readonly date: string
  readonly name: string
  /** The slug of who it is, where the transcript says so. */
  readonly person: string | null
}

const seatRows = rowsBy(
  Schema.Struct({
    body_id: Schema.Finite,
    start: Schema.NullOr(Schema.String),
    end: Schema.NullOr(Schema.String),
    slug: Schema.String,
    name: Schema.String,
    names: Schema.Array(Schema.String)
  })
)

/** The people with these slugs, current, retired or of somebody merged into them, by slug. */
const peopleOf = Effect.fnUntraced(function* (db: ReadSql, slugs: ReadonlyArray<string>) {
  if (slugs.length === 0) return new Map<string, PersonRef>()
  const rows = yield* db<{ asked: string; slug: string; name: string }>`
    select known.asked, p.slug, p.name from (
      select slug as asked, id from person where slug = any(${slugs}::text[])
      union all select slug, person_id from retired_person where slug = any(${slugs}::text[])) known
    join person o on o.id = known.id join person p on p.id = coalesce(o.merged_into, o.id)`
  return new Map(rows.map(({ asked, ...person }) => [asked, personRef(person)]))
})

/**
 * Finds who a speaker of a meeting is, for the bodies and days of these. Clerks and staff have a seat, and are no
 * members.
 */
export const speakersKnown = Effect.fnUntraced(function* (db: ReadSql, speakers: ReadonlyArray<SpeakerAt>) {
  if (speakers.length === 0) return (): PersonRef | undefined => undefined
  const days = speakers.map(({ date }) => date).toSorted()
  const seats = yield* seatRows(db`
    select s.body_id, s.start_date::text as start, s.end_date::text as "end", p.slug, p.name,
      p.other_names || o.name || o.other_names as names
    from membership s join person o on o.id = s.person_id join person p on p.id = coalesce(o.merged_into, o.id)
    where s.body_id = any(${[...new Set(speakers.map(({ body_id }) => body_id))]}::int[])
      and s.role not in ('clerk', 'staff')
      and coalesce(s.start_date, '-infinity') <= ${days.at(-1) ?? ""}::date
      and coalesce(s.end_date, 'infinity') >= ${days[0] ?? ""}::date
    order by p.slug`)
  const named = yield* peopleOf(db, [...new Set(speakers.flatMap(({ person }) => person ?? []))])
  const byBody = Map.groupBy(seats, ({ body_id }) => body_id)
  const finders = new Map<string, (label: string) => Member | undefined>()
  /** Those who sat on a body that day; a roster stays the same for years. */
  const finderOf = ({ body_id, date }: SpeakerAt) => {
    const seated = (byBody.get(body_id) ?? []).filter(
      ({ start, end }) => (start ?? date) <= date && date <= (end ?? date)
    )
    const members = [...Map.groupBy(seated, ({ slug }) => slug)].flatMap(([slug, those]): ReadonlyArray<Member> => {
      const [first] = those
      return first === undefined ? [] : [{ slug, name: first.name, other_names: those.flatMap(({ names }) => names) }]
    })
    const key = `${body_id} ${members.map(({ slug }) => slug).join(" ")}`
    const known = finders.get(key)
    if (known !== undefined) return known
    const found = remembering(speakerFinder(members))
    finders.set(key, found)
    return found
  }
  return (speaker: SpeakerAt): PersonRef | undefined => {
    if (speaker.person !== null) return named.get(speaker.person)
    const member = finderOf(speaker)(speaker.name)
    return member === undefined ? undefined : personRef(member)
  }
})

const remembering = <A>(find: (label: string) => A | undefined) => {
  const found = new Map<string, A | undefined>()
  return (label: string): A | undefined => {
    if (!found.has(label)) found.set(label, find(label))
    return found.get(label)
  }
}

/** The speakers of a transcript of whom it is known who they are, in the order in which they speak. */
export const peopleSpeaking = Effect.fnUntraced(function* (db: ReadSql, meeting: string, version: string) {
  const speakers = yield* db<SpeakerAt>`
    select m.body_id, m.date::text as date, k.name, k.person
    from transcript_speaker k join meeting m on m.id = k.meeting_id
    where k.meeting_id = ${meeting} and k.version = ${version} order by k.start, k.name`
  const personOf = yield* speakersKnown(db, speakers)
  return speakers.flatMap((speaker) => {
    const person = personOf(speaker)
    return person === undefined ? [] : [{ name: speaker.name, person }]
  })
})
