import type { QuoteWord } from "./quote-words.ts"

/** A word of a quote beside what was said in its place. */
interface AlignedWord {
  readonly quoted?: QuoteWord
  readonly said?: QuoteWord
  readonly how: "same" | "changed" | "left_out" | "added"
}

/**
 * `exact`: word for word, fillers aside. `nearly`: words that sound alike or say little differ, and nothing that
 * matters. `parts`: some of it was said in a row, or a number, a name or a negation differs. `different`: less.
 */
type Likeness = "exact" | "nearly" | "parts" | "different"

export interface Alignment {
  /** The first and the last word said, among those given. */
  readonly first: QuoteWord
  readonly last: QuoteWord
  readonly words: ReadonlyArray<AlignedWord>
  /** The share of words that are the same, from 0 to 1. */
  readonly similarity: number
  readonly likeness: Likeness
  /** Whether a number, a name or a negation differs. */
  readonly differsInWhatMatters: boolean
}

/** Words that say little, which may come and go. */
const small = new Set(
  "a an the and or but so of to in on at by for from with that this it its is are was were be been i we you they he she as if then well just very really also our your their there here have has had do does did will would can".split(
    " "
  )
)

/** The number of letters to change, add or leave out between two words. */
const edits = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** Whether one word can be misheard as the other. */
const isAlike = (a: string, b: string): boolean => 2 * edits(a, b) <= Math.max(a.length, b.length)

const costOfChange = (a: QuoteWord, b: QuoteWord): number => (isAlike(a.key, b.key) ? 0.9 : 1.1)

/** The cheapest alignment of a quote with a stretch of what was said, of which both ends may stay over. */
const aligned = (quote: ReadonlyArray<QuoteWord>, said: ReadonlyArray<QuoteWord>): ReadonlyArray<AlignedWord> => {
  const width = said.length + 1
  const costs = new Float64Array((quote.length + 1) * width)
  for (let i = 1; i <= quote.length; i++) costs[i * width] = i
  const stepsTo = (i: number, j: number): readonly [change: number, leftOut: number, added: number] => {
    const [a, b] = [quote[i - 1], said[j - 1]]
    const differs = a === undefined || b === undefined || a.key === b.key ? 0 : costOfChange(a, b)
    return [
      (costs[(i - 1) * width + j - 1] ?? 0) + differs,
      (costs[(i - 1) * width + j] ?? 0) + 1,
      (costs[i * width + j - 1] ?? 0) + 1
    ]
  }
  for (let i = 1; i <= quote.length; i++) {
    for (let j = 1; j <= said.length; j++) costs[i * width + j] = Math.min(...stepsTo(i, j))
  }
  const lastRow = costs.subarray(quote.length * width)
  let [i, j] = [quote.length, lastRow.indexOf(Math.min(...lastRow))]
  const words: Array<AlignedWord> = []
  while (i > 0) {
    const [quoted, heard] = [quote[i - 1], said[j - 1]]
    if (quoted === undefined) break
    const cost = costs[i * width + j] ?? 0
    const [change, leftOut] = j === 0 ? [Number.NaN, cost] : stepsTo(i, j)
    if (heard !== undefined && change === cost) {
      words.push({ quoted, said: heard, how: quoted.key === heard.key ? "same" : "changed" })
      i--
      j--
    } else if (heard === undefined || leftOut === cost) {
      words.push({ quoted, how: "left_out" })
      i--
    } else {
      words.push({ said: heard, how: "added" })
      j--
    }
  }
  return words.toReversed()
}

const doesMatter = ({ quoted, said, how }: AlignedWord): boolean =>
  how !== "same" && (quoted?.matters === true || said?.matters === true)

/** Whether a difference is one that mishearing makes. Many words left out or added are told by the similarity. */
const isSlight = ({ quoted, said, how }: AlignedWord): boolean => {
  if (how !== "changed" || quoted === undefined || said === undefined) return true
  return isAlike(quoted.key, said.key) || (small.has(quoted.key) && small.has(said.key))
}

