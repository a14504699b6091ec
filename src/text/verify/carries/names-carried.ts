import { isNamedIn, isSameFirst, labelWords, type Name, namesOf, numberWords } from "../names.ts"
import type { Word } from "../words.ts"
import { lacksAct } from "./acts.ts"
import { affinity } from "./binding.ts"
import type { Held } from "./held.ts"

/** Titles and roles of one kind. */
const kinds: ReadonlyMap<string, string> = new Map(
  `mayor|council councilmember councilman councilwoman councilor alderman alderwoman|commissioner commissioners|
  chair chairman chairwoman chairperson|president|vice|manager administrator|attorney lawyer counsel|superintendent|sheriff|chief|captain
  |officer|judge|trustee|supervisor|director|engineer|planner|clerk|treasurer|senator|representative|governor|pastor reverend|
  professor|doctor dr|sergeant|lieutenant|principal|consultant|architect|developer|applicant`
    .split("|")
    .flatMap((line) => {
      const all = line.trim().split(/\s+/u)
      return all.map((word) => [word, all[0] ?? word] as const)
    })
)

/** The roles that stand right before a name, or right after it: `the city manager, Ann Lee`, `Ann Lee, the mayor`. */
const rolesAt = (words: ReadonlyArray<string>, from: number, to: number): ReadonlyArray<string> =>
  [...words.slice(Math.max(0, from - 5), from), ...words.slice(to, to + 9)].flatMap((word) => kinds.get(word) ?? [])

/** Whether a name is another, or its possessive. */
const isSameName = (word: string, name: string): boolean => word === name || `${word}s` === name || `${name}s` === word

const rolesOf = (words: ReadonlyArray<string>, name: string): ReadonlyArray<string> =>
  words.flatMap((word, at) => (isSameName(word, name) ? rolesAt(words, at, at + 1) : []))

/** The roles that a claim gives to a person: right beside the name, or told of it: `Hill is the director`. */
const rolesIn = (claim: ReadonlyArray<Word>, { from, to }: Name): ReadonlyArray<string> => {
  const title = claim.slice(Math.max(0, from - 1), to).findLast(({ word }) => kinds.has(word))
  const after = claim.slice(to, to + 7)
  const told = after.findIndex(({ word }) => /^(?:as|is|was|the)$/u.test(word))
  const role = told === -1 ? undefined : after.slice(told, told + 5).find(({ word }) => kinds.has(word))
  return [title, role].flatMap((word) => (word === undefined ? [] : (kinds.get(word.word) ?? [])))
}

const placesOfName = (words: ReadonlyArray<Word>, name: Name) => {
  const last = name.words.at(-1) ?? ""
  return words.flatMap(({ word }, at) => (isSameName(word, last) ? [{ from: at, to: at + 1 }] : []))
}

/** Whether each word of a name is there: `West Church Avenue` is not `West Blount Avenue`. */
const isWholeIn = (claim: ReadonlyArray<Word>, { from, to }: Name, words: ReadonlySet<string>): boolean =>
  claim
    .slice(from, to)
    .every(
      ({ word }) =>
        [word, word.replace(/s$/u, "")].some((one) => words.has(one)) || kinds.has(word) || numberWords.has(word)
    )

/** Whether a first name is there, or a short form of it. */
const isFirstIn = (first: string, words: Iterable<string>): boolean => {
  for (const word of words) {
    if (word === first || (word.length > 2 && first.startsWith(word.slice(0, 3)) && isSameFirst(word, first)))
      return true
  }
  return false
}

/** Why the names of a claim are not carried. */
export const lackOfNames = ({
  claim,
  item,
  near,
  cited,
  named,
  turns
}: Held): "name" | "role" | "swapped names" | undefined => {
  const claimed = namesOf(claim)
  if (claimed.length === 0) return undefined
  const wordsIn = (text: ReadonlyArray<Word>) => [
    ...text.map(({ word }) => word),
    ...turns.flatMap(({ speaker }) => [...labelWords(speaker)])
  ]
  const here = new Set(wordsIn(item.words))
  const close = new Set(wordsIn(cited.words))
  for (const name of claimed) {
    if (!(name.isPerson ? isNamedIn(name, here) : isWholeIn(claim, name, close))) return "name"
    if (!name.isPerson) continue
    const first = name.words.length > 1 ? name.words[0] : undefined
    if (first !== undefined && !isFirstIn(first, here) && !isFirstIn(first, named.distinct())) return "name"
    const last = name.words.at(-1) ?? ""
    const roles = rolesIn(claim, name)
    const lacksRole = (words: ReadonlyArray<string>) => {
      const own = rolesOf(words, last)
      return !roles.every((role) => own.includes(role))
    }
    const labels = turns.flatMap(({ speaker }) => [...labelWords(speaker)])
    const spoken = item.words.map(({ word }) => word)
    if (roles.length > 0 && lacksRole(spoken) && lacksRole(labels) && lacksRole(named.inOrder())) return "role"
    if (lacksAct(claim, name, item.words, placesOfName(item.words, name))) return "swapped names"
  }
  const people = claimed.filter(({ isPerson }) => isPerson)
  const pairs = people.flatMap((one, at) => people.slice(at + 1).map((other) => [one, other] as const))
  for (const [one, other] of pairs) {
    const [mine, theirs] = [placesOfName(near.words, one), placesOfName(near.words, other)]
    if (mine.length === 0 || theirs.length === 0) continue
    const best = (name: Name, without: Name, at: typeof mine) =>
      Math.max(0, ...at.map((place) => affinity(claim, name, [without], near.places, place)))
    const straight = best(one, other, mine) + best(other, one, theirs)
    const crossed = best(one, other, theirs) + best(other, one, mine)
    if (crossed > straight * 1.05) return "swapped names"
  }
  return undefined
}
