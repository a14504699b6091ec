import { folded, type Word } from "./words.ts"

/** Capitalized words that name nobody: offices, bodies, days, and what begins a sentence. */
const ordinary = new Set(
  `the a an this that these those it he she they we i you in on at by for from to of and or but if as after before when while
  mayor council councilmember councilman councilwoman commissioner commission board committee chair chairman chairwoman
  president vice director manager clerk attorney superintendent sheriff chief officer captain judge member members trustee
  supervisor alderman mr mrs ms dr madam sir city county town village state district department office school street avenue
  road drive january february march april may june july august september october november december monday tuesday wednesday
  thursday friday saturday sunday there here his her their its our my no not all both some residents staff nobody none one
  two three four five six seven eight nine ten ordinance resolution item yes aye nay what who how why where`.split(
    /\s+/u
  )
)

/** A name of a claim: its words, from and to before. */
export interface Name {
  readonly words: ReadonlyArray<string>
  readonly from: number
  readonly to: number
}

/**
 * The names in a text: capitalized words in a row. The first word of a sentence is only part of one where a capitalized word
 * or a verb of saying follows it.
 */
export const namesOf = (words: ReadonlyArray<Word>): ReadonlyArray<Name> => {
  const found: Array<Name> = []
  for (let at = 0; at < words.length; at++) {
    let end = at
    while (words[end]?.capital && (end === at || !words[end]?.first)) end++
    if (end === at) continue
    const names = words.slice(at, end).filter(({ word }) => !ordinary.has(word))
    const isStart = words[at]?.first && end === at + 1
    if (names.length > 0 && (!isStart || saying.has(words[end]?.word ?? ""))) {
      found.push({ words: names.map(({ word }) => word), from: at, to: end })
    }
    at = end - 1
  }
  return found
}

export const saying = new Set(
  `said says told asked asks added noted argued stated thanked moved seconded voted replied explained proposed opposed
  supported reported warned wants wanted urged called`.split(/\s+/u)
)

/** Whether one letter was misheard at most, in a name long enough for that. */
const oneApart = (one: string, other: string): boolean => {
  if (one === other) return true
  if (Math.min(one.length, other.length) < 6 || Math.abs(one.length - other.length) > 1) return false
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const [a, b] = [one.slice(at), other.slice(at)]
  return a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)
}

/** Whether some words have the last word of a name, by which people are known. */
export const isNamedIn = (name: Name, words: ReadonlySet<string>): boolean => {
  const last = name.words.at(-1) ?? ""
  const bare = last.replace(/s$/u, "")
  return words.has(last) || words.has(bare) || [...words].some((word) => oneApart(word, last))
}

export const labelWords = (speaker: string | undefined): ReadonlySet<string> =>
  new Set(
    folded(speaker ?? "")
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== "")
  )
