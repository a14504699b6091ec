import { Effect, Layer, Option, Schedule, Struct } from "effect"
import fc from "fast-check"
import { Db, type Sql } from "../../layers/db/db.ts"
import { askedFacets, type BrowseQuery } from "../../schema/browse-query.ts"
import type { BundleEntity, BundleMeeting } from "../../schema/bundle.ts"
import type { DocumentKind } from "../../schema/document.ts"
import { filterParts } from "../../schema/part.ts"
import { AgencyMerge } from "../../src/services/directory/agency-merge.ts"
import { meetingsChanged, meetingsRemoved } from "../../src/services/feed/changed.ts"
import { Browse } from "../../src/services/search/browse.ts"
import { SearchIndex } from "../../src/services/search/search-index.ts"
import { agency, agendaItemId, documentId, meeting, meetingId, place, putOnRecord, transcript } from "./builders.ts"

/** Stop words, accents, numbers, compounds, and words with a common stem among them. */
const words = ["budget", "budgets", "greenway", "zoning", "of", "the", "Peña", "24-117", "on-street", "parking", "park"]
const bodies = ["council", "schools", "county-board", "planning", "trustees"]
const speakers = ["Ada Marsh", "Will Ortiz", "Marsh Peña"]

const text = (most: number) =>
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: most }).map((all) => all.join(" "))
const anyMeeting = fc.nat(39).map((n) => `meeting ${n}`)
const day = fc.tuple(fc.integer({ min: 2022, max: 2026 }), fc.integer({ min: 1, max: 12 }), fc.constantFrom("05", "19"))
const date = day.map(([year, month, day]) => `${year}-${String(month).padStart(2, "0")}-${day}`)

/** One change of the record, in a transaction of its own. */
export type Change = Effect.Effect<unknown, unknown, Db | AgencyMerge>

const putMeeting = fc
  .record({
    name: anyMeeting,
    body: fc.constantFrom(...bodies),
    date,
    title: text(4),
    item: text(6),
    status: fc.constantFrom<BundleMeeting["status"]>("held", "held", "held", "cancelled")
  })
  .map(({ name, body, date, title, item, status }): Change => {
    const agenda_items = [{ id: agendaItemId(name), title: item }]
    return putOnRecord(meeting(name, body, { date, title, status, agenda_items }))
  })

const putTranscript = fc
  .record({
    name: anyMeeting,
    lines: fc.array(fc.tuple(text(30), fc.constantFrom(...speakers)), { minLength: 1, maxLength: 12 })
  })
  .map(
    ({ name, lines }): Change =>
      putOnRecord(
        transcript(
          name,
          lines.map(([text, speaker], at) => ({ start: at * 5, end: at * 5 + 5, text, speaker }))
        )
      )
  )

/** Several versions of a few documents, with and without text, of meetings that may be held later or not at all. */
const putDocument = fc
  .record({
    name: anyMeeting,
    kind: fc.constantFrom<DocumentKind>("agenda", "packet", "minutes"),
    version: fc.integer({ min: 1, max: 3 }),
    pages: fc.array(text(300), { maxLength: 3 })
  })
  .map(
    ({ name, kind, version, pages }): Change =>
      putOnRecord({
        ...{ type: "document", meeting_id: meetingId(name), id: documentId(`${name} ${kind}`), kind, title: kind },
        ...{ version, media_type: "application/pdf", fetched_at: "2026-03-01T00:00:00.000Z" },
        pages: pages.map((text) => ({ text }))
      })
  )

const renameBody = fc
  .record({ body: fc.constantFrom(...bodies), name: text(3) })
  .map(
    ({ body, name }): Change =>
      putOnRecord(agency(body, [body === "schools" ? "pena-springs" : "springfield"], { name }))
  )

/** Directly in the tables, as operators make corrections, several at a time. */
const moveMeetings = fc
  .record({ names: fc.array(anyMeeting, { minLength: 1, maxLength: 8 }), body: fc.constantFrom(...bodies), date })
  .map(
    ({ names, body, date }): Change =>
      Effect.gen(function* () {
        const db = yield* Db
        const ids = [...new Set(names)].map(meetingId)
        yield* db.withTransaction(
          Effect.gen(function* () {
            const rows = yield* db<{ id: ReturnType<typeof meetingId> }>`
            update meeting set body_id = (select id from body where slug = ${body}), date = ${date}
            where id = any(${ids}::uuid[]) returning id`
            yield* meetingsChanged(
              db,
              rows.map(({ id }) => id)
            )
          })
        )
      })
  )

