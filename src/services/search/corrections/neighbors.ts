import { Effect, Schema } from "effect"
import type { ReadSql, Sql } from "../../../../layers/db/db.ts"
import { rowsBy } from "../../../../layers/db/rows.ts"
import { fold } from "../../../text/fold.ts"
import { type Lists, listOf, listsOf, neighborsOf } from "../../../text/neighbors.ts"
import type { OtherWords } from "../../../text/other-words.ts"
import { inGroups } from "../../meetings/passages.ts"

/** How often neighbors are mined, in days, and for how many hours a process has its turn: it may be killed. */
const [everyDays, turnHours] = [7, 1]

/** What is read: passages of half a minute, of meetings in the order of their ids, which are as good as drawn. */
const [mostPassages, mostMeetings] = [250_000, 10_000]

/** A word is mined that is said in as many passages and meetings, */
const [leastPassages, leastMeetings] = [30, 10]

/** and in no more than this share of the passages, or so many. */
const [mostShare, fewPassages] = [0.01, 200]

/** A form of a word that is said less often is not looked up. */
const leastForms = 20

/** How many neighbors a word has at most, and how like it they are. By real captions: see docs/search.md. */
const bounds = { most: 3, least: 0.4 }

/** Pieces of work without a rest, and a rest, so that tasks and requests go on beside it. */
const [pieces, rest] = [32, "20 millis"] as const

/** The most rows per statement. */
const rowsPerStatement = 5000

const inPieces = <A>(work: Generator<void, A>) =>
  Effect.gen(function* () {
    for (let done = 1; ; done++) {
      const step = work.next()
      if (step.done === true) return step.value
      if (done % pieces === 0) yield* Effect.sleep(rest)
    }
  })

/** A form of a word: how often it is said, and how often with a capital before small letters. */
interface Form {
  readonly text: string
  times: number
  capitals: number
  /** Unless it is rare, a stop word, or in the name of a body or place. */
  word?: Word
}

/** A word in all of its forms. */
interface Word {
  readonly forms: Array<Form>
  passages: number
  meetings: number
  lastMeeting: number
}

const commonest = ({ forms }: Word): string => forms.toSorted((a, b) => b.times - a.times)[0]?.text ?? ""

const sum = (forms: ReadonlyArray<Form>, of: "times" | "capitals") => forms.reduce((all, form) => all + form[of], 0)

/** The forms of a sample of what is said on record, and each passage as numbers of forms, by meeting. */
const sampled = Effect.fnUntraced(function* (db: Sql) {
  const forms: Array<Form> = []
  const numbers = new Map<string, number>()
  const meetings: Array<Lists> = []
  const noted = (token: string): number => {
    const text = fold(token)
    const number = numbers.get(text) ?? forms.length
    if (number === forms.length) {
      numbers.set(text, number)
      forms.push({ text, times: 0, capitals: 0 })
    }
    const form = forms[number]
    if (form === undefined) return number
    form.times++
    if (/^\p{Lu}.*\p{Ll}/u.test(token)) form.capitals++
    return number
  }
  const ids = yield* db<{ id: string }>`
    select m.id from meeting m
    where m.status = 'held' and exists (select from passage_block b where b.meeting_id = m.id)
    order by m.id limit ${mostMeetings}`
  let passages = 0
  for (const { id } of ids) {
    if (passages >= mostPassages) break
    const blocks = yield* db<{ texts: ReadonlyArray<string> }>`
      select texts from passage_block where meeting_id = ${id} order by block`
    const said: Array<ReadonlyArray<number>> = []
    for (const { texts } of blocks) {
      for (const text of texts) said.push([...new Set((text.match(/\p{L}{3,40}/gu) ?? []).map(noted))])
      // Not only between meetings: ten hours of talk in one piece would hold up requests.
      yield* Effect.sleep(rest)
    }
    meetings.push(listsOf(said))
    passages += said.length
  }
  return { forms, meetings, passages }
})

const lexemeRows = rowsBy(Schema.Struct({ word: Schema.String, lexeme: Schema.String, is_name: Schema.Boolean }))

