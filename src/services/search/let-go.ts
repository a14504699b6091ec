import { mostInSearch } from "../../../schema/search-budget.ts"
import { parseSearchQuery, writeSearchQuery } from "../../../schema/search-query.ts"
import { countWords } from "./query-budget.ts"

/** Words that are in every transcript, and find nothing by themselves. */
const idle = new Set(
  (
    "a about after all also am an and any are as at be because been before being but by can could did do does for from get go " +
    "going had has have he her here him his how i if in into is it its just know like me more my no not now of on one or our " +
    "out over own said say see she should so some than that the their them then there these they this those to up us very was " +
    "we well were what when where which who why will with would you your"
  ).split(" ")
)

/**
 * A search of more plain words than may be looked for, without those that say least: words that everybody says, then
 * the shortest. A pasted sentence is found so. `dropped` are the words that were let go, in their order. A search of
 * alternatives, and what stands in quotes, stay as they are.
 */
export const withinWords = (q: string): { readonly q: string; readonly dropped: ReadonlyArray<string> } => {
  const [only, ...others] = parseSearchQuery(q).either
  if (only === undefined || others.length > 0) return { q, dropped: [] }
  const { words } = only
  const room = mostInSearch.words - countWords([...only.notWords, ...only.scopes.map(({ text }) => text)].join(" "))
  if (room < 1 || countWords(words.join(" ")) <= room) return { q, dropped: [] }
  const says = (word: string): number => (idle.has(word.toLowerCase()) ? 0 : 1)
  const kept = new Set<number>()
  let taken = 0
  for (const at of [...words.keys()].toSorted((a, b) => {
    const [one, other] = [words[a] ?? "", words[b] ?? ""]
    return says(other) - says(one) || other.length - one.length || a - b
  })) {
    const count = countWords(words[at] ?? "")
    if (taken + count > room) continue
    taken += count
    kept.add(at)
  }
  return {
    q: writeSearchQuery({ either: [{ ...only, words: words.filter((_, at) => kept.has(at)) }] }),
    dropped: words.filter((_, at) => !kept.has(at))
  }
}
