import { LRUCache } from "lru-cache"
import { type DocumentSet, intersect, select, union } from "../format/document-set.ts"
import { Hits } from "../format/part.ts"
import type { Segment } from "../format/segment.ts"
import { gatherImpacts, type WeightedImpacts } from "./impacts.ts"
import { type ScoredDocument, TopK } from "./top-k.ts"

/** A term of a segment, with the factor from impact to score. */
export interface WeightedTerm {
  readonly term: number
  readonly weight: number
}

/** The documents in which a term has its greatest impacts (its champions), and its greatest impact in any other. */
export interface ChampionList {
  readonly documents: DocumentSet
  readonly maxOtherImpact: number
}

/** The champions of a dense term are at most this share of its documents. */
const championShare = 1 / 8

/** The size of each segment's cache of champion lists; at a million meetings, it holds 130 of them. */
const cacheBytes = 16 << 20
const caches = new WeakMap<Segment, LRUCache<number, ChampionList>>()

/** With fewer hits than this many times k, scoring all of them costs no more than pruning. */
const pruningFactor = 16

/** The least impact exceeded by at most the share of the postings. */
const impactCutoff = (impacts: Uint8Array): number => {
  const counts = new Uint32Array(256)
  for (let posting = 0; posting < impacts.length; posting++) {
    const impact = impacts[posting] ?? 0
    counts[impact] = (counts[impact] ?? 0) + 1
  }
  let cutoff = counts.length - 1
  for (let above = counts[cutoff] ?? 0; above <= impacts.length * championShare; above += counts[cutoff] ?? 0) cutoff--
  return cutoff
}

const buildChampionList = (segment: Segment, term: number): ChampionList => {
  const [postings, impacts] = [segment.bitsOf(term), segment.piece("impact", term)]
  const cutoff = impactCutoff(impacts)
  const bits = new Uint32Array(postings.length)
  for (let at = 0, posting = 0; at < postings.length; at++) {
    let champions = 0
    for (let word = (postings[at] ?? 0) | 0; word !== 0; word &= word - 1) {
      if ((impacts[posting++] ?? 0) > cutoff) champions |= word & (0 - word)
    }
    bits[at] = champions
  }
  return { documents: { bits }, maxOtherImpact: cutoff }
}

/** A dense term's list is cached, because a segment is immutable. Any other term's has all of its documents. */
export const championList = (segment: Segment, term: number): ChampionList => {
  if (!segment.isDense(term)) return { documents: segment.setOf(term), maxOtherImpact: 0 }
  const cache = caches.get(segment) ?? new LRUCache<number, ChampionList>({ maxSize: cacheBytes })
  caches.set(segment, cache)
  const cached = cache.get(term)
  if (cached !== undefined) return cached
  const built = buildChampionList(segment, term)
  cache.set(term, built, { size: Math.ceil(segment.documents / 8) })
  return built
}

/** The impacts of some terms in each of the hits. */
export const weightedImpacts = (
  { segment, set, size }: Hits,
  terms: ReadonlyArray<WeightedTerm>
): ReadonlyArray<WeightedImpacts> =>
  terms.map(({ term, weight }) => ({ weight, impacts: gatherImpacts(segment, term, set, size) }))

/** Scores all hits. `drain` returns the best k; no document that scores `threshold` or less is among them. */
const scoreAll = (hits: Hits, terms: ReadonlyArray<WeightedTerm>, k: number) => {
  const { segment, set, size } = hits
  const top = new TopK(k)
  top.offerAll(weightedImpacts(hits, terms), size)
  return { threshold: top.threshold, drain: () => top.drain(segment, (ordinals) => select(set, ordinals)) }
}

/**
 * The best k of a part's hits by the sum of their weighted impacts, or all if they are fewer, best first. Where there
 * are many hits, the champions of all terms are scored first. Any other document scores no more than the sum of the
 * terms' greatest impacts outside their champion lists: if the threshold is above that bound, no other document is
 * among the best (MaxScore: Turtle and Flood, "Query evaluation: strategies and optimizations", 1995).
 */
export const topByImpact = (
  hits: Hits,
  terms: ReadonlyArray<WeightedTerm>,
  k: number
): ReadonlyArray<ScoredDocument> => {
  const { segment, set, size } = hits
  if (terms.length > 0 && size > pruningFactor * k) {
    const lists = terms.map(({ term, weight }) => ({ ...championList(segment, term), weight }))
    const bound = lists.reduce((sum, { maxOtherImpact, weight }) => sum + weight * maxOtherImpact, 0)
    const champions = lists.map(({ documents }) => documents).reduce((a, b) => union(a, b, segment.documents))
    const { threshold, drain } = scoreAll(new Hits(segment, intersect(set, champions)), terms, k)
    if (threshold > bound) return drain()
  }
  return scoreAll(hits, terms, Math.min(k, size)).drain()
}
