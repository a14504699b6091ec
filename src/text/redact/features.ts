import type { Address } from "./address.ts"
import { commonWords } from "./common-words.ts"
import type { Around } from "./home-rules.ts"
import { isNumberWord } from "./house-numbers.ts"
import { busyNames, directions, streetTypes, unitWords, weakStreetTypes } from "./street-words.ts"
import { isCounted, questionBefore, streetsAround, topicsIn } from "./surroundings.ts"
import type { Token, Tokens } from "./tokens.ts"
import { classes } from "./weighed-words.ts"

/** A word as the weights know it: names and numbers are all one. */
const known = (token: Token): string =>
  /^\d/u.test(token.word)
    ? "#"
    : streetTypes.has(token.word)
      ? "T"
      : directions.has(token.word)
        ? "D"
        : token.name
          ? "N"
          : token.word

const breakOf = (token: Token | undefined): string =>
  token === undefined ? "" : token.asks ? "?" : token.breaks === "sentence" ? "." : token.breaks === "clause" ? "," : ""

const most = 14

const flags = [
  "isIntroduced",
  "isSite",
  "isOwnWords",
  "isAlone",
  "isJoined",
  "isGreeted",
  "isSigned",
  "isOffice",
  "isBounded",
  "isLast",
  "isCalled",
  "isCorrected"
] as const

