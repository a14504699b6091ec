import { tens, units } from "../language/number-words.ts"
import type { Tokens } from "./tokens.ts"

const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/u))

/** The most tokens of a phone number. */
const longest = 24

const zeros = set("oh o zero nought aught cero")
const spanishDigits = "cero uno dos tres cuatro cinco seis siete ocho nueve".split(" ")
const rounds: ReadonlyMap<string, string> = new Map([
  ["hundred", "00"],
  ["thousand", "000"]
])
const repeats: ReadonlyMap<string, number> = new Map([
  ["double", 2],
  ["triple", 3]
])
const fillers = set(`
  area code uh um er ah and then thats its is dash hyphen dot point like let me see think
  hold on wait sorry you know i mean`)

/** The digits that one word stands for; undefined for a word that is no number. */
const digitsOf = (word: string): string | undefined => {
  if (/^\d{1,11}$/u.test(word)) return word
  if (zeros.has(word)) return "0"
  const spanish = spanishDigits.indexOf(word)
  if (spanish !== -1) return String(spanish)
  const value = units.get(word) ?? tens.get(word)
  return value === undefined ? undefined : String(value)
}

/** Past `extension 44`. */
const pastExtension = (tokens: Tokens, from: number): number => {
  if (!/^(?:extension|ext|x)$/u.test(tokens[from]?.word ?? "")) return from
  let at = from + 1
  while (at < from + 6 && digitsOf(tokens[at]?.word ?? "") !== undefined) at++
  return at > from + 1 ? at : from
}

/** A telephone number in any spoken form: `865-555-0142`, `eight six five, triple five, oh one four two`. */
export const phoneAt = (
  tokens: Tokens,
  from: number
): { readonly end: number; readonly digits: string; readonly isWritten: boolean } | undefined => {
  if (digitsOf(tokens[from]?.word ?? "") === undefined && !repeats.has(tokens[from]?.word ?? "")) return undefined
  // `Dad number two, 608-555-0112`
  if (
    tokens[from]?.breaks === "clause" &&
    !/^\d/u.test(tokens[from]?.word ?? "") &&
    /^\d{3}/u.test(tokens[from + 1]?.word ?? "")
  )
    return undefined
  let digits = ""
  let end: number | undefined
  let whole = ""
  const ends = new Set<number>()
  for (let at = from; at < tokens.length && at - from < longest && digits.length < 11; at++) {
    const token = tokens[at]
    if (token === undefined || token.amount) break
    const times = repeats.get(token.word) ?? 1
    const said = times > 1 ? digitsOf(tokens[at + 1]?.word ?? "") : digitsOf(token.word)
    const round = digits === "" ? undefined : rounds.get(token.word)
    const next = tokens[at + 1]?.word ?? ""
    if (said === undefined && round === undefined) {
      if (!fillers.has(token.word) || (digitsOf(next) === undefined && !fillers.has(next) && !repeats.has(next))) break
      continue
    }
    // `forty two` is 42, and `four two` is 42 too.
    const isUnit = said?.length === 1 && digits.endsWith("0") && tens.has(tokens[at - 1]?.word ?? "")
    digits = (isUnit ? digits.slice(0, -1) : digits) + (round ?? said?.repeat(times))
    if (times > 1) at++
    const continues = tens.has(token.word) && (units.get(next) ?? 10) < 10
    if (!continues) ends.add(digits.length)
    const isWhole = digits.length === 7 || digits.length === 10 || (digits.length === 11 && digits.startsWith("1"))
    if (isWhole && !continues) {
      end = at + 1
      whole = digits
    }
    if (digits.length >= 7 && tokens[at]?.breaks === "sentence") break
  }
  // `1 1 1 1 1 1 1`
  if (end === undefined || /^(\d)\1*$/u.test(whole)) return undefined
  // Telephone numbers are said in groups: no number of a list ends in the middle of their first three digits.
  const isList = tokens[end - 1]?.breaks === "" && digitsOf(tokens[end]?.word ?? "") !== undefined
  const isWritten = !isList && (ends.has(whole.length === 11 ? 4 : 3) || /^\d{10,11}$/u.test(tokens[from]?.word ?? ""))
  return { end: pastExtension(tokens, end), digits: whole, isWritten }
}
