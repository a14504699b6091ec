import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { Effect } from "effect"
import type { Sql } from "../../layers/db/db.ts"

/** How many meetings are read at a time. */
const atOnce = 200

/**
 * The same in SQLite: an FTS5 table of the same texts with its own stemmer and ranking (`bm25`), kept in `file`. The
 * search takes words and "phrases", all of which must be in a meeting, and returns the sources' addresses of the best
 * twenty.
 */
export const makeFts5 = Effect.fnUntraced(function* (db: Sql, file: string) {
  if (!fs.existsSync(file)) {
    const sqlite = new DatabaseSync(`${file}.part`)
    sqlite.exec("create virtual table meeting using fts5 (url unindexed, words, tokenize = 'porter unicode61')")
    const insert = sqlite.prepare("insert into meeting (url, words) values (?, ?)")
    let after = "00000000-0000-0000-0000-000000000000"
    while (true) {
      const rows = yield* db<{ id: string; source_url: string | null; words: string }>`
        select m.id, m.source_url, concat_ws(' ', m.title, b.name, (
          select string_agg(concat_ws(' ', a.number, a.title, a.description), ' ' order by a.position)
          from agenda_item a where a.meeting_id = m.id), (
          select string_agg(p.text, ' ' order by p.position) from passage p where p.meeting_id = m.id)) as words
        from meeting m join body b on b.id = m.body_id
        where m.status = 'held' and m.id > ${after}::uuid order by m.id limit ${atOnce}`
      const last = rows.at(-1)
      if (last === undefined) break
      sqlite.exec("begin")
      for (const { source_url, words } of rows) insert.run(source_url ?? "", words)
      sqlite.exec("commit")
      after = last.id
    }
    sqlite.close()
    fs.renameSync(`${file}.part`, file)
  }
  const sqlite = new DatabaseSync(file, { readOnly: true })
  const search = sqlite.prepare("select url from meeting where meeting match ? order by rank limit 20")
  return (q: string): ReadonlyArray<string> => {
    const terms = [...q.matchAll(/"([^"]+)"|([\p{L}\p{M}\p{N}]+)/gu)].map(([, phrase, word]) => `"${phrase ?? word}"`)
    return terms.length === 0 ? [] : search.all(terms.join(" ")).map(({ url }) => String(url))
  }
})
