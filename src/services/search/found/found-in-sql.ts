import { Effect, Option, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { ReadSql } from "../../../../layers/db/db.ts"
import { rowsBy } from "../../../../layers/db/rows.ts"
import type { MeetingId } from "../../../../schema/primitives.ts"
import { type SearchQuery, wantedWords } from "../../../../schema/search-query.ts"
import { passagesWith } from "../../meetings/sql.ts"
import { spokenInSql } from "../matches/spoken.ts"
import { type ActiveFilter, conditionsOn } from "../query/filters.ts"
import { anyOf, fits, togetherOf } from "../query/search-sql.ts"
import { type Cells, type Finder, type Found, mostCounted, type Sort, type Wanted } from "./found.ts"

/** Meetings `m` of a list are held ones, unless a filter asks for others. */
export const hasStatus = (db: ReadSql, filters: ReadonlyArray<ActiveFilter>) =>
  filters.some(({ name }) => name === "status") ? [] : [db`m.status = 'held'`]

/**
 * The meetings that match a search and the filters on meetings, before the filters on bodies and years: a
 * subselect of `id, body_id, date, year` and, with a search, `named`, the vector of each meeting's subject matter.
 */
const candidates = (db: ReadSql, filters: ReadonlyArray<ActiveFilter>, search: SearchQuery | undefined) => {
  const onMeeting = conditionsOn(db, filters, "meeting")
  if (search === undefined) {
    return db`(
      select m.id, m.body_id, m.date, m.year from meeting m where ${db.and([...hasStatus(db, filters), ...onMeeting])})`
  }
  const conditions = [
    fits(db, search),
    ...(onMeeting.length === 0 ? [] : [db`s.meeting_id in (select m.id from meeting m where ${db.and(onMeeting)})`])
  ]
  return db`(
    select s.meeting_id as id, s.body_id, s.date, s.year, s.named from meeting_search s where ${db.and(conditions)})`
}

/** The filters on bodies and years, of rows that have a `body_id` and a `year`. */
export const onBodiesAndYears = (db: ReadSql, filters: ReadonlyArray<ActiveFilter>) => {
  const onBody = conditionsOn(db, filters, "body")
  return [
    ...conditionsOn(db, filters, "year"),
    ...(onBody.length === 0 ? [] : [db`body_id in (select b.id from body b where ${db.and(onBody)})`])
  ]
}

/** The held meetings that match a search and every filter, as a subselect with the columns of `candidates`. */
export const foundMeetings = (db: ReadSql, filters: ReadonlyArray<ActiveFilter>, search: SearchQuery | undefined) =>
  db`(select * from ${candidates(db, filters, search)} candidate where ${db.and(onBodiesAndYears(db, filters))})`

/**
 * The number of held meetings of each body in each year, before the filters on bodies and years: rows `body_id, year,
 * n`. Read from `held_count` unless a search or a filter needs the meetings themselves.
 */
const heldByBodyAndYear = (db: ReadSql, filters: ReadonlyArray<ActiveFilter>, search: SearchQuery | undefined) =>
  search === undefined && conditionsOn(db, filters, "meeting").length === 0
    ? db`select body_id, year, held as n from held_count where held > 0`
    : db`select body_id, year, count(*)::int as n from ${candidates(db, filters, search)} candidate group by 1, 2`

/** Word weights by place: a speaker's name, a description, an item, the title. */
const weights = "{0.1, 0.2, 0.5, 1.0}"

/**
 * The meetings of `found` as rows `id, body_id, date, score`. Subject matter counts more than speech, and that more
 * than documents, words close together more than words apart, and repetition by its logarithm. Scores are rounded, so
 * that the date decides between
 * similar ones.
 */
const scored = (db: ReadSql, found: Statement.Fragment, search: SearchQuery) => {
  const every = db`(select ${togetherOf(db, search)})`
  const any = db`(select ${anyOf(db, wantedWords(search))})`
  return db`
    select found.id, found.body_id, found.date, round((
      6 * ts_rank(${weights}, found.named, ${every}) + 2 * ts_rank(${weights}, found.named, ${any})
      + ln(1 + coalesce(said.nearness, 0))
      + 2 * greatest(coalesce(said.nearest, 0), (found.named @@ ${every})::int)
      + least(1, coalesce(printed.nearest, 0)))::numeric, 2) as score
    from ${found} found
    left join (
      -- 1 for adjacent words, less for each word between them.
      select near.meeting_id, sum(near.ness) as nearness, max(least(near.ness, 1)) as nearest from (
        select p.meeting_id, 10 * ts_rank_cd(p.words, ${every}) as ness from ${passagesWith(db, every)} p
      ) near group by 1
    ) said on said.meeting_id = found.id
    left join (
      -- How often a document says it adds nothing: packets say everything often.
      select near.meeting_id, max(near.ness) as nearest from (
        select p.meeting_id, 5 * ts_rank_cd(p.words, ${every}) as ness from document_passage p
        where p.words @@ ${every} offset 0
      ) near group by 1
    ) printed on printed.meeting_id = found.id`
}

/** Beyond this many meetings, ranking in SQL takes too long, and the newest come first. */
const rankedAtMost = 5000

/** The order of rows `fit` with the columns of `ranked`; ties are broken by id. */
const orders: { readonly [Name in Sort]: (db: ReadSql) => Statement.Fragment } = {
  relevance: (db) => db`fit.score desc, fit.date desc, fit.id`,
  newest: (db) => db`fit.date desc, fit.id`,
  oldest: (db) => db`fit.date, fit.id`,
  updated: (db) => db`(select m.updated_at from meeting m where m.id = fit.id) desc, fit.id`
}

/** Every matching meeting, as rows `id, body_id, date, score`. */
const ranked = (db: ReadSql, { filters, search, sort }: Wanted, total: number) => {
  const found = foundMeetings(db, filters, search)
  if (search === undefined || sort !== "relevance" || total > rankedAtMost) {
    return db`select id, body_id, date, 0::float8 as score from ${found} found`
  }
  return scored(db, found, search)
}

const Numbers = Schema.Array(Schema.Finite)
const Counts = Schema.Struct({ bodies: Numbers, years: Numbers, held: Numbers })
const countRows = rowsBy(Counts)

const cellsOf = ({ bodies, years, held }: typeof Counts.Type): Cells => {
  const columns = [...new Set(years)].toSorted((a, b) => a - b)
  const column = new Map(columns.map((year, at) => [year, at]))
  const rows = new Map([...new Set(bodies)].map((body, at) => [body, at]))
  const counts = new Uint32Array(rows.size * columns.length)
  for (const [at, body] of bodies.entries()) {
    counts[(column.get(years[at] ?? 0) ?? 0) * rows.size + (rows.get(body) ?? 0)] = held[at] ?? 0
  }
  return {
    years: columns,
    rows: rows.size,
    counts,
    rowsOf: (all) => Int32Array.from(all, ({ id }) => rows.get(id) ?? -1)
  }
}

/** Finds meetings in PostgreSQL: the test oracle of the search index, and its fallback. */
export const findInSql = (db: ReadSql, wanted: Wanted): Found => {
  const { filters, search, sort } = wanted
  return {
    cells: countRows(db`
      select coalesce(array_agg(body_id), '{}') as bodies, coalesce(array_agg(year), '{}') as years,
        coalesce(array_agg(n), '{}') as held
      from (${heldByBodyAndYear(db, filters, search)}) hit`).pipe(
      Effect.map(([counts]) => cellsOf(counts ?? { bodies: [], years: [], held: [] })),
      Effect.withSpan("Browse.cells")
    ),
    months: ({ bodies }) =>
      Effect.map(
        db<{ month: number; n: number }>`
          select (12 * extract(year from found.date) + extract(month from found.date) - 1)::int as month, count(*)::int as n
          from ${foundMeetings(db, filters, search)} found
          where ${bodies === undefined ? db`true` : db`found.body_id = any(${[...bodies]}::int[])`} group by 1`,
        (rows) => new Map(rows.map(({ month, n }) => [month, n]))
      ),
    page: ({ total }, { offset, limit }) =>
      Effect.map(
        // The whole record in order of change has an index, for the feed of everything.
        sort === "updated" && search === undefined && filters.length === 0
          ? db<{ id: string }>`
              select id from meeting where status = 'held' order by updated_at desc, id limit ${limit} offset ${offset}`
          : db<{ id: string }>`
              select id from (${ranked(db, wanted, total)}) fit order by ${orders[sort](db)}
              limit ${limit} offset ${offset}`,
        (rows) => rows.map(({ id }) => id)
      ),
    groups: ({ total }, { bodies, perGroup }) =>
      Effect.map(
        db<{ id: string; body_id: number }>`
          select id, body_id from (
            select fit.id, fit.body_id,
              row_number() over (partition by fit.body_id order by ${orders[sort](db)}) as turn
            from (${ranked(db, wanted, total)}) fit where fit.body_id = any(${bodies}::int[])
          ) numbered
          where turn <= ${perGroup} order by body_id, turn`,
        (rows) =>
          new Map(
            Map.groupBy(rows, ({ body_id }) => body_id)
              .entries()
              .map(([body, meetings]) => [body, meetings.map(({ id }) => id)])
          )
      ),
    passages: () => Effect.succeedNone,
    printed: () => Effect.succeedNone,
    lacking: () => Effect.succeed(undefined),
    spoken: (ids, lexemes) => spokenInSql(db, ids, lexemes),
    selected: () => Effect.succeed(db`select id from ${foundMeetings(db, filters, search)} found`),
    all: () =>
      Effect.map(
        db<{ id: MeetingId }>`select id from ${foundMeetings(db, filters, search)} found order by date desc, id`,
        (rows) => rows.map(({ id }) => id)
      )
  }
}

const countInSql = Effect.fnUntraced(function* (db: ReadSql, searches: ReadonlyArray<SearchQuery>) {
  const counts = searches.map(
    (search, at) => db`
      select ${at}::int as at, (select count(*) from (
        select from meeting_search s where ${fits(db, search)} limit ${mostCounted}) fit)::int as fitting`
  )
  const rows = yield* db<{ fitting: number }>`${db.join(" union all ", false)(counts)} order by at`
  return rows.map(({ fitting }) => fitting)
})

/** PostgreSQL can express every search. */
export const finderInSql = (db: ReadSql): Finder => ({
  find: (wanted) => Effect.succeedSome(findInSql(db, wanted)),
  count: (searches) => Effect.asSome(countInSql(db, searches))
})

/** What a finder finds; SQL finds it where the finder cannot express it. */
export const findBy = (db: ReadSql, finder: Finder, wanted: Wanted) =>
  Effect.map(
    finder.find(wanted),
    Option.getOrElse(() => findInSql(db, wanted))
  )
