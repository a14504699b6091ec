import { forEachDescending } from "../format/document-set.ts"
import type { Hits, Part } from "../format/part.ts"
import type { Segment } from "../format/segment.ts"
import type { Conjunction, IndexQuery, Phrase } from "../types.ts"
import { topByImpact, type WeightedTerm, weightedImpacts } from "./champion-lists.ts"
import { idfOf } from "./idf.ts"
import { scoreAt } from "./impacts.ts"
import { proximity } from "./proximity.ts"
import { compareScores, mergeRanked, type ScoredDocument, TopK } from "./top-k.ts"

/** The number of documents with the best BM25F scores that are rescored. */
const rescoreWindow = 500
/** The same for a query of many terms, which are likely a sentence: where it was said, its words need not be many. */
const wideWindow = 2000
const manyTerms = 4

/** The maximum for co-occurrences, as a share of the sum of idf. */
const proximityShare = 0.5
/** This many co-occurrences add half of that. */
const halfCoOccurrences = 2
/** The maximum for similarity to the query, as a share of the sum of idf. */
const similarityShare = 1.5
/** The maximum for recency, as a share of the sum of idf. At a tenth, recent meetings would outrank relevant ones. */
const recencyShare = 0.02
/** The half-life of recency: four years, in days. */
const recencyHalfLife = 1461

/** The distinct query terms of a conjunction, at their first positions in the query. */
export const queryTerms = ({ lexemes = [], phrases = [], layout }: Conjunction): Phrase => {
  const words =
    layout ?? [...lexemes.map((lexeme) => ({ lexeme })), ...phrases.flat()].map(({ lexeme }, at) => ({ lexeme, at }))
  return [...new Map(words.toReversed().map((word) => [word.lexeme, word])).values()]
}

/**
 * Ranks the documents that match a query by
 *
 *     sum over its terms of idf impact / 255                      BM25F (format/impact.ts), helpful ones included
 *     + 0.5 (sum of idf) n / (n + 2)                              n: co-occurrences of all terms (proximity.ts)
 *     + 1.5 (sum of idf) s                                        s: similarity of the best of these to the query
 *     + 0.02 (sum of idf) 2^(-age / 4 years)                      age: days before the newest document
 *
 * with idf = ln(1 + (N - df + 0.5) / (df + 0.5)), N and df summed over all parts, so that the scores of parts compare.
 * The last three summands are for the best 500 by the first alone (2,000 from four terms on); the rest follow in the
 * order of the first. In a
 * query with `or`, n and s are those of the conjunction for which they add the most.
 */
export class Ranker {
  readonly #parts: ReadonlyArray<Part>
  readonly #hits: ReadonlyArray<Hits>
  /** The query terms of each conjunction. */
  readonly #layouts: ReadonlyArray<Phrase>
  readonly #idf: ReadonlyMap<string, number>
  /** The same of the lexemes that need not be held. */
  readonly #helpful: ReadonlyMap<string, number>
  readonly #window: number