/** Tells forms which words they are of, as search knows these, and returns the words. */
const wordsOf = Effect.fnUntraced(function* (db: Sql, forms: ReadonlyArray<Form>) {
  const words = new Map<string, Word>()
  const frequent = forms.filter(({ times }) => times >= leastForms)
  const known = new Map(frequent.map((form) => [form.text, form]))
  for (const some of inGroups([...known.keys()], rowsPerStatement)) {
    const rows = yield* lexemeRows(db`
      select g.word, l.lexeme, coalesce(f.is_name, false) as is_name
      from unnest(${some}::text[]) g (word)
      cross join lateral (select (tsvector_to_array(search_vector(g.word)))[1] as lexeme) l
      left join word_form f on f.word = g.word
      where is_word(g.word) and l.lexeme is not null`)
    for (const { word: text, lexeme, is_name } of rows) {
      const form = known.get(text)
      if (form === undefined || is_name) continue
      const word = words.get(lexeme) ?? { forms: [], passages: 0, meetings: 0, lastMeeting: -1 }
      words.set(lexeme, word)
      word.forms.push(form)
      form.word = word
    }
  }
  return [...words.values()]
})

/** The neighbors of each form of each word of the sample, in their commonest forms. */
const minedFrom = Effect.fnUntraced(function* (db: Sql) {
  const { forms, meetings, passages } = yield* sampled(db)
  const words = yield* wordsOf(db, forms)
  const forEachPassage = (use: (words: ReadonlySet<Word>, meeting: number) => void) =>
    Effect.forEach(
      meetings.entries(),
      ([meeting, said]) => {
        for (let at = 0; at < said.ends.length; at++)
          use(new Set([...listOf(said, at)].flatMap((form) => forms[form]?.word ?? [])), meeting)
        return Effect.sleep(rest)
      },
      { discard: true }
    )
  yield* forEachPassage((words, meeting) => {
    for (const word of words) {
      word.passages++
      if (word.lastMeeting !== meeting) word.meetings++
      word.lastMeeting = meeting
    }
  })
  const mined = words.filter(
    (word) =>
      word.passages >= leastPassages &&
      word.meetings >= leastMeetings &&
      word.passages <= Math.max(fewPassages, passages * mostShare) &&
      // Names of people stand in capitals wherever letters are small.
      sum(word.forms, "capitals") < sum(word.forms, "times") / 2
  )
  const termOf = new Map(mined.map((word, term) => [word, term]))
  const windows = {
    items: new Int32Array(mined.reduce((all, word) => all + word.passages, 0)),
    ends: new Int32Array(passages)
  }
  let [items, ends] = [0, 0]
  yield* forEachPassage((words) => {
    for (const word of words) {
      const term = termOf.get(word)
      if (term !== undefined) windows.items[items++] = term
    }
    windows.ends[ends++] = items
  })
  const neighbors = yield* inPieces(neighborsOf(windows, mined.length, bounds))
  return mined.flatMap((word, term) => {
    const near = (neighbors[term] ?? []).flatMap(({ term }) => {
      const other = mined[term]
      return other === undefined ? [] : [commonest(other)]
    })
    return near.length === 0 ? [] : word.forms.map(({ text }) => ({ word: text, neighbors: near }))
  })
})

/**
 * Mines which words of the record are said in the same company, once a week and in one process: for each word at most
 * three, in `word_neighbor`. It takes some minutes beside other work, and may be killed at any time.
 */
export const mineNeighbors = Effect.fn("Search.mineNeighbors")(function* (db: Sql) {
  const [turn] = yield* db`
    update neighbor_turn set due_at = now() + ${turnHours}::int * interval '1 hour' where due_at <= now() returning is_one`
  if (turn === undefined) return
  const rows = yield* minedFrom(db)
  yield* Effect.gen(function* () {
    yield* db`delete from word_neighbor`
    for (const some of inGroups(rows, rowsPerStatement)) {
      yield* db`
        insert into word_neighbor (word, neighbors)
        select word, array(select jsonb_array_elements_text(neighbors))
        from jsonb_to_recordset(${JSON.stringify(some)}::jsonb) given (word text, neighbors jsonb)`
    }
    yield* db`update neighbor_turn set due_at = now() + ${everyDays}::int * interval '1 day'`
  }).pipe(db.withTransaction)
})

/** The neighbors of words of a query that are not among them, those of the first word first. */
export const neighborsFor = Effect.fnUntraced(function* (db: ReadSql, words: ReadonlyArray<string>) {
  const forms = words.map(fold)
  if (forms.length === 0) return []
  const rows = yield* db<{ at: number; other: string }>`
    select q.at::int - 1 as at, n.other from unnest(${forms}::text[]) with ordinality q (word, at)
    join word_neighbor w on w.word = q.word cross join lateral unnest(w.neighbors) with ordinality n (other, place)
    order by n.place, q.at`
  return rows
    .filter(({ other }) => !forms.includes(other))
    .map(({ at, other }): OtherWords => ({ at, taken: 1, other, isSame: false }))
})
