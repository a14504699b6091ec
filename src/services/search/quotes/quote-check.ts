import { Context, Effect, Layer, Option, Schema } from "effect"
import { Environment } from "../../../../layers/config/config.ts"
import { dbDies, ReadDb } from "../../../../layers/db/db.ts"
import { rowsBy } from "../../../../layers/db/rows.ts"
import type { BrowseQuery } from "../../../../schema/browse-query.ts"
import { MeetingId } from "../../../../schema/primitives.ts"
import type { QuoteCheck, QuoteCheckRequest, QuoteHit } from "../../../../schema/quote.ts"
import type { SearchQuery } from "../../../../schema/search-query.ts"
import { mayRead, type Viewer } from "../../../../schema/viewer.ts"
import { byLikeness } from "../../../text/quotes/align.ts"
import { cardsOf } from "../../meetings/cards.ts"
import { segmentsFrom } from "../../meetings/packed-segments.ts"
import { passagesWith } from "../../meetings/sql.ts"
import { given } from "../../wire.ts"
import { BodyDirectory } from "../found/bodies.ts"
import type { Finder, Wanted } from "../found/found.ts"
import { findBy, finderInSql, foundMeetings } from "../found/found-in-sql.ts"
import { makeResults } from "../found/results.ts"
import { momentPath } from "../matches/moments.ts"
import { activeFilters } from "../query/filters.ts"
import { makeQueryBudget, type SearchesBusy, SearchLimits, type SearchOverBudget } from "../query/query-budget.ts"
import { saysAny } from "../query/search-sql.ts"
import { SearchIndex } from "../search-index.ts"
import { type Closest, closestIn, namesOfSpeakers } from "./quote-closest.ts"
import { type LikelyPlace, likelyPlaces, segmentsAround, type Telling, tellingIn } from "./quote-places.ts"
import { allButOne, phrasesButOne, phrasesOf, triplesOf, wordsToFind } from "./quote-searches.ts"

/** The most meetings that are read for one search, and that an answer has. */
const mostRead = 5
/** The most of which it is asked where the words of the quote are said. */
const mostWeighed = 30

/** A quote with no more words besides stop words is looked for letter for letter, too, in so many passages. */
const fewTelling = 2
const mostCompared = 5000

const passages = rowsBy(Schema.Struct({ id: Schema.String, passage: Schema.Finite }))
const packed = rowsBy(Schema.Struct({ id: Schema.String, segments: Schema.Uint8Array }))

const coverageRows = rowsBy(
  Schema.Struct({
    meetings_searched: Schema.Finite,
    bodies: Schema.Finite,
    seconds: Schema.Finite,
    from: Schema.NullOr(Schema.String),
    to: Schema.NullOr(Schema.String),
    without_transcript: Schema.Finite
  })
)