  constructor(parts: ReadonlyArray<Part>, hits: ReadonlyArray<Hits>, query: IndexQuery) {
    this.#parts = parts
    this.#hits = hits
    this.#layouts = query.either.map(queryTerms)
    this.#idf = new Map(this.#layouts.flat().map(({ lexeme }) => [lexeme, idfOf(parts, lexeme)]))
    const helpful = query.either.flatMap((one) => one.helpful ?? []).filter((lexeme) => !this.#idf.has(lexeme))
    this.#helpful = new Map(helpful.map((lexeme) => [lexeme, idfOf(parts, lexeme)]))
    this.#window = this.#layouts.every(({ length }) => length >= manyTerms) ? wideWindow : rescoreWindow
  }

  /** The page that starts at `offset`. */
  page(offset: number, limit: number): ReadonlyArray<ScoredDocument> {
    const end = offset + limit
    const top = this.#topByImpact(Math.max(end, this.#window))
    const rescored = offset < this.#window ? this.#rescored(mergeRanked(top, 0, this.#window)).slice(offset, end) : []
    // Beyond the window, documents are in order of impact.
    return end <= this.#window ? rescored : [...rescored, ...mergeRanked(top, Math.max(offset, this.#window), end)]
  }

  /** The best `perGroup` hits of each body; there are at most `bodies` bodies. */
  groups(perGroup: number, bodies: number): ReadonlyMap<number, ReadonlyArray<ScoredDocument>> {
    const k = Math.max(perGroup, Math.ceil(rescoreWindow / Math.max(1, bodies)))
    const rankings = new Map<number, Array<ReadonlyArray<ScoredDocument>>>()
    for (const hits of this.#hits) {
      const terms = weightedImpacts(hits, this.#termsOf(hits.segment))
      const tops = new Map<number, TopK>()
      forEachDescending(hits.set, hits.size, (document, ordinal) => {
        const body = hits.segment.bodies[document] ?? 0
        const known = tops.get(body)
        const top = known ?? new TopK(k)
        if (known === undefined) tops.set(body, top)
        top.offer(document, scoreAt(terms, ordinal))
      })
      for (const [body, top] of tops) {
        rankings.set(body, [...(rankings.get(body) ?? []), top.drain(hits.segment, (documents) => documents)])
      }
    }
    const rescored = this.#rescored([...rankings.values()].flatMap((ofParts) => mergeRanked(ofParts, 0, k)))
    const byBody = Map.groupBy(rescored, ({ segment, document }) => segment.bodies[document] ?? 0)
    return new Map([...byBody].map(([body, entries]) => [body, entries.slice(0, perGroup)]))
  }

  /** The query terms that a segment has. */
  #termsOf(segment: Segment): ReadonlyArray<WeightedTerm> {
    return [...this.#idf, ...this.#helpful].flatMap(([lexeme, idf]) => {
      const term = segment.term(lexeme)
      return term < 0 ? [] : [{ term, weight: idf / 255 }]
    })
  }

  /** The best k of each part. */
  #topByImpact(k: number): ReadonlyArray<ReadonlyArray<ScoredDocument>> {
    return this.#hits.map((hits) => topByImpact(hits, this.#termsOf(hits.segment), k))
  }

  /** The same documents, ranked by the full formula. */
  #rescored(documents: ReadonlyArray<ScoredDocument>): ReadonlyArray<ScoredDocument> {
    const sumOfIdf = this.#idf.values().reduce((sum, idf) => sum + idf, 0)
    const newest = Math.max(...this.#parts.map(({ segment }) => segment.days.at(-1) ?? Number.NEGATIVE_INFINITY))
    const bonuses = this.#proximityBonuses(documents)
    return documents
      .map((one) => {
        const age = newest - (one.segment.days[one.document] ?? 0)
        const recency = recencyShare * sumOfIdf * 2 ** (-age / recencyHalfLife)
        return { ...one, score: one.score + (bonuses.get(one) ?? 0) + recency }
      })
      .toSorted(compareScores)
  }

  #proximityBonuses(documents: ReadonlyArray<ScoredDocument>): ReadonlyMap<ScoredDocument, number> {
    const bonuses = new Map<ScoredDocument, number>()
    for (const layout of this.#layouts.filter(({ length }) => length > 1)) {
      const sumOfIdf = layout.reduce((sum, { lexeme }) => sum + (this.#idf.get(lexeme) ?? 0), 0)
      for (const [segment, entries] of Map.groupBy(documents, (one) => one.segment)) {
        const byDocument = proximity(segment, layout, Uint32Array.from(entries, ({ document }) => document).sort())
        for (const one of entries) {
          const found = byDocument.get(one.document)
          if (found === undefined) continue
          const { coOccurrences, similarity } = found
          const share = (proximityShare * coOccurrences) / (coOccurrences + halfCoOccurrences)
          const bonus = sumOfIdf * (share + similarityShare * similarity)
          bonuses.set(one, Math.max(bonuses.get(one) ?? 0, bonus))
        }
      }
    }
    return bonuses
  }
}