const removeMeeting = anyMeeting.map(
  (name): Change => Effect.flatMap(Db, (db) => db.withTransaction(meetingsRemoved(db, [meetingId(name)], undefined)))
)

/**
 * Adds and removes parts of meetings directly in their tables: only the tables notify the index. `ids` are of meetings
 * that may not be on record.
 */
export const partChanges: ReadonlyArray<(db: Sql, ids: ReadonlyArray<string>) => Effect.Effect<unknown, unknown>> = [
  (db, ids) => db`
    insert into media (key, meeting_id, role, media_type, bytes, content_hash)
    select 'video/' || m.id, m.id, 'rendition', 'video/mp4', 1, '' from meeting m where m.id = any(${ids}::uuid[])
    on conflict do nothing`,
  (db, ids) => db`
    insert into clip (id, meeting_id, title, start, "end", state, content_hash)
    select gen_random_uuid(), m.id, 'clip', 0, 5, 'published', '' from meeting m where m.id = any(${ids}::uuid[])`,
  (db, ids) => db`
    insert into media (key, meeting_id, role, subject, media_type, bytes, content_hash)
    select 'clip/' || c.id, c.meeting_id, 'clip', c.id, 'video/mp4', 1, '' from clip c
    where c.meeting_id = any(${ids}::uuid[]) on conflict do nothing`,
  (db, ids) => db`
    update clip c set meeting_id = m.id from meeting m
    where m.id = (${ids}::uuid[])[1] and c.meeting_id = any(${ids}::uuid[])`,
  (db, ids) => db`
    update clip set state = case state when 'published' then 'alternate' else 'published' end
    where meeting_id = any(${ids}::uuid[])`,
  (db, ids) => db`delete from media where meeting_id = any(${ids}::uuid[])`,
  (db, ids) => db`
    insert into briefing (meeting_id, written, served, published_at, content_hash)
    select m.id, '{"headline": "headline"}', '{"headline": "headline"}', now(), '' from meeting m where m.id = any(${ids}::uuid[]) on conflict do nothing`,
  (db, ids) => db`delete from briefing where meeting_id = any(${ids}::uuid[])`,
  (db, ids) => db`
    insert into recap (meeting_id, headline, summary, decisions, content_hash)
    select m.id, 'h', 's', '[]', '' from meeting m where m.id = any(${ids}::uuid[]) on conflict do nothing`,
  (db, ids) => db`delete from recap where meeting_id = any(${ids}::uuid[])`,
  (db, ids) => db`
    insert into agenda_item (id, meeting_id, position, title)
    select gen_random_uuid(), m.id, 900000 + (random() * 1e8)::int, '' from meeting m
    where m.id = any(${ids}::uuid[])`,
  (db, ids) => db`delete from agenda_item where meeting_id = any(${ids}::uuid[]) and title = ''`,
  (db, ids) => db`
    with checked as (insert into claims (meeting_id, content_hash)
      select m.id, '' from meeting m where m.id = any(${ids}::uuid[]) on conflict do nothing returning meeting_id)
    insert into claim (id, meeting_id, position, topic, text, evidence)
    select gen_random_uuid(), meeting_id, 1, '', '', '[]' from checked`,
  (db, ids) => db`
    update claim set verdict = 'supported', checked_at = now()
    where verdict is null and meeting_id = any(${ids}::uuid[])`,
  (db, ids) => db`delete from claims where meeting_id = any(${ids}::uuid[])`,
  (db, ids) => db`delete from transcript where meeting_id = any(${ids}::uuid[])`,
  (db, ids) => db`
    insert into transcript (meeting_id, version, language, duration, word_count, segments, content_hash)
    select m.id, 'raw', 'en', 0, 0, '', '' from meeting m where m.id = any(${ids}::uuid[]) on conflict do nothing`,
  (db, ids) => db`
    update transcript set withheld = not withheld where version = 'raw' and meeting_id = any(${ids}::uuid[])`
]