const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`

const hintOf = (verdict: QuoteCheck["verdict"], { bodies, hours, without_transcript }: QuoteCheck["coverage"]) => {
  switch (verdict) {
    case "exact":
      return "It was said word for word. Listen to what is said around it."
    case "nearly":
      return "It was said in nearly these words. Listen before you quote it."
    case "parts":
      return "Only parts of it were said, or a number, a name or a “not” differs. Listen before you quote it."
    case "not_found":
      return `Not found in ${plural(hours, "hour")} of ${plural(bodies, "body", "bodies")}; ${plural(without_transcript, "meeting")} of that time ${without_transcript === 1 ? "has" : "have"} no transcript. This does not say that it was never said.`
  }
}

/** Checks quotes against what was said (docs/search.md). */
export class QuoteChecks extends Context.Service<
  QuoteChecks,
  {
    /**
     * Where a quote was said, and whether in these words. Anyone is told the verdict, the meeting and the second, as
     * search tells them; the words said, the speaker and the similarity only who may read the meeting.
     */
    readonly check: (
      request: QuoteCheckRequest,
      viewer: Viewer
    ) => Effect.Effect<QuoteCheck, SearchOverBudget | SearchesBusy>
  }
>()("civic-record/QuoteChecks") {
  static readonly layerNoDeps = Layer.effect(
    QuoteChecks,
    Effect.gen(function* () {
      const db = yield* ReadDb
      const resultsOf = makeResults(db, yield* BodyDirectory)
      const index = yield* SearchIndex
      const { baseUrl } = yield* Environment
      const { permits, weight } = yield* SearchLimits
      const withinBudget = yield* makeQueryBudget(db)

      const coverageOf = Effect.fn("QuoteChecks.coverage")(function* (query: BrowseQuery) {
        const rows = yield* coverageRows(db`
          select count(t.duration)::int as meetings_searched, coalesce(sum(t.duration), 0)::float8 as seconds,
            count(distinct f.body_id) filter (where t.duration is not null)::int as bodies,
            (min(f.date) filter (where t.duration is not null))::text as from,
            (max(f.date) filter (where t.duration is not null))::text as to,
            count(*) filter (where t.duration is null)::int as without_transcript
          from ${foundMeetings(db, activeFilters(query), undefined)} f
          left join (select meeting_id, max(duration) as duration from published_transcript group by 1) t
            on t.meeting_id = f.id`)
        return rows.map(({ seconds, from, to, ...counts }) => ({
          ...counts,
          hours: Math.round(seconds / 360) / 10,
          ...given("from", from),
          ...given("to", to)
        }))
      })

      /**
       * Of the meetings that fit a search best, except those seen before, the ones that say most of the quote's words
       * near each other, with the places: a meeting may fit by its documents alone.
       */
      const likeliest = Effect.fnUntraced(function* (
        finder: Finder,
        search: SearchQuery,
        query: BrowseQuery,
        telling: Telling,
        seen: ReadonlySet<string>
      ) {
        const filters = activeFilters({ ...query, has: ["transcript"] })
        const wanted: Wanted = { filters, search, sort: "relevance" }
        const { found, narrowed } = yield* resultsOf(wanted, yield* findBy(db, finder, wanted))
        if (narrowed.total === 0) return []
        const page = yield* found.page(narrowed, { offset: 0, limit: mostWeighed })
        const ids = page.filter((id) => !seen.has(id))
        const spoken = yield* found.spoken(ids, [...telling.worth.keys()])
        return ids
          .map((id) => ({ id, places: likelyPlaces(spoken.get(id) ?? [], telling) }))
          .filter(({ places }) => places.length > 0)
          .toSorted((a, b) => (b.places[0]?.score ?? 0) - (a.places[0]?.score ?? 0))
          .slice(0, mostRead)
      })

      /** What comes closest in each of these meetings, where most of the words are said. */
      const closestOf = Effect.fn("QuoteChecks.closest")(function* (
        meetings: ReadonlyArray<{ id: string; places: ReadonlyArray<LikelyPlace> }>,
        { text, speaker }: QuoteCheckRequest
      ) {
        const rows = yield* packed(db`
          select distinct on (meeting_id) meeting_id as id, segments from published_transcript
          where meeting_id = any(${meetings.map(({ id }) => id)}::uuid[]) order by meeting_id, version = 'refined' desc`)
        const found: Array<Closest> = []
        for (const { id, places } of meetings) {
          const row = rows.find((one) => one.id === id)
          if (row === undefined) continue
          const segments = yield* segmentsFrom(row.segments)
          // What others say at the same place is not what the speaker says elsewhere.
          const stretches =
            speaker === undefined ? places.map(({ passage }) => segmentsAround(segments, passage)) : [segments]
          const names = namesOfSpeakers(segments)
          const [best] = stretches
            .flatMap((stretch) => closestIn(MeetingId.make(id), stretch, { text, speaker, names }))
            .toSorted(byLikeness)
          if (best !== undefined) found.push(best)
          yield* Effect.yieldNow
        }
        return found
      })

      /** Where a quote of stop words, which searches do not see, is said letter for letter. */
      const literally = Effect.fn("QuoteChecks.literally")(function* (text: string, query: BrowseQuery) {
        const rows = yield* passages(db`
          select said.meeting_id as id, said.position - 1 as passage from (
            select p.* from ${passagesWith(db, db`(select search_words(${text}))`)} p
            where p.meeting_id in (select f.id from ${foundMeetings(db, activeFilters(query), undefined)} f)
            limit ${mostCompared}) found
          join passage said using (meeting_id, block, position)
          where ${saysAny(db, db`said.text`, [text])} limit ${mostRead}`)
        return rows.map(({ id, passage }) => ({ id, places: [{ passage, score: 0 }] }))
      })

      /** By the phrase first, then by most of it, then by most of the rarest words, and then by a few of them. */
      const search = Effect.fnUntraced(function* (finder: Finder, request: QuoteCheckRequest, query: BrowseQuery) {
        const words = wordsToFind(request.text)
        const counts = Option.getOrUndefined(yield* finder.count(words.map((word) => triplesOf([word])))) ?? []
        const known = words
          .map((word, at) => ({ word, count: counts[at] ?? 1 }))
          .filter(({ count }) => count > 0)
          .toSorted((a, b) => a.count - b.count)
        const rarest = known.map(({ word }) => word)
        const telling = yield* tellingIn(db, request.text, known)
        const seen = new Set<string>()
        const found: Array<Closest> = []
        const isFound = () => found.some(({ likeness }) => likeness === "exact" || likeness === "nearly")
        const scopes =
          request.speaker === undefined ? [] : [{ name: "speaker", text: request.speaker, negated: false } as const]
        const steps = [
          phrasesOf(request.text, new Set(rarest)),
          phrasesButOne(request.text, new Set(rarest)),
          allButOne(rarest),
          triplesOf(rarest)
        ]
        for (const [at, step] of steps.entries()) {
          if (step.either.length > 0) {
            const scoped = { either: step.either.map((one) => ({ ...one, scopes })) }
            const meetings = yield* likeliest(finder, scoped, query, telling, seen)
            for (const { id } of meetings) seen.add(id)
            found.push(...(yield* closestOf(meetings, request)))
          }
          if (at === 0 && !isFound() && telling.row.length <= fewTelling) {
            found.push(...(yield* closestOf(yield* literally(request.text, query), request)))
          }
          if (isFound()) break
        }
        return found
          .filter(({ likeness }) => likeness !== "different")
          .toSorted(byLikeness)
          .slice(0, mostRead)
      })

      const check = Effect.fn("QuoteChecks.check")(
        function* (request: QuoteCheckRequest, viewer: Viewer) {
          const query: BrowseQuery = {
            ...given("place_slug", request.place_slug),
            ...given("agency_slug", request.agency_slug),
            ...given("date_from", request.from),
            ...given("date_to", request.to)
          }
          const searching = Effect.gen(function* () {
            const inSql = search(finderInSql(db), request, query)
            const found = yield* Option.match(yield* index.open(db), {
              onNone: () => inSql,
              onSome: (finder) => index.orWithout(search(finder, request, query), inSql)
            })
            const [coverage = nothingSearched] = yield* coverageOf(query)
            const cards = yield* cardsOf(
              db,
              found.map(({ id }) => id),
              baseUrl
            )
            return { found, coverage, cards }
          })
          // It reads transcripts, so a few run at once at most.
          const { found, coverage, cards } = yield* withinBudget(searching, {
            weight: (weight * permits) / 4,
            hasWords: true
          })
          const hits = found.flatMap((one): ReadonlyArray<QuoteHit> => {
            const meeting = cards.find(({ id }) => id === one.id)
            if (meeting === undefined) return []
            const { start, end } = one
            return [
              {
                meeting,
                start,
                end,
                exact: one.likeness === "exact",
                path: momentPath(meeting.path, start, ""),
                ...(mayRead(viewer, one.id) ? forReaders(one) : {})
              }
            ]
          })
          const likeness = hits.length === 0 ? undefined : found[0]?.likeness
          const verdict = likeness === undefined || likeness === "different" ? "not_found" : likeness
          return { verdict, coverage, hits, hint: hintOf(verdict, coverage) } satisfies QuoteCheck
        },
        Effect.scoped,
        dbDies
      )

      return { check }
    })
  )

  static readonly layer = QuoteChecks.layerNoDeps.pipe(Layer.provide(BodyDirectory.layer))
}

const nothingSearched = { meetings_searched: 0, bodies: 0, hours: 0, without_transcript: 0 }

const forReaders = ({ speaker, similarity, words }: Closest) => ({
  ...given("speaker", speaker),
  similarity: Math.round(similarity * 100) / 100,
  words: words.map(({ quoted, said, how }) => ({
    ...given("quoted", quoted?.text),
    ...given("said", said?.text),
    how
  }))
})
