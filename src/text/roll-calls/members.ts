import { afterTitle } from "./ballots.ts"
import { tokensOf } from "./tokens.ts"

/** A member of a body, by the names that are on record. */
export interface Member {
  readonly slug: string
  readonly name: string
  readonly other_names: ReadonlyArray<string>
}

const suffixes = new Set("jr sr ii iii iv".split(" "))

/** The words of a name, folded, without a title, initials and a suffix: `Council Member J. Peña Jr.` is `pena`. */
const nameWords = (name: string): ReadonlyArray<string> => {
  const tokens = tokensOf([{ start: 0, end: 0, text: name }])
  return tokens
    .slice(afterTitle(tokens, 0))
    .map(({ word }) => word)
    .filter((word) => word.length > 1 && !suffixes.has(word))
}

/** Whether the words are a name's last ones, however many, or its first and its last. */
const isNamed = (heard: ReadonlyArray<string>, whole: ReadonlyArray<string>): boolean => {
  const said = heard.join(" ")
  return whole.some((_, at) => whole.slice(at).join(" ") === said) || said === `${whole[0]} ${whole.at(-1)}`
}

/** Ballots by the names as written or heard, each with the member whom it means and nobody else does. */
export const withPersons = <A extends { readonly name: string }>(
  ballots: ReadonlyArray<A>,
  memberNamed: (heard: string) => Member | undefined
): ReadonlyArray<A & { readonly person?: string }> => {
  const meant = ballots.map(({ name }) => memberNamed(name)?.slug)
  return ballots.map((ballot, at) => {
    const person = meant[at]
    const isOnly = person !== undefined && meant.filter((other) => other === person).length === 1
    return isOnly ? { person, ...ballot } : ballot
  })
}

/**
 * Finds the one member whom a name means as it is heard, by the last name or by the whole one; undefined if none or
 * several are called so. A name that was misheard means nobody: a wrong vote is worse than none.
 */
export const memberFinder = <A extends Member>(members: ReadonlyArray<A>): ((heard: string) => A | undefined) => {
  const known = members.map((member) => ({
    member,
    names: [member.name, ...member.other_names].map((name) => nameWords(name))
  }))
  return (heard) => {
    const words = nameWords(heard)
    if (words.length === 0) return undefined
    const [found, ...others] = known.filter(({ names }) => names.some((whole) => isNamed(words, whole)))
    return others.length === 0 ? found?.member : undefined
  }
}

/** Before the name of anybody, and offices of people who come before a body more often than they sit on it. */
const ofOthers = new Set("mr mrs ms miss dr director judge senator representative delegate".split(" "))

/**
 * Finds the member who a speaker is, by the label of a transcript: a last name only after a member's office, else the
 * first name too. `Mr. Ortiz` at the lectern is nobody's page, even if an Ortiz sits on the body.
 */
export const speakerFinder = <A extends Member>(members: ReadonlyArray<A>): ((label: string) => A | undefined) => {
  const memberNamed = memberFinder(members)
  return (label) => {
    const tokens = tokensOf([{ start: 0, end: 0, text: label }])
    const member = memberNamed(label)
    if (member === undefined) return undefined
    if (afterTitle(tokens, 0) > 0 && !ofOthers.has(tokens[0]?.word ?? "")) return member
    const [first] = nameWords(label)
    return [member.name, ...member.other_names].some((name) => {
      const words = nameWords(name)
      return words.length > 1 && words[0] === first
    })
      ? member
      : undefined
  }
}
