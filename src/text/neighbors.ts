/**
 * Which words of a record are said in the same company. A word is described by the words of its windows, each by how
 * much oftener the two meet than chance would have it (positive pointwise mutual information), and two words are alike
 * by the cosine of what describes them. Turney and Pantel, "From frequency to meaning" (2010), sections 4.3 and 4.4.
 */

/** Words that meet less often say nothing of each other. */
const leastTogether = 3

/** Words that meet less often than this describe each other in part. */
const fullTogether = 10

/** How much oftener than by chance two words must meet, as a natural logarithm. */
const leastInformation = 1

/** The most words that describe one. */
const mostContexts = 100

/** A word that another is like, from 0 (in nothing) to 1. */
export interface Neighbor {
  readonly term: number
  readonly likeness: number
}

/** Lists of numbers one after the other; the list `at` reaches from `ends[at - 1]` to `ends[at]`. */
export interface Lists {
  readonly items: Int32Array
  readonly ends: Int32Array
}

export const listsOf = (all: ReadonlyArray<ReadonlyArray<number>>): Lists => {
  const ends = new Int32Array(all.length)
  for (const [at, { length }] of all.entries()) ends[at] = (ends[at - 1] ?? 0) + length
  return { items: Int32Array.from(all.flat()), ends }
}

export const listOf = ({ items, ends }: Lists, at: number) => items.subarray(ends[at - 1] ?? 0, ends[at])

/** For each term the windows that have it. */
const windowsWith = (windows: Lists, terms: number): Lists => {
  const ends = new Int32Array(terms)
  for (const term of windows.items) ends[term] = (ends[term] ?? 0) + 1
  for (let term = 1; term < terms; term++) ends[term] = (ends[term] ?? 0) + (ends[term - 1] ?? 0)
  const items = new Int32Array(windows.items.length)
  const next = Int32Array.from(ends, (_, term) => ends[term - 1] ?? 0)
  for (let at = 0; at < windows.ends.length; at++)
    for (const term of listOf(windows, at)) {
      const place = next[term] ?? 0
      items[place] = at
      next[term] = place + 1
    }
  return { items, ends }
}

/** What describes each term, with weights of length 1; after each term it lets others go on. */
function* described(windows: Lists, terms: number) {
  const where = windowsWith(windows, terms)
  const count = windows.ends.length
  const together = new Int32Array(terms)
  const all: Array<ReadonlyArray<Neighbor>> = []
  for (let term = 0; term < terms; term++) {
    const own = listOf(where, term)
    const met: Array<number> = []
    for (const at of own)
      for (const other of listOf(windows, at)) {
        if (together[other] === 0) met.push(other)
        together[other] = (together[other] ?? 0) + 1
      }
    const contexts: Array<Neighbor> = []
    for (const other of met) {
      const times = together[other] ?? 0
      together[other] = 0
      if (other === term || times < leastTogether) continue
      const information = Math.log((times * count) / (own.length * listOf(where, other).length))
      if (information < leastInformation) continue
      contexts.push({ term: other, likeness: information * Math.min(1, times / fullTogether) })
    }
    const kept = contexts.toSorted((a, b) => b.likeness - a.likeness || a.term - b.term).slice(0, mostContexts)
    const length = Math.hypot(...kept.map(({ likeness }) => likeness))
    all.push(kept.map((context) => ({ ...context, likeness: context.likeness / length })))
    yield
  }
  return all
}

/**
 * The terms that each term is most like, the likest first, of at least this likeness. A window is the numbers of its
 * terms, from 0 to `terms - 1`, each once. It yields after each piece of work, so that other work can go on.
 */
export function* neighborsOf(
  windows: Lists,
  terms: number,
  { most, least }: { readonly most: number; readonly least: number }
): Generator<void, ReadonlyArray<ReadonlyArray<Neighbor>>> {
  const contexts = yield* described(windows, terms)
  const describes: Array<Array<Neighbor>> = Array.from({ length: terms }, () => [])
  for (const [term, list] of contexts.entries())
    for (const context of list) describes[context.term]?.push({ term, likeness: context.likeness })
  const likeness = new Float64Array(terms)
  const neighbors: Array<ReadonlyArray<Neighbor>> = []
  for (const [term, list] of contexts.entries()) {
    likeness.fill(0)
    for (const context of list)
      for (const other of describes[context.term] ?? [])
        likeness[other.term] = (likeness[other.term] ?? 0) + context.likeness * other.likeness
    const near: Array<Neighbor> = []
    for (const [other, value] of likeness.entries())
      if (other !== term && value >= least) near.push({ term: other, likeness: value })
    neighbors.push(near.toSorted((a, b) => b.likeness - a.likeness || a.term - b.term).slice(0, most))
    yield
  }
  return neighbors
}
