import type { Fragment, Sql } from "postgres"
import { type BodyKind, bodyKindLabels } from "../../schema/agency.ts"
import type { MeetingCard } from "../../schema/meeting.ts"
import { cardsOf } from "./cards.ts"
import { matchesOf } from "./matches.ts"
import { fitting, one, type Params, type Search, searchOf, whole } from "./query.ts"

interface FacetRow {
  readonly value: string
  readonly label: string
  readonly count: number
}

/** The most values shown per facet. */
const mostValues = 200

/** One plain `GROUP BY` per facet. */
const facets: Readonly<Record<string, (sql: Sql, from: Fragment) => Fragment>> = {
  state: (sql, from) => sql`select v as value, v as label, n as count from (
    select unnest(b.states) as v, count(*)::int as n ${from} group by 1) x order by n desc, v`,
  county: (sql, from) => sql`select v as value, v as label, n as count from (
    select unnest(b.counties) as v, count(*)::int as n ${from} group by 1) x order by n desc, v limit ${mostValues}`,
  city: (sql, from) => sql`select v as value, v as label, n as count from (
    select unnest(b.cities) as v, count(*)::int as n ${from} group by 1) x order by n desc, v limit ${mostValues}`,
  type: (sql, from) =>
    sql`select b.kind as value, b.kind as label, count(*)::int as count ${from} group by 1 order by 3 desc, 1`,
  agency: (sql, from) => sql`
    select b.slug as value, b.name as label, count(*)::int as count ${from}
    group by 1, 2 order by 3 desc, 2, 1 limit ${mostValues}`,
  year: (sql, from) => sql`
    select f.year::text as value, f.year::text as label, count(*)::int as count ${from} group by 1 order by 1 desc`
}

const countFacets = async (sql: Sql, params: Params, search: Search | undefined) => {
  const entries = await Promise.all(
    Object.entries(facets).map(async ([name, rows]) => {
      const found = await sql<ReadonlyArray<FacetRow>>`${rows(sql, fitting(sql, params, search, name))}`
      const labelled = found.map((row) => ({
        ...row,
        label: name === "type" ? bodyKindLabels[row.value as BodyKind] : row.label
      }))
      return [name, labelled] as const
    })
  )
  return Object.fromEntries(entries)
}

const orderOf = (sql: Sql, params: Params, search: Search | undefined): Fragment => {
  const sort = one(params, "sort") ?? (search === undefined ? "newest" : "relevance")
  if (sort === "oldest") return sql`f.date, f.id`
  if (sort === "updated") return sql`(select m.updated_at from meeting m where m.id = f.id) desc, f.id`
  if (sort === "newest" || search === undefined) return sql`f.date desc, f.id`
  return sql`ts_rank(f.named, websearch_to_tsquery('public.civic', ${search.text})) desc, f.date desc, f.id`
}

/** The query with each word that occurs nowhere replaced by the most similar word in a body's or place's name. */
const corrected = async (sql: Sql, { text, phrases }: Search): Promise<Search | undefined> => {
  const words = text.split(/\s+/).filter((word) => !/^(-|or$)/i.test(word))
  const rows = await sql<ReadonlyArray<{ word: string; name: string }>>`
    select g.word, alike.name from unnest(${words}::text[]) g (word), lateral (
      select name from (
        select distinct regexp_split_to_table(fold(name), '[^a-z0-9]+') as name
        from (select name from body union all select name from place) every
      ) names
      where length(name) > 2 and similarity(name, fold(g.word)) >= 0.4
      order by similarity(name, fold(g.word)) desc, name limit 1
    ) alike
    where not exists (select from meeting_search s where s.document @@ plainto_tsquery('public.civic', g.word))`
  if (rows.length === 0) return undefined
  const names = new Map(rows.map(({ word, name }) => [word, name]))
  return {
    phrases,
    text: text
      .split(/\s+/)
      .map((word) => names.get(word) ?? word)
      .join(" ")
  }
}

const withMatches = async (
  sql: Sql,
  cards: ReadonlyArray<MeetingCard>,
  search: Search | undefined
): Promise<ReadonlyArray<MeetingCard>> => {
  if (search === undefined) return cards
  const matches = await matchesOf(sql, cards, search)
  return cards.map((card) => ({ ...card, matches: matches.get(card.id) ?? [] }))
}

const pageOf = async (sql: Sql, params: Params, search: Search | undefined) => {
  const size = whole(params, "page_size", 20)
  const skip = (whole(params, "page", 1) - 1) * size
  const rows = await sql<ReadonlyArray<{ id: string }>>`
    select f.id ${fitting(sql, params, search)} order by ${orderOf(sql, params, search)} limit ${size} offset ${skip}`
  return withMatches(
    sql,
    await cardsOf(
      sql,
      rows.map(({ id }) => id)
    ),
    search
  )
}

const groupsOf = async (sql: Sql, params: Params, search: Search | undefined) => {
  const size = whole(params, "page_size", 20)
  const skip = (whole(params, "page", 1) - 1) * size
  const [rows, [counted]] = await Promise.all([
    sql<ReadonlyArray<{ id: string; total: number }>>`
      with total as (
        select b.id, count(*)::int as total ${fitting(sql, params, search)}
        group by 1 order by 2 desc, 1 limit ${size} offset ${skip}
      ), numbered as (
        select f.id, b.id as body_id,
          row_number() over (partition by b.id order by ${orderOf(sql, params, search)}) as turn
        ${fitting(sql, params, search)} and b.id in (select id from total)
      )
      select n.id, t.total from numbered n join total t on t.id = n.body_id
      where turn <= ${whole(params, "per_group", 3)} order by t.total desc, t.id, turn`,
    sql<ReadonlyArray<{ groups: number }>>`select count(distinct b.id)::int as groups ${fitting(sql, params, search)}`
  ])
  const totals = new Map(rows.map(({ id, total }) => [id, total]))
  const cards = await withMatches(sql, await cardsOf(sql, [...totals.keys()]), search)
  const groups = [...Map.groupBy(cards, (card) => card.body.slug).values()].flatMap((meetings) =>
    meetings[0] === undefined ? [] : [{ agency: meetings[0].body, total: totals.get(meetings[0].id) ?? 0, meetings }]
  )
  return { groups, groups_total: counted?.groups ?? 0, meetings: cards }
}

export const browse = async (sql: Sql, params: Params) => {
  const answer = async (search: Search | undefined) => {
    const [[counted], counts, found] = await Promise.all([
      sql<ReadonlyArray<{ total: number }>>`select count(*)::int as total ${fitting(sql, params, search)}`,
      countFacets(sql, params, search),
      one(params, "group_by") === undefined
        ? pageOf(sql, params, search).then((meetings) => ({ meetings }))
        : groupsOf(sql, params, search)
    ])
    return {
      total: counted?.total ?? 0,
      page: whole(params, "page", 1),
      page_size: whole(params, "page_size", 20),
      facets: counts,
      ...found
    }
  }
  const search = searchOf(params)
  const found = await answer(search)
  if (found.total > 0 || search === undefined) return found
  const other = await corrected(sql, search)
  return other === undefined ? found : { ...(await answer(other)), corrected_query: other.text }
}
