import { eachDown } from "../format/document-set.ts"
import type { Hits, Part } from "../format/part.ts"
import type { Segment } from "../format/segment.ts"
import type { IndexQuery, Phrase } from "../types.ts"
import { bestOf, type Weight, weighed } from "./champion-lists.ts"
import { scoreAt } from "./impacts.ts"
import { nearness } from "./proximity.ts"
import { Best, compareScores, merged, type Scored } from "./top-k.ts"
import { wantedOf } from "./wanted.ts"

/** How many of the best by BM25F are looked at again. */
export const poolSize = 500

/** What near places add at most, as a part of the sum of idf. */
const nearShare = 0.5
/** So many places add half of that. */
const halfNear = 2
/** What the place that is most alike to the query adds at most, as a part of the sum of idf. */
const alikeShare = 1.5
/** What recency adds at most, as a part of the sum of idf. A tenth would push what is right below what is recent. */
const recentShare = 0.02
/** So many days halve it: four years. */
const halfRecent = 1461

/**
 * Ranks the documents that fit a query by
 *
 *     sum over its lexemes of idf impact / 255                    BM25F (impact.ts)
 *     + 0.5 (sum of idf) n / (n + 2)                              n: places where all words stand near each other
 *     + 1.5 (sum of idf) a                                        a: how alike the best of these is to the query (near.ts)
 *     + 0.02 (sum of idf) 2^(-age / 4 years)                      age: days before the newest document
 *
 * with idf = ln(1 + (N - df + 0.5) / (df + 0.5)), N and df summed over all parts, so that the scores of parts compare.
 * The last three terms are for the best 500 by the first alone; the rest follow these in the order of the first. In a query
 * with `or`, n and a are those of the conjunction for which they add the most.
 */
export class Ranking {
  readonly #parts: ReadonlyArray<Part>
  readonly #hits: ReadonlyArray<Hits>
  /** The distinct wanted lexemes of each conjunction, as they stand in the query. */
  readonly #wanted: ReadonlyArray<Phrase>
  readonly #idf: ReadonlyMap<string, number>

  constructor(parts: ReadonlyArray<Part>, hits: ReadonlyArray<Hits>, query: IndexQuery) {
    this.#parts = parts
    this.#hits = hits
    this.#wanted = query.either.map(wantedOf)
    this.#idf = new Map(this.#wanted.flat().map(({ lexeme }) => [lexeme, idfOf(parts, lexeme)]))
  }

  /** The page from `offset` on. */
  page(offset: number, limit: number): ReadonlyArray<Scored> {
    const end = offset + limit
    const best = this.#best(Math.max(end, poolSize))
    const pool = offset < poolSize ? this.#again(merged(best, 0, poolSize)).slice(offset, end) : []
    // What follows the pool stays in the order of impact.
    return end <= poolSize ? pool : [...pool, ...merged(best, Math.max(offset, poolSize), end)]
  }

  /** The best so many of each of the bodies that are found, `most` bodies at most. */
  groups(perGroup: number, most: number): ReadonlyMap<number, ReadonlyArray<Scored>> {
    const size = Math.max(perGroup, Math.ceil(poolSize / Math.max(1, most)))
    const best = new Map<number, Array<ReadonlyArray<Scored>>>()
    for (const hits of this.#hits) {
      const terms = weighed(hits, this.#termsOf(hits.segment))
      const ofHits = new Map<number, Best>()
      eachDown(hits.set, hits.size, (document, place) => {
        const body = hits.segment.bodies[document] ?? 0
        const known = ofHits.get(body)
        const ofBody = known ?? new Best(size)
        if (known === undefined) ofHits.set(body, ofBody)
        ofBody.offer(document, scoreAt(terms, place))
      })
      for (const [body, ofBody] of ofHits) {
        best.set(body, [...(best.get(body) ?? []), ofBody.drain(hits.segment, (documents) => documents)])
      }
    }
    const again = this.#again([...best.values()].flatMap((parts) => merged(parts, 0, size)))
    const byBody = Map.groupBy(again, ({ segment, document }) => segment.bodies[document] ?? 0)
    return new Map([...byBody].map(([body, entries]) => [body, entries.slice(0, perGroup)]))
  }

  /** The wanted lexemes that a segment has. */
  #termsOf(segment: Segment): ReadonlyArray<Weight> {
    return [...this.#idf].flatMap(([lexeme, idf]) => {
      const term = segment.term(lexeme)
      return term < 0 ? [] : [{ term, weight: idf / 255 }]
    })
  }

  /** By part, the best so many by impact. */
  #best(size: number): ReadonlyArray<ReadonlyArray<Scored>> {
    return this.#hits.map((hits) => bestOf(hits, this.#termsOf(hits.segment), size))
  }

  /** The same documents in the order of the whole formula. */
  #again(pool: ReadonlyArray<Scored>): ReadonlyArray<Scored> {
    const most = this.#idf.values().reduce((sum, idf) => sum + idf, 0)
    const newest = Math.max(...this.#parts.map(({ segment }) => segment.days.at(-1) ?? Number.NEGATIVE_INFINITY))
    const near = this.#nearness(pool)
    return pool
      .map((one) => {
        const age = newest - (one.segment.days[one.document] ?? 0)
        const recent = recentShare * most * 2 ** (-age / halfRecent)
        return { ...one, score: one.score + (near.get(one) ?? 0) + recent }
      })
      .toSorted(compareScores)
  }

  #nearness(pool: ReadonlyArray<Scored>): ReadonlyMap<Scored, number> {
    const bonuses = new Map<Scored, number>()
    for (const layout of this.#wanted.filter(({ length }) => length > 1)) {
      const most = layout.reduce((sum, { lexeme }) => sum + (this.#idf.get(lexeme) ?? 0), 0)
      for (const [segment, entries] of Map.groupBy(pool, (one) => one.segment)) {
        const places = nearness(segment, layout, Uint32Array.from(entries, ({ document }) => document).sort())
        for (const one of entries) {
          const near = places.get(one.document)
          if (near === undefined) continue
          const bonus = most * ((nearShare * near.places) / (near.places + halfNear) + alikeShare * near.alike)
          bonuses.set(one, Math.max(bonuses.get(one) ?? 0, bonus))
        }
      }
    }
    return bonuses
  }
}

const idfOf = (parts: ReadonlyArray<Part>, lexeme: string): number => {
  const documents = parts.reduce((sum, { segment }) => sum + segment.documents, 0)
  const frequency = parts.reduce((sum, { segment }) => sum + segment.frequency(segment.term(lexeme)), 0)
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
}
