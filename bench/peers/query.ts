import type { Fragment, Sql } from "postgres"

/** The parameters of a request, each with all of its values. */
export type Params = Readonly<Record<string, ReadonlyArray<string>>>

export const paramsOf = (query: unknown): Params =>
  Object.fromEntries(
    Object.entries(query ?? {}).map(([name, value]): [string, ReadonlyArray<string>] => [
      name,
      Array.isArray(value) ? value.map(String) : [String(value)]
    ])
  )

export const one = (params: Params, name: string): string | undefined => params[name]?.[0]
export const whole = (params: Params, name: string, fallback: number): number => Number(one(params, name) ?? fallback)

/** A search: the text for `websearch_to_tsquery`, and its phrases, which need positions that `document` lacks. */
export interface Search {
  readonly text: string
  readonly phrases: ReadonlyArray<string>
}

export const searchOf = (params: Params): Search | undefined => {
  const q = one(params, "q")?.trim()
  if (q === undefined || q === "") return undefined
  return { text: q.replaceAll('"', ""), phrases: [...q.matchAll(/"([^"]+)"/g)].map(([, phrase = ""]) => phrase) }
}

/** Joins conditions with `and`. */
const all = (sql: Sql, conditions: ReadonlyArray<Fragment>): Fragment =>
  conditions.reduce((before, condition) => sql`${before} and ${condition}`, sql`true`)

const hasName = (sql: Sql, names: Fragment, chosen: ReadonlyArray<string>) => sql`exists (
  select from unnest(${names}) n where fold(n) in (select fold(c) from unnest(${[...chosen]}::text[]) c))`

const matches = (sql: Sql, { text, phrases }: Search): ReadonlyArray<Fragment> => [
  sql`f.document @@ websearch_to_tsquery('public.civic', ${text})`,
  ...phrases.map(
    (phrase) => sql`(
      f.named @@ phraseto_tsquery('public.civic', ${phrase})
      or f.id in (
        select b.meeting_id from passage_block b cross join unnest(b.words) v (words)
        where passage_lexemes(b.words) @@ loosened(phraseto_tsquery('public.civic', ${phrase}))
          and v.words @@ phraseto_tsquery('public.civic', ${phrase}))
      or f.id in (
        select p.meeting_id from document_passage p where p.words @@ phraseto_tsquery('public.civic', ${phrase})))`
  )
]

/** Conditions on the parts of a meeting `f`, by the values of `has`. */
const parts: Readonly<Record<string, (sql: Sql) => Fragment>> = {
  transcript: (sql) => sql`exists (select from published_transcript t where t.meeting_id = f.id)`,
  briefing: (sql) => sql`exists (select from briefing r where r.meeting_id = f.id)`,
  video: (sql) => sql`exists (select from media d where d.meeting_id = f.id and d.role = 'rendition')`,
  clips: (sql) => sql`exists (
    select from clip c join media d on d.meeting_id = c.meeting_id and d.role = 'clip' and d.subject = c.id
    where c.meeting_id = f.id and c.state = 'published')`
}

/** The condition of each filter on a meeting `f` and its body `b`, by facet. */
const filters: Readonly<Record<string, (sql: Sql, values: ReadonlyArray<string>) => Fragment>> = {
  state: (sql, values) => sql`b.states && ${[...values]}::text[]`,
  county: (sql, values) => hasName(sql, sql`b.counties`, values),
  city: (sql, values) => hasName(sql, sql`b.cities`, values),
  type: (sql, values) => sql`b.kind = any(${[...values]}::text[])`,
  agency: (sql, values) => sql`b.slug = any(${[...values]}::text[])`,
  has: (sql, values) =>
    all(
      sql,
      values.map((value) => parts[value]?.(sql) ?? sql`false`)
    ),
  year: (sql, values) => sql`f.year = any(${values.map(Number)}::int[])`,
  date_from: (sql, [date = ""]) => sql`f.date >= ${date}::date`,
  date_to: (sql, [date = ""]) => sql`f.date <= ${date}::date`
}

/** `from` and `where` of the meetings `f` with their bodies `b` that match every filter but `except`. */
export const fitting = (sql: Sql, params: Params, search: Search | undefined, except?: string): Fragment => {
  const conditions = Object.entries(filters).flatMap(([name, condition]) => {
    const values = params[name]
    return values === undefined || name === except ? [] : [condition(sql, values)]
  })
  return search === undefined
    ? sql`from meeting f join body b on b.id = f.body_id where f.status = 'held' and ${all(sql, conditions)}`
    : sql`
        from (select meeting_id as id, body_id, date, year, named, document from meeting_search) f
        join body b on b.id = f.body_id where ${all(sql, [...matches(sql, search), ...conditions])}`
}
