import { Effect } from "effect"
import type { Sql } from "../../layers/db/db.ts"

/** The search that a good engineer writes in a day: a vector per meeting, queried in PostgreSQL's own grammar. */
export const makePlain = Effect.fnUntraced(function* (db: Sql) {
  const [made] = yield* db<{ made: boolean }>`select to_regclass('bench_plain') is not null as made`
  if (made?.made === true) return
  yield* db`
    create table bench_plain as
    select m.source_url, m.date, to_tsvector('english', left(concat_ws(' ', m.title, b.name, (
      select string_agg(concat_ws(' ', a.number, a.title, a.description), ' ' order by a.position)
      from agenda_item a where a.meeting_id = m.id), (
      select string_agg(p.text, ' ' order by p.position) from passage p where p.meeting_id = m.id)), 800000)) as words
    from meeting m join body b on b.id = m.body_id where m.status = 'held'`
  yield* db`create index bench_plain_words on bench_plain using gin (words)`
})

/** The sources' addresses of the best twenty meetings. */
export const plainSearch = Effect.fnUntraced(function* (db: Sql, q: string) {
  const rows = yield* db<{ source_url: string | null }>`
    select p.source_url from bench_plain p, websearch_to_tsquery('english', ${q}) asked
    where p.words @@ asked order by ts_rank_cd(p.words, asked) desc, p.date desc limit 20`
  return rows.map(({ source_url }) => source_url ?? "")
})
