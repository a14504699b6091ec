import type { Word } from "../words.ts"
import type { Span } from "./binding.ts"

/** Ways to compare an amount; words of one class say the same. */
const classes = [
  [
    "more",
    "more over above exceed exceeds exceeded exceeding beyond higher greater upwards bigger larger older longer"
  ],
  ["less", "less fewer under below lower smaller shorter younger underneath cheaper nearly almost"],
  ["most", "most maximum max limit limited cap capped within up"],
  ["least", "least minimum min"]
] as const

export type Comparison = (typeof classes)[number][0]

const classOf: ReadonlyMap<string, Comparison> = new Map(
  classes.flatMap(([name, words]) => words.split(" ").map((word) => [word, name] as const))
)

/** `no more than` is `at most`, and the other way around. */
const reverse = { more: "most", less: "least", most: "more", least: "less" } as const

const denial = /^(?:no|not|never|nothing|cannot|without|none|dont|doesnt|isnt|cant|wont)$/u

/** Whether the word at a place compares an amount, and how; a denial shortly before turns it around. */
const comparisonIn = (words: ReadonlyArray<Word>, at: number): Comparison | undefined => {
  const way = classOf.get(words[at]?.word ?? "")
  if (way === undefined) return undefined
  if (words[at]?.word === "up" && words[at + 1]?.word !== "to") return undefined
  // `most residents` compares nothing, and `a limit` does.
  if (/^(?:most|least)$/u.test(words[at]?.word ?? "") && words[at - 1]?.word !== "at" && words[at - 1]?.word !== "the")
    return undefined
  const isTurned = [1, 2, 3].some((back) => denial.test(words[at - back]?.word ?? ""))
  return isTurned ? reverse[way] : way
}

/** How a number is compared by the words right before and after it. */
export const comparisonAt = (words: ReadonlyArray<Word>, { from, to }: Span): Comparison | undefined => {
  for (const at of [from - 1, from - 2, from - 3]) {
    // `far more than the 7,500 on record` compares another amount with this one.
    if (at === from - 1 && /^(?:the|its|their)$/u.test(words[at]?.word ?? "")) return undefined
    const way = comparisonIn(words, at)
    const between = words.slice(at + 1, from)
    // `A year longer, to mid-2014` compares no year.
    const isApart = between.some(
      ({ word, first }) => first || (words[at]?.word !== "up" && /^(?:to|in|at|by|from|until|and)$/u.test(word))
    )
    if (way !== undefined && !isApart) return way
  }
  const [before, next, after] = [words[from - 1]?.word ?? "", words[to]?.word ?? "", words[to + 1]?.word ?? ""]
  if (before === "as" && /^(?:many|much)$/u.test(words[from - 2]?.word ?? "")) return "most"
  if (next === "plus") return "least"
  if (next === "or") {
    if (/^(?:more|above|over|greater|higher|older|better)$/u.test(after)) return "least"
    if (/^(?:less|fewer|under|below|lower|younger)$/u.test(after)) return "most"
  }
  return undefined
}

/** Whether it says that the amount is larger. */
export const isUp = (way: Comparison): boolean => way === "more" || way === "least"
