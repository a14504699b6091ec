import { Context, Effect, Layer, Schema } from "effect"
import { dbDies, ReadDb } from "../../../../layers/db/db.ts"
import { rowsBy } from "../../../../layers/db/rows.ts"
import type { MeetingId } from "../../../../schema/primitives.ts"
import { roundSeconds } from "../../../../schema/primitives.ts"
import { parseSearchQuery, wantedWords } from "../../../../schema/search-query.ts"
import type { Segment } from "../../../../schema/transcript.ts"
import type { MissingPart } from "../../meetings/missing-part.ts"
import { Transcripts } from "../../meetings/transcripts.ts"
import { given } from "../../wire.ts"
import { saidAt } from "../matches/moments.ts"
import { excessOf, SearchOverBudget } from "../query/query-budget.ts"
import { anyOf, togetherOf, typedWords } from "../query/search-sql.ts"
import { readRows } from "../query/tsquery.ts"

/** What was said: words as they stand in the transcript, with the second at which the words asked for are said. */
export interface Quote {
  readonly start: number
  readonly speaker?: string
  readonly text: string
}

/** The most quotes of a meeting. */
const mostQuotes = 10

/** Words of a quote before and after the one that was asked for. */
const before = 15
const after = 45

/** Seconds within which two times are one: passages store them as `real`. */
const sameMoment = 0.05

const Numbers = Schema.Array(Schema.Finite)

const passageRows = rowsBy(
  Schema.Struct({
    text: Schema.String,
    /** The second of each position of its vector, and the number of the word there, from 1. */
    starts: Numbers,
    places: Numbers,
    /** The query's lexemes in it, each with its positions, twice. */
    said: Schema.Array(Schema.Tuple([Schema.String, Numbers, Numbers])),
    phrases: Schema.Array(Schema.String),
    rows: Schema.Array(Schema.String)
  })
)

/** Quotes from one meeting, for callers who may read it. */
export class Quotes extends Context.Service<
  Quotes,
  {
    /**
     * Where the words and phrases of a query are said together, within about half a minute of speech, closest first:
     * at most one quote from each half minute. Words to leave out and scopes are not regarded.
     */
    readonly find: (
      meetingId: MeetingId,
      q: string
    ) => Effect.Effect<ReadonlyArray<Quote>, MissingPart | SearchOverBudget>
  }
>()("civic-record/Quotes") {
  static readonly layer = Layer.effect(
    Quotes,
    Effect.gen(function* () {
      const db = yield* ReadDb
      const transcripts = yield* Transcripts

      const find = Effect.fn("Quotes.find")(function* (meetingId: MeetingId, q: string) {
        const excess = excessOf(q)
        if (excess !== undefined) return yield* new SearchOverBudget({ excess })
        const { segments } = yield* transcripts.spoken(meetingId)
        const search = parseSearchQuery(q)
        const terms = wantedWords(search)
        const typed = typedWords(search)
        // Without `offset 0`, PostgreSQL would search the whole record for the words.
        const rows = yield* passageRows(db`
          with asked as materialized (
            select ${togetherOf(db, search)} as every, ${anyOf(db, typed)} as row,
              array(select search_phrase(term)::text from unnest(${terms}::text[]) term) as phrases,
              array(select search_phrase(text)::text from unnest(${typed}::text[]) text) as rows,
              array(select distinct l.lexeme from unnest(${terms}::text[]) term, unnest(search_vector(term)) l)
                as lexemes)
          select p.text, p.starts, word_positions(p.text) as places, asked.phrases, asked.rows, (
              select json_agg(json_build_array(l.lexeme, l.positions, l.positions))
              from unnest(ts_filter(setweight(p.words, 'a', asked.lexemes), '{a}')) l) as said
          from asked cross join (select * from passage_vector where meeting_id = ${meetingId} offset 0) v
          join passage p using (meeting_id, block, position)
          where v.words @@ asked.every
          order by p.words @@ asked.row desc, ts_rank_cd(p.words, asked.every) desc, p.position
          limit ${2 * mostQuotes}`)
        const moments = new Set<number>()
        return rows
          .flatMap((row) => {
            const position = saidAt(row.said, readRows(row.phrases), readRows(row.rows))?.second
            const quote = position === undefined ? undefined : quoteAt(row, position, segments)
            // Neighboring passages overlap.
            if (quote === undefined || moments.has(quote.start)) return []
            moments.add(quote.start)
            return [quote]
          })
          .slice(0, mostQuotes)
      }, dbDies)

      return { find }
    })
  )
}

/** The words around a position of a passage, as far as one speaker says them. */
const quoteAt = (
  { text, starts, places }: { text: string; starts: ReadonlyArray<number>; places: ReadonlyArray<number> },
  position: number,
  segments: ReadonlyArray<Segment>
): Quote | undefined => {
  const second = starts[position - 1]
  const place = places[position - 1]
  if (second === undefined || place === undefined) return undefined
  const at = segments.findLastIndex(({ start }) => start <= second + sameMoment)
  const speaker = segments[at]?.speaker
  // Captions are a segment a line, so a speaker's words are many of them.
  const isOther = (segment: Segment) => segment.speaker !== speaker
  const start = segments[segments.findLastIndex((segment, index) => index < at && isOther(segment)) + 1]?.start ?? 0
  const until = segments.find((segment, index) => index > at && isOther(segment))?.start ?? Number.POSITIVE_INFINITY
  const own = places.filter((_, index) => {
    const said = starts[index] ?? 0
    return said >= start - sameMoment && said < until - sameMoment
  })
  const from = Math.max(place - before, Math.min(place, ...own))
  const to = Math.min(place + after, Math.max(place, ...own))
  const words = text.split(" ").slice(from - 1, to)
  return { start: roundSeconds(second), ...given("speaker", speaker), text: words.join(" ") }
}
