import { exclude, isAlike } from "./alike.ts"
import { type QuoteWord, small } from "./quote-words.ts"

/** A word of a quote beside what was said in its place. */
interface AlignedWord {
  readonly quoted?: QuoteWord | undefined
  readonly said?: QuoteWord | undefined
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
}

/** One word of several, such as `side walk`. */
const asOne = (parts: ReadonlyArray<QuoteWord | undefined>): QuoteWord | undefined => {
  const words = parts.filter((word) => word !== undefined)
  const [first] = words
  if (first === undefined || words.length <= 1) return first
  const matters = words.some((word) => word.matters)
  return { ...first, key: words.map(({ key }) => key).join(""), text: words.map(({ text }) => text).join(" "), matters }
}

/** How many words of the quote stand beside how many words said, by step. */
const steps = [
  [1, 1],
  [2, 1],
  [1, 2],
  [0, 1],
  [1, 0]
] as const

/** Words left out cost a little more, so that one that was said before the quote is not taken for one of it. */
const costs = { similar: 0.9, other: 1.1, leftOut: 1.05, added: 1 }

/** What is misheard mostly begins alike. */
const costOf = (a: string, b: string): number => (a === b ? 0 : a[0] === b[0] ? costs.similar : costs.other)

/** Whether two words, of which the first may be none, are written as one. */
const isOne = (first: string | undefined, second: string, whole: string): boolean =>
  first !== undefined && first.length + second.length === whole.length && first + second === whole

/** The cheapest alignment of a quote with a stretch of what was said, of which both ends may stay over. */
const aligned = (quote: ReadonlyArray<QuoteWord>, said: ReadonlyArray<QuoteWord>): ReadonlyArray<AlignedWord> => {
  const width = said.length + 1
  const sums = new Float64Array((quote.length + 1) * width)
  const taken = new Uint8Array(sums.length).fill(3)
  const [quoted, heard] = [quote, said].map((words) => words.map(({ key }) => key)) as [Array<string>, Array<string>]
  const sumAt = (i: number, j: number): number => sums[i * width + j] ?? 0
  for (const [i, a] of quoted.entries()) {
    const row = (i + 1) * width
    sums[row] = (i + 1) * costs.leftOut
    taken[row] = 4
    for (const [j, b] of heard.entries()) {
      let [least, step] = [sumAt(i, j) + costOf(a, b), 0]
      const take = (sum: number, other: number) => {
        if (sum < least) [least, step] = [sum, other]
      }
      if (isOne(quoted[i - 1], a, b)) take(sumAt(i - 1, j), 1)
      if (isOne(heard[j - 1], b, a)) take(sumAt(i, j - 1), 2)
      take(sumAt(i + 1, j) + costs.added, 3)
      take(sumAt(i, j + 1) + costs.leftOut, 4)
      sums[row + j + 1] = least
      taken[row + j + 1] = step
    }
  }
  const lastRow = sums.subarray(quote.length * width)
  let [i, j] = [quote.length, lastRow.indexOf(Math.min(...lastRow))]
  const words: Array<AlignedWord> = []
  while (i > 0) {
    const [ofQuote, ofSaid] = steps[taken[i * width + j] ?? 0] ?? [1, 0]
    const [mine, theirs] = [asOne(quote.slice(i - ofQuote, i)), asOne(said.slice(j - ofSaid, j))]
    if (mine !== undefined && theirs !== undefined) {
      words.push({ quoted: mine, said: theirs, how: mine.key === theirs.key ? "same" : "changed" })
    } else if (mine !== undefined) words.push({ quoted: mine, how: "left_out" })
    else if (theirs !== undefined) words.push({ said: theirs, how: "added" })
    i -= ofQuote
    j -= ofSaid
  }
  return words.toReversed()
}

const doesMatter = ({ quoted, said, how }: AlignedWord): boolean =>
  how !== "same" && (quoted?.matters === true || said?.matters === true)

