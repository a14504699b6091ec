import { Effect } from "effect"
import type { Sql } from "../../../layers/db.ts"

/** Written words with how often they were written. */
type Counts = ReadonlyMap<string, number>

interface Tally {
  seen: number
  written: number
}

/** What this process has counted for each database, in texts and in names. */
const talliesOf = { texts: new WeakMap<Sql, Map<string, Tally>>(), names: new WeakMap<Sql, Map<string, Tally>>() }

/** A tally that has grown beyond this is begun anew; what it counted is written already, to within a factor of two. */
const mostTallied = 200_000

/** A word as `word_form` has it: folded. */
export const foldedWord = (word: string): string => word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()

const countWords = (texts: Iterable<string>): Counts => {
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const [word] of foldedWord(text).matchAll(/\p{L}+/gu)) {
      if (word.length >= 3 && word.length <= 40) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return counts
}

/**
 * Adds to the tally and returns what is due: words that are new to it, and those seen twice as often as when they were last
 * written. A word said a million times is written twenty times, so that importing a record rarely touches the table.
 */
const due = (tally: Map<string, Tally>, counts: Counts): ReadonlyArray<readonly [string, number]> => {
  const rows: Array<readonly [string, number]> = []
  for (const [word, times] of counts) {
    const known = tally.get(word) ?? { seen: 0, written: 0 }
    known.seen += times
    tally.set(word, known)
    if (known.seen < 2 * known.written || known.seen === known.written) continue
    rows.push([word, known.seen - known.written])
    known.written = known.seen
  }
  // In one order, so that no two writers wait for each other.
  return rows.toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/**
 * Notes the words of texts that the caller's transaction put on record, once it has committed. They serve only to mend
 * misspelt queries, so a failure is logged and the record stands.
 */
export const noteWords = Effect.fnUntraced(function* (db: Sql, texts: Iterable<string>, areNames = false) {
  const counts = countWords(texts)
  if (counts.size === 0) return
  const write = Effect.gen(function* () {
    const tallies = areNames ? talliesOf.names : talliesOf.texts
    const known = tallies.get(db)
    const tally = known === undefined || known.size > mostTallied ? new Map<string, Tally>() : known
    tallies.set(db, tally)
    const rows = due(tally, counts)
    if (rows.length === 0) return
    yield* db`
      insert into word_form as w (word, times, is_name)
      select word, times, ${areNames}::boolean
      from unnest(${rows.map(([word]) => word)}::text[], ${rows.map(([, times]) => times)}::int[]) given (word, times)
      where word ~ '^[[:alpha:]]+$'
      on conflict (word) do update set
        times = least(w.times::bigint + excluded.times, 1000000000)::int, is_name = w.is_name or excluded.is_name`
  })
  yield* db.afterCommit(
    Effect.catch(write, (error) => Effect.logWarning("The words of a text were not noted for spelling", error))
  )
})