const longestRun = (words: ReadonlyArray<AlignedWord>): number => {
  let [longest, run] = [0, 0]
  for (const { how } of words) {
    run = how === "same" ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

/** The least similarity of a quote that is nearly what was said, and of one of which parts were said. */
const leastNearly = 0.75
const leastParts = 0.5
/** The fewest words in a row that make a part. */
const leastRun = 3

const likenessOf = (words: ReadonlyArray<AlignedWord>, similarity: number): Likeness => {
  if (words.every(({ how }) => how === "same")) return "exact"
  if (similarity >= leastNearly && words.every((word) => !doesMatter(word) && isSlight(word))) return "nearly"
  return similarity >= leastParts && longestRun(words) >= leastRun ? "parts" : "different"
}

/** How many stretches of what was said are compared word for word: those that share the most words with the quote. */
const mostStretches = 3

/** Where the stretches begin that share the most with the quote, rare words counting more. */
const likelyStretches = (quote: ReadonlyArray<QuoteWord>, said: ReadonlyArray<QuoteWord>, length: number) => {
  const wanted = new Set(quote.map(({ key }) => key))
  const times = new Map<string, number>()
  for (const { key } of said) if (wanted.has(key)) times.set(key, (times.get(key) ?? 0) + 1)
  const within = new Map<string, number>()
  const worth = (key: string) => 1 / (1 + Math.log(times.get(key) ?? 1))
  const scores = new Float64Array(said.length)
  let score = 0
  for (let at = said.length - 1; at >= 0; at--) {
    const [comes, goes] = [said[at]?.key ?? "", said[at + length]?.key ?? ""]
    // A word counts once in a stretch, however often it is said there.
    if (wanted.has(comes)) {
      const before = within.get(comes) ?? 0
      within.set(comes, before + 1)
      if (before === 0) score += worth(comes)
    }
    if (wanted.has(goes)) {
      const left = (within.get(goes) ?? 1) - 1
      within.set(goes, left)
      if (left === 0) score -= worth(goes)
    }
    scores[at] = score
  }
  const starts: Array<number> = []
  for (const at of Array.from(scores.keys()).toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))) {
    if (starts.length >= mostStretches) break
    if (starts.every((start) => Math.abs(start - at) > length / 2)) starts.push(at)
  }
  return starts
}

const ranks: Readonly<Record<Likeness, number>> = { exact: 3, nearly: 2, parts: 1, different: 0 }

/** Negative if `a` is more like the quote than `b`. */
export const byLikeness = (
  a: Pick<Alignment, "likeness" | "similarity">,
  b: Pick<Alignment, "likeness" | "similarity">
): number => ranks[b.likeness] - ranks[a.likeness] || b.similarity - a.similarity

/** Where a quote begins that was said word for word, which what is said often, such as a motion, would hide. */
const verbatim = (quote: ReadonlyArray<QuoteWord>, said: ReadonlyArray<QuoteWord>): ReadonlyArray<number> => {
  const at = said.findIndex((_, from) => quote.every(({ key }, offset) => said[from + offset]?.key === key))
  return at === -1 ? [] : [at]
}

/** Where a quote was said, or what comes closest to it; undefined if none of it was said. */
export const closest = (quote: ReadonlyArray<QuoteWord>, said: ReadonlyArray<QuoteWord>): Alignment | undefined => {
  const length = Math.ceil(quote.length * 1.3) + 4
  const exact = verbatim(quote, said)
  const stretches =
    exact.length > 0
      ? exact.map((start) => said.slice(start, start + quote.length))
      : likelyStretches(quote, said, length).map((start) => said.slice(Math.max(0, start - length), start + 2 * length))
  return stretches
    .flatMap((stretch) => {
      const words = aligned(quote, stretch)
      const heard = words.flatMap(({ said }) => said ?? [])
      const [first, last] = [heard[0], heard.at(-1)]
      if (first === undefined || last === undefined) return []
      const similarity = words.filter(({ how }) => how === "same").length / words.length
      const likeness = likenessOf(words, similarity)
      return [{ first, last, words, similarity, likeness, differsInWhatMatters: words.some(doesMatter) }]
    })
    .toSorted(byLikeness)[0]
}