/** Whether one of the words of the quote that differ excludes one that was said instead, next to it or not. */
const isTurned = (words: ReadonlyArray<AlignedWord>): boolean => {
  const others = words.filter(({ how }) => how !== "same")
  return others.some(({ quoted }) =>
    others.some(({ said }) => quoted !== undefined && said !== undefined && exclude(quoted.key, said.key))
  )
}

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

/** Words that are said in every meeting, with those that say little. */
const common = new Set([
  ...small,
  ..."about all am any because come could get go going good got how if know let like look lot make may me".split(" "),
  ..."more much my need not now okay one other out over people please right said say see should some take".split(" "),
  ..."thank thing things think time up us want way what when where which who yes yeah".split(" ")
])

/** The share of the words of a quote that are the same, of those that are not said in every meeting. */
const substance = (words: ReadonlyArray<AlignedWord>): number => {
  const telling = words.filter(({ quoted }) => quoted !== undefined && !common.has(quoted.key))
  return telling.length === 0 ? 1 : telling.filter(({ how }) => how === "same").length / telling.length
}

/** The least similarity of a quote that is nearly what was said, and of one of which parts were said. */
const leastNearly = 0.75
const leastParts = 0.5
/** The fewest words in a row that make a part. */
const leastRun = 3

const likenessOf = (words: ReadonlyArray<AlignedWord>, similarity: number): Likeness => {
  if (words.every(({ how }) => how === "same")) return "exact"
  if (similarity >= leastNearly && words.every((word) => !doesMatter(word) && isSlight(word)) && !isTurned(words)) {
    return "nearly"
  }
  return Math.min(similarity, substance(words)) >= leastParts && longestRun(words) >= leastRun ? "parts" : "different"
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

const together = (one: QuoteWord | undefined, next: QuoteWord | undefined): QuoteWord | undefined =>
  one?.at === next?.at ? one : asOne([one, next])

/** Words that are one as written, such as `don't`, become one again. */
const asWritten = (words: ReadonlyArray<AlignedWord>): ReadonlyArray<AlignedWord> => {
  const written: Array<AlignedWord> = []
  for (const word of words) {
    const last = written.at(-1)
    const isOne = (side: "quoted" | "said") => word[side] !== undefined && word[side].at === last?.[side]?.at
    if (last === undefined || !(isOne("quoted") || isOne("said"))) written.push(word)
    else {
      const [quoted, said] = [together(last.quoted, word.quoted), together(last.said, word.said)]
      const how = last.how === word.how ? word.how : "changed"
      written[written.length - 1] = { quoted, said, how }
    }
  }
  return written
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

/** The share of a quote's words that are somewhere in a stretch: no alignment has more. */
const shared = (quote: ReadonlyArray<QuoteWord>, stretch: ReadonlyArray<QuoteWord>): number => {
  const keys = new Set(stretch.map(({ key }) => key))
  return quote.filter(({ key }) => keys.has(key)).length / quote.length
}

/** Where a quote was said, or what comes closest to it; undefined if less than half of it was said. */
export const closest = (quote: ReadonlyArray<QuoteWord>, said: ReadonlyArray<QuoteWord>): Alignment | undefined => {
  const length = Math.ceil(quote.length * 1.3) + 4
  const exact = verbatim(quote, said)
  const stretches =
    exact.length > 0
      ? exact.map((start) => said.slice(start, start + quote.length))
      : likelyStretches(quote, said, length)
          .map((start) => said.slice(Math.max(0, start - length), start + 2 * length))
          .filter((stretch) => shared(quote, stretch) >= leastParts)
  return stretches
    .flatMap((stretch) => {
      const words = aligned(quote, stretch)
      const heard = words.flatMap(({ said }) => said ?? [])
      const [first, last] = [heard[0], heard.at(-1)]
      if (first === undefined || last === undefined) return []
      const similarity = words.filter(({ how }) => how === "same").length / words.length
      return [{ first, last, words: asWritten(words), similarity, likeness: likenessOf(words, similarity) }]
    })
    .toSorted(byLikeness)[0]
}
