/**
 * Which words can be taken for each other by ear, and which exclude each other: `north` for `south` is no mishearing,
 * however similar they are.
 */

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

/** How English spells its consonants. Vowels are spelled too variously to tell words apart. */
const spellings: ReadonlyArray<readonly [RegExp, string]> = [
  [/^[kgp](?=n)|^w(?=r)|(?<=m)b$/gu, ""],
  [/^ps/gu, "s"],
  [/wh/gu, "w"],
  [/(?<=[aeiou])gh(?=t|$|[aeiou]|ed$|s$)/gu, ""],
  [/ph/gu, "f"],
  [/tch/gu, "C"],
  [/sch(?=o)|ck|qu?|c(?![eihy])|k/gu, "K"],
  [/ch/gu, "C"],
  [/[st]ion/gu, "Sn"],
  [/sh/gu, "S"],
  [/sc(?=[eiy])|c(?=[eiy])|z/gu, "s"],
  [/dg(?=e)|g(?=e|i)/gu, "j"],
  [/x/gu, "Ks"],
  [/th/gu, "T"],
  [/(?<=.)[aeiouyhw]+|^[aeiou]+/gu, ""],
  [/(.)\1+/gu, "$1"]
]

/** The consonants of a word as they are heard: the same for `right` and `write`. */
const soundOf = (key: string): string => spellings.reduce((sound, [from, to]) => sound.replaceAll(from, to), key)

/** Prefixes that turn a word around, or into the other of a pair: `in`crease and `de`crease. */
const turning = /^(?:anti|de|dis|ex|il|im|in|ir|mis|non|out|over|post|pre|pro|un|under)(?=.{3})/u

const areTurned = (a: string, b: string): boolean => {
  const [bareA, bareB] = [a.replace(turning, ""), b.replace(turning, "")]
  return a !== b && (bareA === bareB || bareA === b || a === bareB)
}

/**
 * Kinds of words of which one excludes the others, its members apart from each other by bars. An asterisk stands for
 * any ending.
 */
const kinds: ReadonlyArray<ReadonlyArray<ReadonlyArray<string>>> = [
  "january jan|february feb|march|april|may|june|july|august|september sept|october|november|december",
  "monday|tuesday|wednesday|thursday|friday|saturday|sunday",
  "north|northern|northbound|northeast|northwest|south|southern|southbound|southeast|southwest|east|eastern|eastbound|west|western|westbound",
  "second|minute|hour|day|night|week|month|year|decade|cent|dollar|percent|inch inches|foot feet|yard|mile|block|acre|meter|unit|gallon|pound|ton|square|cubic",
  "approv*|accept*|adopt*|allow*|permit*|grant*|support*|favor*|pass passes passed passing|carry carries carried|deny denies denied denial|reject*|declin*|fail*|oppos*|defer*|postpon*|table tabled|withdr*|repeal*|rescind*|veto*|vote votes voted|refus*|prohibit*|forbid*|ban banned|disapprov*|hire hires hired|fire fires fired",
  "increas* rais*|decreas* reduc* lower*",
  "more|less|fewer|most|least",
  "always|never|sometimes|often|seldom",
  "all everybody everyone|some somebody someone|none nobody|many|few",
  "maximum|minimum",
  "majority|minority",
  "before|after",
  "above over|below under",
  "inside|outside",
  "public|private",
  "to|from",
  "and|or"
].map((kind) => kind.split("|").map((member) => member.split(" ")))

const isForm = (key: string, form: string): boolean =>
  form.endsWith("*") ? key.startsWith(form.slice(0, -1)) : key === form || key === `${form}s`

/** The kinds that a word is of, each with the member that it is. */
const membersOf = (key: string): ReadonlyArray<readonly [kind: number, member: number]> =>
  kinds.flatMap((members, kind) => {
    const member = members.findIndex((forms) => forms.some((form) => isForm(key, form)))
    return member === -1 ? [] : [[kind, member] as const]
  })

/** Whether one word excludes the other, so that it says something else in its place. */
export const exclude = (a: string, b: string): boolean => {
  if (areTurned(a, b)) return true
  const others = membersOf(b)
  return membersOf(a).some(([kind, member]) => others.some((other) => other[0] === kind && other[1] !== member))
}

/** Whether one word can be misheard as the other. */
export const isAlike = (a: string, b: string): boolean =>
  2 * edits(a, b) <= Math.max(a.length, b.length) || soundOf(a) === soundOf(b)
