import { fold } from "./fold.ts"
import { pairs } from "./other-words-list.ts"

/** Other words for some of a query's words. */
export interface OtherWords {
  /** Where these are among the words of the query, and how many. */
  readonly at: number
  readonly taken: number
  readonly other: string
  /** Whether the two mean the same; otherwise they are only related. */
  readonly isSame: boolean
}

type Entry = Pick<OtherWords, "other" | "isSame"> & { readonly words: ReadonlyArray<string> }

/** Every pair, both ways, by the first word. */
const byFirst = Map.groupBy(
  pairs
    .trim()
    .split("\n")
    .flatMap((line): ReadonlyArray<Entry> => {
      const [, a = "", sign, b = ""] = /^(.+?) ([=~]) (.+?) \| .+$/u.exec(line) ?? []
      const isSame = sign === "="
      return [
        { words: a.split(" "), other: b, isSame },
        { words: b.split(" "), other: a, isSame }
      ]
    }),
  ({ words }) => words[0] ?? ""
)

/** The other words for runs of these words, longer runs first; each other word once. */
export const otherWordsFor = (words: ReadonlyArray<string>): ReadonlyArray<OtherWords> => {
  const forms = words.map((word) => fold(word).replaceAll(/[^\p{L}\p{N}-]/gu, ""))
  const found = forms.flatMap((form, at) =>
    (byFirst.get(form) ?? [])
      .filter((entry) => entry.words.every((word, n) => forms[at + n] === word))
      .map(({ words, other, isSame }): OtherWords => ({ at, taken: words.length, other, isSame }))
  )
  const isThere = ({ other }: OtherWords) => other.split(" ").every((word) => forms.includes(word))
  return [...new Map(found.filter((one) => !isThere(one)).map((one) => [one.other, one])).values()].toSorted(
    (a, b) => b.taken - a.taken || Number(b.isSame) - Number(a.isSame)
  )
}

/** The words of a query with other words in their place; several other words are one, which is sought as a phrase. */
export const withOther = (words: ReadonlyArray<string>, { at, taken, other }: OtherWords): ReadonlyArray<string> =>
  words.toSpliced(at, taken, other)
