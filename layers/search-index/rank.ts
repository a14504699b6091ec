import { listOf, sizeOf } from "./document-set.ts"
import { nearness } from "./near.ts"
import { compareAge, type Hits, type Part } from "./part.ts"
import { addImpact } from "./postings.ts"
import type { Segment } from "./segment.ts"
import type { Conjunction, IndexQuery, Phrase } from "./types.ts"
import { walkNewest } from "./walk.ts"

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

interface Scored {
  readonly segment: Segment
  readonly document: number
  readonly score: number
}

/** Better first; among equals the newest. */
const compareScores = (a: Scored, b: Scored): number =>
  b.score - a.score || compareAge(b.segment, b.document, a.segment, a.document)

/** The best so many of what is offered to it, in order. */
class Best {
  readonly entries: Array<Scored> = []
  /** What scores less does not enter. */
  floor = Number.NEGATIVE_INFINITY
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  offer(segment: Segment, document: number, score: number) {
    if (this.entries.length === this.#size) {
      const last = this.entries[this.#size - 1]
      if (last === undefined || score < this.floor) return
      if (score === last.score && compareAge(segment, document, last.segment, last.document) < 0) return
      this.entries.pop()
    }
    const offered = { segment, document, score }
    let [low, high] = [0, this.entries.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const one = this.entries[middle]
      if (one !== undefined && compareScores(one, offered) < 0) low = middle + 1
      else high = middle
    }
    this.entries.splice(low, 0, offered)
    if (this.entries.length === this.#size) this.floor = this.entries[this.#size - 1]?.score ?? this.floor
  }
}

/** The distinct wanted lexemes of a conjunction, as they first stand in the query. */
const wantedOf = ({ lexemes = [], phrases = [], layout }: Conjunction): Phrase => {
  const words =
    layout ?? [...lexemes.map((lexeme) => ({ lexeme })), ...phrases.flat()].map(({ lexeme }, at) => ({ lexeme, at }))
  return [...new Map(words.toReversed().map((word) => [word.lexeme, word])).values()]
}

type Keep = (segment: Segment, document: number) => boolean

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
  page(offset: number, limit: number, keep: Keep): ReadonlyArray<Scored> {
    const scores = this.#scores()
    const pool = this.#best(scores, poolSize, keep)
    const top = this.#again(pool).slice(offset, offset + limit)
    const [from, to] = [Math.max(offset, poolSize), offset + limit]
    return to <= poolSize || pool.length < poolSize ? top : [...top, ...this.#deep(scores, from, to, keep)]
  }

  /** The best so many of each of these bodies. */
  groups(bodies: ReadonlyArray<number>, perGroup: number, keep: Keep): ReadonlyMap<number, ReadonlyArray<Scored>> {
    const scores = this.#scores()
    const size = Math.max(perGroup, Math.ceil(poolSize / Math.max(1, bodies.length)))
    const best = new Map(bodies.map((body) => [body, new Best(size)]))
    this.#each(scores, (segment, document, score) => {
      const ofBody = best.get(segment.bodies[document] ?? 0)
      if (ofBody !== undefined && score >= ofBody.floor && keep(segment, document)) {
        ofBody.offer(segment, document, score)
      }
    })
    const again = this.#again([...best.values()].flatMap(({ entries }) => entries))
    const byBody = Map.groupBy(again, ({ segment, document }) => segment.bodies[document] ?? 0)
    return new Map([...byBody].map(([body, entries]) => [body, entries.slice(0, perGroup)]))
  }

  /** By part, the score of each document by impact. */
  #scores(): ReadonlyArray<Float32Array> {
    return this.#hits.map(({ segment, set }) => {
      const scores = segment.clearedScores()
      for (const [lexeme, idf] of this.#idf) {
        const term = segment.term(lexeme)
        if (term >= 0) addImpact(segment, term, set, idf / 255, scores)
      }
      return scores
    })
  }

  #each(scores: ReadonlyArray<Float32Array>, visit: (segment: Segment, document: number, score: number) => void) {
    for (const [i, { segment, set }] of this.#hits.entries()) {
      const scoresOfPart = scores[i]
      const documents = listOf(set)
      // Newest first, so that an equal that comes later never enters.
      for (let j = documents.length - 1; j >= 0; j--) {
        const document = documents[j] ?? 0
        visit(segment, document, scoresOfPart?.[document] ?? 0)
      }
    }
  }

  #best(scores: ReadonlyArray<Float32Array>, size: number, keep: Keep): ReadonlyArray<Scored> {
    const best = new Best(size)
    this.#each(scores, (segment, document, score) => {
      if (score >= best.floor && keep(segment, document)) best.offer(segment, document, score)
    })
    return best.entries
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

  /** What follows the pool, by impact alone: the scores that stand at both ends of the page are found by sorting numbers. */
  #deep(scores: ReadonlyArray<Float32Array>, from: number, to: number, keep: Keep): ReadonlyArray<Scored> {
    const size = this.#hits.reduce((sum, { set }) => sum + sizeOf(set), 0)
    const [hitOf, documents, values] = [new Uint16Array(size), new Uint32Array(size), new Float32Array(size)]
    const hits = new Map(this.#hits.map(({ segment }, i) => [segment, i]))
    let count = 0
    walkNewest(this.#hits, (segment, document) => {
      if (!keep(segment, document)) return true
      const hit = hits.get(segment) ?? 0
      hitOf[count] = hit
      documents[count] = document
      values[count++] = scores[hit]?.[document] ?? 0
      return true
    })
    const sorted = values.slice(0, count).sort()
    const highest = sorted[count - 1 - from]
    const lowest = sorted[Math.max(0, count - to)]
    if (highest === undefined || lowest === undefined) return []
    const between: Array<Scored> = []
    let above = 0
    for (let i = 0; i < count; i++) {
      const score = values[i] ?? 0
      if (score > highest) above++
      const segment = this.#hits[hitOf[i] ?? 0]?.segment
      if (score > highest || score < lowest || segment === undefined) continue
      between.push({ segment, document: documents[i] ?? 0, score })
    }
    return between.sort((a, b) => b.score - a.score).slice(from - above, to - above)
  }
}

const idfOf = (parts: ReadonlyArray<Part>, lexeme: string): number => {
  const documents = parts.reduce((sum, { segment }) => sum + segment.documents, 0)
  const frequency = parts.reduce((sum, { segment }) => sum + segment.frequency(segment.term(lexeme)), 0)
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
}
