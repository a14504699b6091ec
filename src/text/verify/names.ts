import { ordinals, scales, tens, units } from "../language/number-words.ts"
import { folded, type Word } from "./words.ts"

export const numberWords: ReadonlySet<string> = new Set([
  ...units.keys(),
  ...tens.keys(),
  ...scales.keys(),
  ...ordinals.keys()
])

/** Capitalized words that name nobody: offices, bodies, days, and common first words of sentences. */
const ordinary = new Set(
  `the a an this that these those it he she they we i you in on at by for from to of and or but if as after before when while
  mayor council councilmember councilman councilwoman commissioner commission board committee chair chairman chairwoman
  president vice director manager clerk attorney superintendent sheriff chief officer captain judge member members trustee
  supervisor alderman mr mrs ms dr madam sir city county town village state district department office school street avenue
  road drive january february march april may june july august september october november december monday tuesday wednesday
  thursday friday saturday sunday there here his her their its our my no not all both some residents staff nobody none one
  two three four five six seven eight nine ten ordinance resolution item yes aye nay what who how why where someone somebody anyone anybody everyone
  everybody neighbors parents speakers opponents supporters critics officials drivers owners developers`.split(/\s+/u)
)

const titles = new Set(
  `mayor vice councilmember councilman councilwoman commissioner chair chairman chairwoman president director manager attorney
  superintendent sheriff chief officer captain judge trustee supervisor alderman alderwoman mr mrs ms miss dr madam sergeant
  lieutenant senator representative governor reverend pastor professor`.split(/\s+/u)
)

/** Words that mark a name as a place's or a body's. */
const places = new Set(
  `street avenue road drive lane boulevard route routes highway highways pike park parkway river rivers creek lake county city
  town township village district school schools college university church center hall bridge company corporation inc llc
  association department committee council commission board authority agency program plan act foundation market`.split(
    /\s+/u
  )
)

/** A name in a claim. Its words are `from` up to but not including `to`. */
export interface Name {
  readonly words: ReadonlyArray<string>
  /** Apparently a person: has a title, says something, or is two words that name no place. */
  readonly isPerson: boolean
  readonly from: number
  readonly to: number
}

/**
 * The names in a text: runs of capitalized words. The first word of a sentence counts only if a capitalized word or a
 * verb of saying follows.
 */
export const namesOf = (words: ReadonlyArray<Word>): ReadonlyArray<Name> => {
  const found: Array<Name> = []
  for (let at = 0; at < words.length; at++) {
    let end = at
    while (words[end]?.capital && (end === at || !words[end]?.first)) end++
    if (end === at) continue
    const all = words.slice(at, end)
    const names = all.filter(({ word }) => !ordinary.has(word) && !places.has(word) && !numberWords.has(word))
    const isStart = words[at]?.first && end === at + 1
    if (names.length > 0 && (!isStart || saying.has(words[end]?.word ?? ""))) {
      const isPerson =
        [...all, words[at - 1]].some((one) => titles.has(one?.word ?? "")) ||
        saying.has(words[end]?.word ?? "") ||
        (names.length > 1 && !all.some(({ word }) => places.has(word) || numberWords.has(word)))
      found.push({ words: names.map(({ word }) => word), isPerson, from: at, to: end })
    }
    at = end - 1
  }
  return found
}

export const saying = new Set(
  `said says told asked asks added noted argued stated thanked moved seconded voted replied explained proposed opposed
  supported reported warned wants wanted urged called`.split(/\s+/u)
)

/** Whether at most one letter differs, in names long enough for it to be a mishearing. */
const oneApart = (one: string, other: string): boolean => {
  if (one === other) return true
  if (Math.min(one.length, other.length) < 6 || Math.abs(one.length - other.length) > 1) return false
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const [a, b] = [one.slice(at), other.slice(at)]
  return a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)
}

/** Whether the words include the last word of a name, by which people are usually known. */
export const isNamedIn = (name: Name, words: ReadonlySet<string>): boolean => {
  const last = name.words.at(-1) ?? ""
  const bare = last.replace(/s$/u, "")
  return words.has(last) || words.has(bare) || [...words].some((word) => oneApart(word, last))
}

/** The words by which anybody or anything in a meeting may be named. */
export interface NamingWords {
  readonly inOrder: () => ReadonlyArray<string>
  readonly distinct: () => ReadonlySet<string>
}

/** Splits a text when its words are first needed, once for all claims of a meeting. */
export const namingWords = (text: string): NamingWords => {
  let words: ReadonlyArray<string> | undefined
  let different: ReadonlySet<string> | undefined
  const inOrder = () => (words ??= folded(text).split(/[^\p{L}\p{N}]+/u))
  return { inOrder, distinct: () => (different ??= new Set(inOrder())) }
}

export const labelWords = (speaker: string | undefined): ReadonlySet<string> =>
  new Set(
    folded(speaker ?? "")
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== "")
  )

/** Short forms of first names that begin with a different letter from the full name. */
const shortNames: ReadonlyMap<string, string> = new Map(
  `bob:robert bobby:robert bill:william billy:william dick:richard peggy:margaret ted:edward jack:john tony:anthony liz:elizabeth
  beth:elizabeth betty:elizabeth drew:andrew trish:patricia becky:rebecca bert:robert gene:eugene sandy:alexander ned:edward
  molly:mary polly:mary sally:sarah`
    .split(/\s+/u)
    .map((pair) => [pair.slice(0, pair.indexOf(":")), pair.slice(pair.indexOf(":") + 1)])
)

export const isSameFirst = (one: string, other: string): boolean =>
  one[0] === other[0] || shortNames.get(one) === other || shortNames.get(other) === one

/** The first name before a last name, or `wanted` if that stands one word earlier; empty if there is none. */
const nameBefore = (words: ReadonlyArray<Word>, at: number, wanted: string): string => {
  const [before, earlier] = [words[at - 1], words[at - 2]]
  const isFirst = before?.capital && !before.first && ![ordinary, titles, places].some((list) => list.has(before.word))
  return !isFirst ? "" : earlier !== undefined && isSameFirst(wanted, earlier.word) ? wanted : before.word
}

/**
 * Whether everyone mentioned with that last name has a different first name: `Marsh Lee`, where only `Rhonda Lee` is
 * named.
 */
export const isNamesake = (name: Name, said: ReadonlyArray<ReadonlyArray<Word>>): boolean => {
  const [first, last] = [name.words.at(-2), name.words.at(-1)]
  if (!name.isPerson || first === undefined || last === undefined) return false
  const firsts = said.flatMap((words) =>
    words.flatMap(({ word }, at) => (word === last ? [nameBefore(words, at, first)] : []))
  )
  return firsts.length > 0 && firsts.every((other) => other !== "" && !isSameFirst(first, other))
}
