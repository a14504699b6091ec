import type { Segment } from "../../../../schema/transcript.ts"
import { numbersIn } from "../../../text/language/numbers.ts"
import { keyOf, wordsOfText } from "../../../text/language/spoken-words.ts"

/** An agenda item to find in a transcript. */
export interface Item {
  readonly number?: string
  readonly title: string
}

/** A place where an item may begin, with the strength of the evidence. */
export interface Candidate {
  readonly item: number
  readonly segment: number
  readonly score: number
}

/** The share of a title's words that must be said, and the least number of them. */
const leastShare = 0.6
const leastWords = 2

const common = new Set(
  "about action agenda approval approve city consider consideration council county discussion from item items meeting public report resolution that their this update with".split(
    " "
  )
)

const tellingWords = (title: string): ReadonlyArray<string> => [
  ...new Set(
    wordsOfText(title)
      .map(keyOf)
      .filter((word) => word.length > 3 && !common.has(word))
  )
]

/** Whether a segment announces an item by its number: "item five", "item number 5", "item 4.b". */
const saysNumber = (text: string, number: string): boolean => {
  const after = text.toLowerCase().match(/\bitems?(?: number| no\.?)?\s+\S+(?:\s+\S+)?/g) ?? []
  const plain = number.toLowerCase().replace(/[.)]+$/, "")
  return after.some((said) => {
    const word = said.replace(/^items?(?: number| no\.?)?\s+/, "")
    return (
      word.split(/[\s,;:]/, 1)[0]?.replace(/[.)]+$/, "") === plain ||
      (/^\d+$/.test(plain) && numbersIn(word).has(Number(plain)))
    )
  })
}

/** Finds where items are announced: by number, or by the words of the title. */
export const candidatesOf = (
  items: ReadonlyArray<Item>,
  segments: ReadonlyArray<Segment>
): ReadonlyArray<Candidate> => {
  const keys = segments.map(({ text }) => new Set(wordsOfText(text).map(keyOf)))
  return items.flatMap(({ number, title }, item) => {
    const telling = tellingWords(title)
    return segments.flatMap(({ text }, segment) => {
      // A title may run on into the next segment, but its first word is in the segment where it begins.
      const [here, next] = [keys[segment], keys[segment + 1]]
      const found = telling.filter((word) => here?.has(word) || next?.has(word)).length
      const begins = telling.some((word) => here?.has(word))
      const share = telling.length === 0 ? 0 : found / telling.length
      const byTitle = begins && found >= Math.min(leastWords, telling.length) && share >= leastShare ? 2 * share : 0
      const byNumber = number !== undefined && saysNumber(text, number) ? 2 : 0
      return byTitle + byNumber > 0 ? [{ item, segment, score: byTitle + byNumber }] : []
    })
  })
}

/** The most candidates per item; the best are considered. */
const mostOfItem = 30

/**
 * The best placement of items in agenda order: the segment at which each begins; items without any evidence have none.
 * Among equal candidates the first wins, because an item is announced before it is discussed.
 */
export const placedItems = (candidates: ReadonlyArray<Candidate>): ReadonlyMap<number, number> => {
  const byItem = Map.groupBy(candidates, ({ item }) => item)
  const ordered = [...byItem.values()]
    .flatMap((own) => own.toSorted((a, b) => b.score - a.score || a.segment - b.segment).slice(0, mostOfItem))
    .toSorted((a, b) => a.item - b.item || a.segment - b.segment)
  const best: Array<{ readonly total: number; readonly before: number }> = []
  for (const [at, candidate] of ordered.entries()) {
    let [total, before] = [candidate.score, -1]
    for (let earlier = 0; earlier < at; earlier++) {
      const other = ordered[earlier]
      if (other === undefined || other.item >= candidate.item || other.segment >= candidate.segment) continue
      const sum = (best[earlier]?.total ?? 0) + candidate.score
      if (sum > total) [total, before] = [sum, earlier]
    }
    best.push({ total, before })
  }
  const placed = new Map<number, number>()
  let at = best.findIndex(({ total }) => total === Math.max(...best.map((one) => one.total)))
  while (at >= 0) {
    const candidate = ordered[at]
    if (candidate !== undefined) placed.set(candidate.item, candidate.segment)
    at = best[at]?.before ?? -1
  }
  return placed
}