const changeParts = fc
  .record({ names: fc.array(anyMeeting, { minLength: 1, maxLength: 8 }), change: fc.constantFrom(...partChanges) })
  .map(({ names, change }): Change => Effect.flatMap(Db, (db) => change(db, names.map(meetingId))))

const mergeBody = fc.record({ nonce: fc.uuid(), into: fc.constantFrom(...bodies), date, title: text(4) }).map(
  ({ nonce, into, date, title }): Change =>
    Effect.gen(function* () {
      const slug = `extra-${nonce}`
      yield* putOnRecord(agency(slug, ["springfield"]), meeting(slug, slug, { date, title }))
      yield* AgencyMerge.use(({ merge }) => merge(slug, into))
    })
)

const people = ["ada", "ben", "cho"].map((name) => `springfield-${name}`)
const matters = ["24-117", "24-118"]

/** A vote at a meeting, on a matter or none, under one of a few ids; or a matter with a step at a meeting. */
const putVote = fc
  .record({
    at: fc.nat(9),
    name: anyMeeting,
    result: fc.constantFrom<"pass" | "fail" | "other">("pass", "fail", "other"),
    who: fc.subarray(people),
    matter: fc.constantFrom(undefined, ...matters)
  })
  .map(
    ({ at, name, result, who, matter }): Change =>
      putOnRecord({
        ...{ type: "vote", id: `d1f4c7a2-93b0-5e6d-8f21-7b3c5a9e0d4${at}`, kind: "vote", meeting_id: meetingId(name) },
        ...{ result, ...(matter === undefined ? {} : { matter: `springfield-${matter}` }) },
        ballots: who.map((person) => ({ person, name: person, option: "yes" }))
      })
  )
const putMatter = fc.record({ number: fc.constantFrom(...matters), title: text(3), name: anyMeeting }).map(
  ({ number, title, name }): Change =>
    putOnRecord({
      ...{ type: "matter", slug: `springfield-${number}`, place: "springfield", identifier: `Ord. ${number}`, title },
      ...{ kind: "ordinance", status: "passed" },
      history: [{ date: "2026-01-01", action: "Introduced", meeting_id: meetingId(name) }]
    })
)
const mergePeople = fc
  .constantFrom("springfield-ada", null)
  .map(
    (into): Change =>
      Effect.flatMap(
        Db,
        (db) =>
          db`update person set merged_into = (select id from person where slug = ${into}) where slug = 'springfield-cho'`
      )
  )

export const change = fc.oneof(
  { arbitrary: putVote, weight: 4 },
  { arbitrary: putMatter, weight: 2 },
  { arbitrary: mergePeople, weight: 1 },
  { arbitrary: putMeeting, weight: 6 },
  { arbitrary: putTranscript, weight: 4 },
  { arbitrary: putDocument, weight: 4 },
  { arbitrary: moveMeetings, weight: 2 },
  { arbitrary: changeParts, weight: 4 },
  { arbitrary: removeMeeting, weight: 1 },
  { arbitrary: renameBody, weight: 1 },
  { arbitrary: mergeBody, weight: 1 }
)

const term = fc.oneof(
  { arbitrary: fc.constantFrom(...words), weight: 6 },
  {
    arbitrary: fc.array(fc.constantFrom(...words), { minLength: 2, maxLength: 3 }).map((all) => `"${all.join(" ")}"`),
    weight: 3
  },
  fc.constantFrom('speaker:"Ada Marsh"', "speaker:marsh", "speaker:nobody"),
  fc.constantFrom("body:council", "body:schools", "place:pena", "place:springfield", "place:nowhere"),
  fc.constantFrom(
    'person:"springfield ada"',
    "person:springfield",
    'matter:"Ord 24-117"',
    "matter:budget",
    "matter:none"
  ),
  fc.constantFrom("document:parking", 'document:"budget greenway"', "document:the"),
  fc.constantFrom("after:2024", "before:2025-06", "after:2023-05-06")
)
const q = fc
  .array(fc.tuple(fc.constantFrom("", "", "-"), term, fc.constantFrom(" ", " ", " or ")), {
    minLength: 1,
    maxLength: 4
  })
  .map((terms) => terms.map(([minus, term, joint]) => `${minus}${term}${joint}`).join(""))