const namesOf = ({ word, raw }: Token): ReadonlyArray<string> => {
  const owner = /['’]s$/u.test(raw) ? word.slice(0, -1) : word
  return classes.flatMap(([name, words]) => (words.has(word) || words.has(owner) ? [name] : []))
}

/** The same word is near many addresses. */
const named = new WeakMap<Token, ReadonlyArray<string>>()

const classesOf = (token: Token): ReadonlyArray<string> => {
  const known = named.get(token)
  if (known !== undefined) return known
  const names = namesOf(token)
  named.set(token, names)
  return names
}

/** What the words around a span of tokens say; `kind` tells streets, houses, phones and mail addresses apart. */
const wordFeatures = (
  tokens: Tokens,
  at: number,
  end: number,
  start: number,
  kind: string,
  add: (name: string) => void
): void => {
  const sentenceClasses = new Set<string>()
  // Before
  let sentence = 0
  let nearest = ""
  let first: Token | undefined
  const before: Array<string> = []
  for (let far = 1; far <= most; far++) {
    const token = tokens[at - far]
    if (token === undefined || at - far < start) {
      before.push("^")
      break
    }
    const mark = breakOf(token)
    if (mark !== "") before.push(mark)
    if (mark === "." || mark === "?") sentence++
    if (sentence > 1) break
    const word = known(token)
    before.push(word)
    const place = sentence === 0 ? "B" : "P"
    if (sentence === 0) first = token
    add(`${place}:${word}`)
    if (far <= 4 && sentence === 0) add(`C:${word}`)
    for (const name of classesOf(token)) {
      add(`${place}c:${name}`)
      if (sentence === 0) sentenceClasses.add(name)
      if (far <= 5) add(`${place}n:${name}:${kind}`)
      if (nearest === "" && name !== "counted" && name !== "opening") nearest = `${name}:${Math.min(far, 4)}`
    }
  }
  add(`nearest:${nearest}`)
  add(`nearest:${nearest}:${kind}`)
  if (first !== undefined) add(`S:${known(first)}`)
  add(`b1:${before[0]}`)
  add(`b1:${before[0]}:${kind}`)
  add(`b2:${before[1]} ${before[0]}`)
  add(`b3:${before[2]} ${before[1]} ${before[0]}`)
  // After
  sentence = 0
  const after: Array<string> = []
  const mark = breakOf(tokens[end - 1])
  if (mark !== "") after.push(mark)
  if (mark === "." || mark === "?") sentence++
  for (let far = 0; far < most; far++) {
    const token = tokens[end + far]
    if (token === undefined || token.word === "") {
      after.push("$")
      break
    }
    const word = known(token)
    after.push(word)
    if (far === 0 && mark === "" && /[^s]s$/u.test(token.word) && !token.name) add("a1:plural")
    const place = sentence === 0 ? "A" : "N"
    add(`${place}:${word}`)
    if (far <= 3 && sentence === 0) add(`D:${word}`)
    for (const name of classesOf(token)) {
      add(`${place}c:${name}`)
      if (sentence === 0) sentenceClasses.add(name)
      if (far <= 5) add(`${place}n:${name}:${kind}`)
    }
    const next = breakOf(token)
    if (next !== "") after.push(next)
    if (next === "." || next === "?") sentence++
    if (sentence > 1) break
  }
  add(`a1:${after[0]}`)
  add(`a1:${after[0]}:${kind}`)
  add(`a2:${after[0]} ${after[1]}`)
  add(`a3:${after[0]} ${after[1]} ${after[2]}`)
  add(`ab:${before[0]}_${after[0]}`)
  const all = [...sentenceClasses].sort()
  if (all.length === 0) add("K:none")
  all.forEach((one, from) => {
    for (const other of all.slice(from + 1)) add(`K:${one}+${other}`)
  })
}

/** Whether a text stands by itself: a line or a short letter, with no meeting around it. */
export const isLone = (tokens: Tokens): boolean => tokens.length < 80

/** Where nothing else is said, the words that are said weigh more: each counts there by a weight of its own, too. */
const adder = (tokens: Tokens, found: Set<string>): ((name: string) => void) =>
  isLone(tokens)
    ? (name) => {
        found.add(name)
        found.add(`lone ${name}`)
      }
    : (name) => {
        found.add(name)
      }

/** What the words of an address itself say: its type, which is returned, and how its last word goes on. */
const insideFeatures = (tokens: Tokens, at: number, end: number, kind: string, add: (name: string) => void): string => {
  let type = "none"
  for (let word = at; word < end; word++) {
    const inside = tokens[word]?.word ?? ""
    if (streetTypes.has(inside) || weakStreetTypes.has(inside)) type = inside
    if (unitWords.has(inside) || busyNames.has(inside) || commonWords.has(inside) || inside === "suite") {
      add(`I:${inside}`)
    }
    if (busyNames.has(inside) && word < end - 1) add("I:busy")
    if (directions.has(inside)) add("I:D")
    if (/^\d{5}$/u.test(inside) && word > at) add("I:zip")
  }
  add(`type:${type}`)
  add(`streets:${Math.min(3, streetsAround(tokens, at, end))}:${kind}`)
  const last = tokens[end - 1]
  if (last === undefined) return type
  const ends = known(last)
  add(`ends:${ends}`)
  const next = last.breaks === "" ? tokens[end] : undefined
  if (next === undefined) return type
  for (const name of classesOf(next)) add(`ends:${ends}:${name}`)
  // `in our house 30 years`, `a 12 acre tract`
  if (isCounted(next)) add(`ends:${ends === "#" || isNumberWord(last.word) ? "#" : "N"}:counted`)
  return type
}

/** What is weighed about an address: the words around it, their classes, and what the rules saw. */
export const featuresOf = (
  tokens: Tokens,
  at: number,
  start: number,
  { end, form, house, isWeak, isSaid }: Address,
  around: Around,
  rule: string | undefined
): ReadonlySet<string> => {
  const found = new Set<string>()
  const add = adder(tokens, found)
  const kind = house === undefined ? form : `house-${form}`
  const s = house === undefined ? "s" : "h"
  add(`form:${kind}`)
  if (isWeak === true) add(`weak:${kind}`)
  if (isSaid === true) add("said")
  if (house !== undefined) {
    add(`digits:${Math.min(house.length, 5)}`)
    if (/^(?:19|20)\d\d$/u.test(house)) add("year")
  }
  add(`rule:${rule}`)
  const { sign } = around
  add(sign === undefined ? `sign:none:${s}` : `sign:${sign.says}:${sign.isSelf}:${s}`)
  if (sign !== undefined) add(`between:${sign.says}:${Math.min(sign.between, 4)}`)
  add(`asked:${around.asked}`)
  for (const flag of flags) {
    if (around[flag]) {
      add(flag)
      add(`${flag}:${s}`)
    }
  }
  wordFeatures(tokens, at, end, start, s, add)
  const type = insideFeatures(tokens, at, end, kind, add)
  add(`type:${type}:${s}`)
  add(`type:${type}:${rule}`)
  if (house !== undefined) add(`digits:${Math.min(house.length, 5)}:${type}`)
  const nearby = [
    ...topicsIn(tokens, at - 90, at).map((topic) => `t:${topic}`),
    ...topicsIn(tokens, end, end + 70).map((topic) => `u:${topic}`)
  ]
  for (const topic of nearby) {
    add(topic)
    add(`${topic}:${type}`)
  }
  const question = questionBefore(tokens, at)
  const { house: sameHouse, street: sameStreet } = around.said
  const seen = [
    question === undefined ? undefined : `q:${question}`,
    sameHouse === undefined ? undefined : `said:house:${sameHouse}`,
    sameStreet === undefined ? undefined : `said:street:${sameStreet}`
  ]
  for (const name of seen) {
    if (name === undefined) continue
    add(name)
    add(`${name}:${rule}`)
  }
  return found
}

/** What is weighed about a phone number or an e-mail address. */
export const contactFeatures = (
  tokens: Tokens,
  at: number,
  end: number,
  start: number,
  kind: "phone" | "email",
  seen: ReadonlyArray<string>
): ReadonlySet<string> => {
  const found = new Set<string>()
  const plain = adder(tokens, found)
  const add = (name: string) => plain(`${kind} ${name}`)
  for (const name of seen) add(name)
  wordFeatures(tokens, at, end, start, kind, add)
  return found
}
