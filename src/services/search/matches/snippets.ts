import { Effect, Schema } from "effect"
import { LRUCache } from "lru-cache"
import type { ReadSql } from "../../../../layers/db/db.ts"
import { rowsBy } from "../../../../layers/db/rows.ts"
import { sentenceAround } from "../../../text/sentence.ts"
import { segmentsFrom } from "../../meetings/packed-segments.ts"
import { overlapWords } from "../../meetings/passages.ts"
import { given } from "../../wire.ts"

/** A moment of a transcript: where in a passage a match begins. */
export interface Moment {
  readonly id: string
  /** The passage, from 1. */
  readonly passage: number
  /** Which of the passage's words of the query it is, from 0. */
  readonly nth: number
  /** And which of them it ends with. */
  readonly last: number
  /** In seconds. */
  readonly start: number
}

/** What is said at a moment, for those who may read it. */
export interface Snippet {
  readonly snippet: string
  readonly speaker?: string
}

/** Around each word of the query; they are in no text. */
const [mark, unmark] = ["\u0002", "\u0003"]

const textRows = rowsBy(
  Schema.Struct({
    before: Schema.NullOr(Schema.String),
    marked: Schema.String,
    after: Schema.NullOr(Schema.String)
  })
)

const sayings = rowsBy(Schema.Struct({ id: Schema.String, content_hash: Schema.String }))
const packed = rowsBy(Schema.Struct({ id: Schema.String, segments: Schema.Uint8Array }))

interface Voice {
  readonly start: number
  readonly speaker: string | undefined
}

/** Who speaks when, by a transcript's hash: reading a long one takes tens of milliseconds. */
const voices = new LRUCache<string, ReadonlyArray<Voice>>({ max: 500 })

const voicesOf = Effect.fnUntraced(function* (db: ReadSql, ids: ReadonlyArray<string>) {
  const shown = yield* sayings(db`
    select distinct on (t.meeting_id) t.meeting_id as id, t.content_hash from transcript t
    where t.meeting_id = any(${ids}::uuid[]) and not t.withheld order by t.meeting_id, t.version = 'raw'`)
  const missing = shown.filter(({ content_hash }) => !voices.has(content_hash))
  const rows =
    missing.length === 0
      ? []
      : yield* packed(db`
          select t.meeting_id as id, t.segments
          from unnest(${missing.map(({ id }) => id)}::uuid[], ${missing.map((one) => one.content_hash)}::text[])
            asked (id, hash)
          join transcript t on t.meeting_id = asked.id and t.content_hash = asked.hash and not t.withheld`)
  const hashes = new Map(shown.map(({ id, content_hash }) => [id, content_hash]))
  for (const { id, segments } of rows) {
    const turns: Array<Voice> = []
    for (const { start, speaker } of yield* segmentsFrom(segments)) {
      if (turns.at(-1)?.speaker !== speaker || turns.length === 0) turns.push({ start, speaker })
    }
    voices.set(hashes.get(id) ?? "", turns)
  }
  return new Map(shown.map(({ id, content_hash }) => [id, voices.get(content_hash) ?? []]))
})

/** The offset of the nth marked word in the text without marks. */
const offsetOf = (marked: string, nth: number): number => {
  const parts = marked.split(mark)
  const before = parts.slice(0, Math.max(1, Math.min(nth + 1, parts.length - 1))).join("")
  return before.replaceAll(unmark, "").length
}

const wordsOf = (text: string | null): ReadonlyArray<string> => (text === null ? [] : text.split(" "))

/** The sentence at each of these moments, in their order, with its speaker; `lexemes` are those of the query. */
export const snippetsAt = Effect.fn("Browse.snippets")(function* (
  db: ReadSql,
  moments: ReadonlyArray<Moment>,
  lexemes: ReadonlyArray<string>
) {
  if (moments.length === 0) return []
  const [texts, said] = yield* Effect.all(
    [
      textRows(db`
        with asked as materialized (
          select string_agg(quote_literal(lexeme), ' | ')::tsquery as any from unnest(${lexemes}::text[]) lexeme)
        select before.text as before, after.text as after,
          ts_headline('public.civic', p.text, asked.any,
            ${`HighlightAll=true,StartSel="${mark}",StopSel="${unmark}"`}) as marked
        from unnest(${moments.map(({ id }) => id)}::uuid[], ${moments.map(({ passage }) => passage)}::int[])
          with ordinality moment (id, position, turn)
        cross join asked
        join passage p on p.meeting_id = moment.id and p.block = block_of(moment.position)
          and p.position = moment.position
        left join passage before on before.meeting_id = moment.id and before.block = block_of(moment.position - 1)
          and before.position = moment.position - 1
        left join passage after on after.meeting_id = moment.id and after.block = block_of(moment.position + 1)
          and after.position = moment.position + 1
        order by moment.turn`),
      voicesOf(db, [...new Set(moments.map(({ id }) => id))])
    ],
    { concurrency: 2 }
  )
  return moments.map(({ id, nth, last, start }, at): Snippet | undefined => {
    const row = texts[at]
    if (row === undefined) return undefined
    const before = wordsOf(row.before).slice(0, -overlapWords).join(" ")
    const after = wordsOf(row.after).slice(overlapWords).join(" ")
    const from = before === "" ? 0 : before.length + 1
    const text = [before, row.marked.replaceAll(mark, "").replaceAll(unmark, ""), after].join(" ").trim()
    const speaker = said.get(id)?.findLast((voice) => voice.start <= start + 0.05)?.speaker
    const [begins, ends] = [from + offsetOf(row.marked, nth), from + offsetOf(row.marked, last)]
    return { snippet: sentenceAround(text, begins, ends), ...given("speaker", speaker) }
  })
})