const some = <A>(...values: ReadonlyArray<A>) => fc.subarray([...values], { minLength: 1, maxLength: 2 })
const filters = {
  state: some("IL", "TN"),
  county: some("Sangamon County", "macon-county"),
  city: some("springfield", "pena springs"),
  type: some<"city_council" | "school_board">("city_council", "school_board"),
  agency: some(...bodies, "nobody"),
  has: some(...filterParts),
  year: some(2022, 2024, 2026, 1999),
  place_slug: fc.constantFrom("springfield", "pena-springs"),
  follow_place: some("pena-springs", "nowhere"),
  follow_agency: some("council", "planning"),
  person: some("springfield-ada", "springfield-cho", "nobody"),
  matter: some("springfield-24-117", "springfield-24-118"),
  vote: some<"passed" | "failed">("passed", "failed"),
  date_from: fc.constantFrom("2023-05-05", "2025-01-01"),
  date_to: fc.constantFrom("2024-12-19", "2023-01-01"),
  updated_since: fc.constantFrom("2020-01-01T00:00:00Z", "2100-01-01T00:00:00Z")
}
export const query: fc.Arbitrary<BrowseQuery> = fc.subarray(Struct.keys(filters), { maxLength: 2 }).chain((names) =>
  fc.record(
    {
      q,
      sort: fc.constantFrom<NonNullable<BrowseQuery["sort"]>>("relevance", "newest", "oldest", "updated"),
      group_by: fc.constant("agency" as const),
      page: fc.integer({ min: 1, max: 3 }),
      page_size: fc.constantFrom(3, 10, 100),
      exact: fc.constant("1" as const),
      facet: fc.subarray([...askedFacets]),
      ...Struct.pick(filters, names)
    },
    { requiredKeys: ["exact", ...names] }
  )
)

/** The places and bodies in changes and queries. */
export const directory = putOnRecord(
  place("springfield", { county: "Sangamon County" }),
  place("pena-springs", { name: "Peña Springs", county: "Macon County", state: "TN" }),
  ...people.map((slug): BundleEntity => ({ type: "person", slug, place: "springfield", name: slug.replace("-", " ") })),
  ...bodies.map((body) =>
    agency(body, [body === "schools" ? "pena-springs" : "springfield"], {
      kind: body === "schools" ? "school_board" : "city_council"
    })
  )
)

/** Browse with the index alone: it waits for the index, and fails for a query that only SQL can answer. */
export const Indexed = Browse.layer.pipe(
  Layer.provide(
    Layer.effect(
      SearchIndex,
      Effect.map(SearchIndex, (index) => ({
        ...index,
        open: (db) =>
          index.open(db).pipe(
            Effect.repeat({ until: Option.isSome, schedule: Schedule.spaced("50 millis") }),
            Effect.timeout("2 minutes"),
            Effect.orDie,
            Effect.map(
              Option.map((finder) => ({
                find: (wanted) => Effect.map(finder.find(wanted), (found) => Option.some(Option.getOrThrow(found))),
                count: (searches) =>
                  Effect.map(finder.count(searches), (found) => Option.some(Option.getOrThrow(found)))
              }))
            )
          )
      }))
    )
  )
)
export const InSql = Browse.layer.pipe(Layer.provide(SearchIndex.none))

/**
 * The parts that must be equal: in order of relevance only which meetings are found, since the two rank differently.
 */
export const answers = (browse: typeof Browse.Service, query: BrowseQuery) =>
  Effect.gen(function* () {
    const { total, facets, named, meetings, groups, groups_total } = yield* browse.search(query)
    const found = yield* browse.found(query)
    const months = yield* browse.compared({}, (_, search) =>
      Effect.flatMap(search(query), (results) => results.found.months(results.narrowed))
    )
    const isRanked = query.q !== undefined && (query.sort ?? "relevance") === "relevance"
    const ids = meetings.map(({ id }) => id)
    return {
      total,
      facets,
      named,
      found,
      months: new Map([...months].toSorted(([a], [b]) => a - b)),
      groups_total,
      groups: groups?.map(({ agency, total, meetings }) => [agency.slug, total, meetings.length]),
      ids: isRanked ? ids.length : ids,
      matches: isRanked ? undefined : meetings.map(({ matches }) => matches)
    }
  })
