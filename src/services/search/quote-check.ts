import { Context, Effect, Layer, Option, Schema } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { dbDies, ReadDb } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import type { BrowseQuery } from "../../../schema/browse-query.ts"
import { MeetingId, roundSeconds } from "../../../schema/primitives.ts"
import type { QuoteCheck, QuoteCheckRequest, QuoteHit } from "../../../schema/quote.ts"
import type { SearchQuery } from "../../../schema/search-query.ts"
import { mayRead, type Viewer } from "../../../schema/viewer.ts"
import { keyOf, spokenWords } from "../../text/language/spoken-words.ts"
import { type Alignment, byLikeness, closest } from "../../text/quotes/align.ts"
import { quoteWords } from "../../text/quotes/quote-words.ts"
import { cardsOf } from "../meetings/cards.ts"
import { Transcripts } from "../meetings/transcripts.ts"
import { given } from "../wire.ts"
import { BodyDirectory } from "./bodies.ts"
import { chooseBodies, countFacets } from "./facets.ts"
import { activeFilters } from "./filters.ts"
import type { Finder, Wanted } from "./found.ts"
import { finderInSql, findInSql, foundMeetings } from "./found-in-sql.ts"
import { momentPath } from "./moments.ts"
import { makeQueryBudget, type SearchesBusy, SearchLimits, type SearchOverBudget } from "./query-budget.ts"
import { allButOne, phrasesOf, triplesOf, wordsToFind } from "./quote-searches.ts"
import { SearchIndex } from "./search-index.ts"

/** The most meetings that are read for one search, and that an answer has. */
const mostRead = 5

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

/** What comes closest to a quote in one meeting. */
interface Closest extends Alignment {
  readonly id: MeetingId
  readonly start: number
  readonly end: number
  readonly speaker: string | undefined
}

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
      const directory = yield* BodyDirectory
      const index = yield* SearchIndex
      const transcripts = yield* Transcripts
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

      /** The meetings that fit a search best. */
      const likeliest = Effect.fnUntraced(function* (finder: Finder, search: SearchQuery, query: BrowseQuery) {
        const filters = activeFilters({ ...query, has: ["transcript"] })
        const wanted: Wanted = { filters, search, sort: "relevance" }
        const found = Option.getOrElse(yield* finder.find(wanted), () => findInSql(db, wanted))
        const choice = chooseBodies(yield* directory.current(db), filters)
        const total =
          found.total === undefined ? countFacets(yield* found.cells, choice).total : yield* found.total(choice.bodies)
        return total === 0 ? [] : yield* found.page({ total, bodies: choice.bodies }, { offset: 0, limit: mostRead })
      })

      /** What comes closest in one meeting; a removed transcript has nothing. */
      const closestIn = Effect.fn("QuoteChecks.closestIn")(function* (id: MeetingId, text: string, speaker?: string) {
        const transcript = Option.getOrUndefined(yield* Effect.option(transcripts.timed(id)))
        if (transcript === undefined) return []
        const asked = namesIn(speaker ?? "")
        const { segments } = transcript
        const isAsked = segments.map(({ speaker: name = "" }) => {
          const names = new Set(namesIn(name))
          return asked.every((one) => names.has(one))
        })
        const words = spokenWords(segments).filter(({ segment }) => isAsked[segment])
        const names = new Set(segments.flatMap(({ speaker: name = "" }) => namesIn(name)))
        const said = quoteWords(
          words.map((word) => word.text),
          names
        )
        const alignment = closest(quoteWords(text.match(/\S+/gu) ?? [], names), said)
        const [first, last] = [words[alignment?.first.at ?? -1], words[alignment?.last.at ?? -1]]
        if (alignment === undefined || first === undefined || last === undefined) return []
        const found: Closest = {
          ...alignment,
          id,
          start: roundSeconds(first.start),
          end: roundSeconds(Math.max(first.start, last.end)),
          speaker: segments[first.segment]?.speaker
        }
        return [found]
      })

      /** By the phrase first; without it, by most of the rarest words, and then by a few of them. */
      const search = Effect.fnUntraced(function* (
        finder: Finder,
        { text, speaker }: QuoteCheckRequest,
        query: BrowseQuery
      ) {
        const words = wordsToFind(text)
        const counts = Option.getOrUndefined(yield* finder.count(words.map((word) => triplesOf([word])))) ?? []
        const rarest = words
          .map((word, at) => ({ word, count: counts[at] ?? 1 }))
          .filter(({ count }) => count > 0)
          .toSorted((a, b) => a.count - b.count)
          .map(({ word }) => word)
        const seen = new Set<string>()
        const found: Array<Closest> = []
        for (const step of [phrasesOf(text), allButOne(rarest), triplesOf(rarest)]) {
          if (step.either.length === 0) continue
          const scopes = speaker === undefined ? [] : [{ name: "speaker", text: speaker, negated: false } as const]
          const scoped = { either: step.either.map((one) => ({ ...one, scopes })) }
          for (const id of yield* likeliest(finder, scoped, query)) {
            if (seen.has(id)) continue
            seen.add(id)
            found.push(...(yield* closestIn(MeetingId.make(id), text, speaker)))
            yield* Effect.yieldNow
          }
          if (found.some(({ likeness }) => likeness === "exact" || likeness === "nearly")) break
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

/** The words of a speaker's name; a voice that nothing names has none. */
const namesIn = (name: string): ReadonlyArray<string> =>
  /^speaker \d+$/iu.test(name)
    ? []
    : name
        .split(/\s+/u)
        .map(keyOf)
        .filter((key) => key !== "")

const forReaders = ({ speaker, similarity, words }: Closest) => ({
  ...given("speaker", speaker),
  similarity: Math.round(similarity * 100) / 100,
  words: words.map(({ quoted, said, how }) => ({
    ...given("quoted", quoted?.text),
    ...given("said", said?.text),
    how
  }))
})
