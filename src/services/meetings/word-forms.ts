import { Context, Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import { fold } from "../../text/fold.ts"
import { inGroups } from "./passages.ts"

/** Words with their counts. */
type Counts = Map<string, number>

interface Tally {
  seen: number
  written: number
}

/** The counts of this process for a database, for texts and for names. */
interface Tallies {
  readonly texts: Map<string, Tally>
  readonly names: Map<string, Tally>
}

const talliesOf = new WeakMap<Sql, Tallies>()

/** The most words in a tally; beyond that it is written out and started over. */
const mostTallied = 200_000

/** The most words per statement. */
const wordsPerStatement = 5000

/** The words of all texts that one transaction writes, counted together after its commit. */
interface Collected {
  readonly texts: Counts
  readonly names: Counts
}

const Collecting = Context.Reference<Collected | undefined>("civic-record/WordForms/Collecting", {
  defaultValue: () => undefined
})

/** The words of a text in the form of `word_form`: folded runs of three to forty letters. */
export const formsOf = (text: string): ReadonlyArray<string> =>
  (fold(text).match(/\p{L}+/gu) ?? []).filter(({ length }) => length >= 3 && length <= 40)

/** Adds the results of `formsOf` to counts. */
export const addForms = (counts: Counts, forms: ReadonlyArray<string>, times: number): void => {
  for (const form of forms) counts.set(form, (counts.get(form) ?? 0) + times)
}

/**
 * Updates the tally and returns the counts that are due: words that are new to it, and words seen ten times as often as
 * when last written. A word said a million times is written seven times, so that imports rarely touch the table.
 */
const due = (tally: Map<string, Tally>, counts: Counts): Counts => {
  const rows: Counts = new Map()
  for (const [word, times] of counts) {
    const known = tally.get(word) ?? { seen: 0, written: 0 }
    known.seen += times
    tally.set(word, known)
    if (known.seen < 10 * known.written || known.seen === known.written) continue
    rows.set(word, known.seen - known.written)
    known.written = known.seen
  }
  return rows
}

/** The counts not yet written. */
const unwritten = (tally: Map<string, Tally>): Counts => {
  const rows: Counts = new Map()
  for (const [word, known] of tally) {
    if (known.seen > known.written) rows.set(word, known.seen - known.written)
    known.written = known.seen
  }
  return rows
}

const write = Effect.fnUntraced(function* (db: Sql, counts: Counts, areNames: boolean) {
  // Sorted, so that concurrent writers do not deadlock.
  const sorted = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const rows of inGroups(sorted, wordsPerStatement)) {
    yield* db`
      insert into word_form as w (word, times, is_name)
      select word, times, ${areNames}::boolean
      from unnest(${rows.map(([word]) => word)}::text[], ${rows.map(([, times]) => times)}::int[]) given (word, times)
      where is_word(word)
      on conflict (word) do update set
        times = least(w.times::bigint + excluded.times, 1000000000)::int, is_name = w.is_name or excluded.is_name`
  }
})

const logged = <E>(written: Effect.Effect<void, E>) =>
  Effect.catch(written, (error) => Effect.logWarning("The words of a text were not noted for spelling", error))

/** Writes the pending counts of this process, which makes the table exact. Called at the end of an import. */
export const settleWords = Effect.fnUntraced(function* (db: Sql) {
  const tallies = talliesOf.get(db)
  if (tallies === undefined) return
  yield* logged(write(db, unwritten(tallies.texts), false))
  yield* logged(write(db, unwritten(tallies.names), true))
})

const note = Effect.fnUntraced(function* (db: Sql, { texts, names }: Collected) {
  const before = talliesOf.get(db)
  const isFull = before !== undefined && Math.max(before.texts.size, before.names.size) > mostTallied
  if (isFull) yield* settleWords(db)
  const tallies = before === undefined || isFull ? { texts: new Map(), names: new Map() } : before
  talliesOf.set(db, tallies)
  yield* logged(write(db, due(tallies.texts, texts), false))
  yield* logged(write(db, due(tallies.names, names), true))
})

/**
 * Counts the words that `effect`, a transaction or part of one, puts on record in a few statements, instead of in one
 * for each text.
 */
export const notingTogether = <A, E, R>(db: Sql, effect: Effect.Effect<A, E, R>) => {
  const collected: Collected = { texts: new Map(), names: new Map() }
  return effect.pipe(
    Effect.provideService(Collecting, collected),
    Effect.tap(() => db.afterCommit(note(db, collected)))
  )
}

const noteAfterCommit = Effect.fnUntraced(function* (db: Sql, collect: (into: Collected) => void) {
  const together = yield* Collecting
  const collected = together ?? { texts: new Map(), names: new Map() }
  collect(collected)
  if (together === undefined) yield* db.afterCommit(note(db, collected))
})

/**
 * Counts the words of texts that the caller's transaction wrote, once it has committed. The counts serve only to
 * correct misspelled queries, so a failure is logged and the transaction stands.
 */
export const noteWords = (db: Sql, texts: Iterable<string>, areNames = false) =>
  noteAfterCommit(db, (collected) => {
    for (const text of texts) addForms(areNames ? collected.names : collected.texts, formsOf(text), 1)
  })

/** The same for words already counted. */
export const noteCounts = (db: Sql, counts: ReadonlyMap<string, number>) =>
  noteAfterCommit(db, ({ texts }) => {
    for (const [form, times] of counts) addForms(texts, [form], times)
  })
