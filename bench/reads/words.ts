import type { Sql } from "postgres"

/** Queryable values of a record, the same each time. */
export interface Known {
  readonly held: number
  readonly counties: ReadonlyArray<string>
  readonly states: ReadonlyArray<string>
  readonly kinds: ReadonlyArray<string>
  readonly years: ReadonlyArray<string>
  /** Words in 15 to 50% of the meetings; `rare` ones are in 0.1 to 1%. */
  readonly common: ReadonlyArray<string>
  readonly rare: ReadonlyArray<string>
  /** Frequent pairs of consecutive words. */
  readonly phrases: ReadonlyArray<string>
  /** Names of places; `misspelled` has words of them with a letter missing that no meeting contains. */
  readonly places: ReadonlyArray<string>
  readonly misspelled: ReadonlyArray<string>
  readonly meetings: ReadonlyArray<string>
}

/** Meetings and passages sampled for words. */
const looked = { meetings: 3000, passages: 2000 }

const column = async (rows: Promise<ReadonlyArray<{ readonly value: string }>>) =>
  (await rows).map(({ value }) => value)

const wordsOf = async (sql: Sql) => {
  // Words that are their own lexeme, so that a query for the word is a query for the lexeme.
  const rows = await sql<ReadonlyArray<{ word: string; share: number }>>`
    select word, ndoc::float8 / (
        select count(*) from (select from meeting_search order by meeting_id limit ${looked.meetings}) s) as share
    from ts_stat(${`select document from meeting_search order by meeting_id limit ${looked.meetings}`})
    where word ~ '^[a-z]{4,12}$' and tsvector_to_array(to_tsvector('public.civic', word)) = array[word]
    order by word`
  const between = (least: number, most: number) =>
    rows.filter(({ share }) => share >= least && share <= most).map(({ word }) => word)
  // Alphabetical neighbors are often forms of one word.
  const spread = (words: ReadonlyArray<string>, most: number) =>
    words.filter((_, at) => at % Math.max(1, Math.floor(words.length / most)) === 0).slice(0, most)
  return { common: spread(between(0.15, 0.5), 20), rare: spread(between(0.001, 0.01), 60) }
}

const phrasesOf = async (sql: Sql): Promise<ReadonlyArray<string>> => {
  const passages = await column(
    sql`select text as value from passage order by meeting_id, position limit ${looked.passages}`
  )
  const counts = new Map<string, number>()
  for (const text of passages) {
    for (const [pair] of text.toLowerCase().matchAll(/\b[a-z]{5,} (?=[a-z]{5,}\b)[a-z]+/g)) {
      counts.set(pair, (counts.get(pair) ?? 0) + 1)
    }
  }
  return [...counts]
    .toSorted(([a, often], [b, seldom]) => seldom - often || (a < b ? -1 : 1))
    .slice(0, 12)
    .map(([pair]) => pair)
}

const misspelledOf = async (sql: Sql, names: ReadonlyArray<string>) => {
  const words = [...new Set(names.flatMap((name) => name.toLowerCase().split(" ")))].filter((word) => word.length >= 7)
  const without = words.map((word) => word.slice(0, 3) + word.slice(4))
  return column(sql`
    select word as value from unnest(${without}::text[]) word
    where not exists (select from meeting_search s where s.document @@ plainto_tsquery('public.civic', word))
    order by word`)
}

export const knownOf = async (sql: Sql): Promise<Known> => {
  const [counted] = await sql<ReadonlyArray<{ held: number }>>`select sum(held)::int as held from held_count`
  const largest = (names: string) =>
    column(sql`
      select ${sql.unsafe(names)} as value from body b join held_count h on h.body_id = b.id
      group by 1 order by sum(h.held) desc, 1 limit 20`)
  const places = await column(sql`
    select name as value from place group by 1 having count(*) = 1 order by md5(name), name limit 60`)
  return {
    held: counted?.held ?? 0,
    counties: await largest("unnest(b.counties)"),
    states: await largest("unnest(b.states)"),
    kinds: await largest("b.kind"),
    years: await column(sql`select year::text as value from held_count group by year order by sum(held) desc limit 12`),
    ...(await wordsOf(sql)),
    phrases: await phrasesOf(sql),
    places,
    misspelled: await misspelledOf(sql, places),
    meetings: await column(sql`select id::text as value from meeting where status = 'held' order by id limit 3000`)
  }
}
