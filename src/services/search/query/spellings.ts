import type { Conjunction, SearchQuery } from "../../../../schema/search-query.ts"

/** Alternative spellings of a list's first words, as typed first, and the number of words they replace. */
interface Spellings {
  readonly taken: number
  readonly ways: ReadonlyArray<ReadonlyArray<string>>
}

/** The most alternatives per conjunction; words beyond that are used only as typed. */
const mostWays = 8

const scales = new Map([
  ["thousand", 1e3],
  ["k", 1e3],
  ["million", 1e6],
  ["m", 1e6],
  ["mm", 1e6],
  ["billion", 1e9],
  ["b", 1e9],
  ["bn", 1e9]
])

/** An amount with and without a word for its zeros: `1450000` and `1.45 million`. */
const waysOfSum = (sum: number): ReadonlyArray<string> => {
  const [scale, word] = sum >= 1e9 ? [1e9, "billion"] : [1e6, "million"]
  const short = Number((sum / scale).toPrecision(12))
  return sum >= 1e6 && /^\d+(\.\d{1,3})?$/.test(String(short)) ? [`${short} ${word}`, String(sum)] : [String(sum)]
}

/** `$1.45 million`, `$1.45M`, `1.45 million dollars` and `$1,450,000` are the same. */
const sumOf = ([first = "", second = "", third = ""]: ReadonlyArray<string>): Spellings | undefined => {
  const [, dollar, digits, letter = ""] = /^(\$?)(\d[\d,]*(?:\.\d+)?)(k|m|mm|b|bn)?[.,;]?$/i.exec(first) ?? []
  if (digits === undefined) return undefined
  const isScaled = letter === "" && /^(thousand|million|billion)$/i.test(second)
  if (letter !== "" && dollar === "") return undefined
  const scale = scales.get((isScaled ? second : letter).toLowerCase()) ?? 1
  const sum = Math.round(Number(digits.replaceAll(",", "")) * scale * 100) / 100
  if (sum < 1e6 && scale === 1) return undefined
  const words = isScaled ? 2 : 1
  const taken = words + (/^dollars?[.,;]?$/i.test([first, second, third][words] ?? "") ? 1 : 0)
  const typed = isScaled ? `${digits} ${second}` : first
  return { taken, ways: [...new Set([typed, ...waysOfSum(sum)])].map((way) => [way]) }
}

/**
 * Spellings of letters before a number, which PostgreSQL might parse as a host name, or whose letters alone are a stop
 * word.
 */
const numbered = (letters: string, number: string): ReadonlyArray<string> => {
  const parts = letters.split(".").filter((part) => part !== "")
  const joined = parts.join("")
  const isInitials = parts.every((part) => part.length === 1)
  const apart = `${isInitials ? joined : parts.join(". ")} ${number}`
  return joined.length > 4 || !/^\d+$/.test(number) ? [apart] : [apart, `${joined}.${number}`]
}

/** `H.B.456`, `HB456` and `H. B. 456`; `Res.No.88-2023` and `Res. No. 88-2023`; `A9041`, `A.9041` and `A. 9041`. */
const numberedName = (words: ReadonlyArray<string>): Spellings | undefined => {
  const number = words.findIndex((word) => !/^(\p{L}\.|\p{Lu})$/u.test(word))
  const together = words.slice(0, number + 1).join("")
  const [, letters, digits] = /^((?:\p{L}+\.)*\p{L}{1,6})\.?(\d+(?:[-/]\d+)*)[.,;]?$/u.exec(together) ?? []
  if (letters === undefined || digits === undefined) return undefined
  const typed = words.slice(0, number + 1)
  return { taken: number + 1, ways: [typed, ...numbered(letters, digits).map((way) => [way])] }
}

/** Abbreviations before a number. */
const abbreviated: ReadonlyArray<readonly [RegExp, string]> = [
  [/^secs?\.?$/i, "section"],
  [/^ll$/i, "local law"],
  [/^(no|nos|num|number)\.?$/i, ""]
]

/** `Sec. 14-2` and `section 14-2`, `LL 145` and `Local Law No. 145`. */
const beforeNumber = ([first = "", second = ""]: ReadonlyArray<string>): Spellings | undefined => {
  const [, long] = abbreviated.find(([short]) => short.test(first)) ?? []
  if (long === undefined || !/^#?\d/.test(second)) return undefined
  if (long === "") return { taken: 2, ways: [[second]] }
  return { taken: 2, ways: [[first, second], long.includes(" ") ? [`${long} ${second}`] : [long, second]] }
}

/** `5G` and `5 G`, but not `5 a`. */
const generation = ([first = "", second = ""]: ReadonlyArray<string>): Spellings | undefined => {
  const [, digits, letter] = /^(\d{1,2})([b-hj-z])$/i.exec(first) ?? []
  if (digits !== undefined) return { taken: 1, ways: [[first], [`${digits} ${letter}`]] }
  if (!/^\d{1,2}$/.test(first) || !/^[b-hj-z]$/i.test(second)) return undefined
  return { taken: 2, ways: [[first, second], [first + second]] }
}

/** `O'Brien` and `OBrien`. */
const irish = ([first = ""]: ReadonlyArray<string>): Spellings | undefined => {
  const [, name] = /^O(\p{Lu}\p{L}{2,})$/u.exec(first) ?? []
  if (name !== undefined) return { taken: 1, ways: [[first], [`O'${name}`]] }
  return /^O['’]\p{L}{3,}$/iu.test(first) ? { taken: 1, ways: [[first], [first.replace(/['’]/u, "")]] } : undefined
}

const rules = [sumOf, beforeNumber, numberedName, generation, irish]

const waysOf = (words: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  let ways: ReadonlyArray<ReadonlyArray<string>> = [[]]
  for (let at = 0; at < words.length; ) {
    const rest = words.slice(at, at + 5)
    const found = rules.reduce<Spellings | undefined>((first, rule) => first ?? rule(rest), undefined)
    const { taken, ways: here } = found ?? { taken: 1, ways: [rest.slice(0, 1)] }
    const tried = ways.length * here.length > mostWays ? here.slice(0, 1) : here
    ways = ways.flatMap((before) => tried.map((way) => [...before, ...way]))
    at += taken
  }
  return ways
}

/** A phrase with `5 G` in it, and the same with `5G`. */
const phraseWays = (phrase: string): ReadonlyArray<string> => [
  ...new Set([phrase, phrase.replace(/(?<![\p{L}\p{N}.,-])(\d{1,2}) ([b-hj-z])(?![\p{L}\p{N}'’.])/giu, "$1$2")])
]

const spelled = (conjunction: Conjunction): ReadonlyArray<Conjunction> => {
  const phrases = conjunction.phrases.reduce<ReadonlyArray<ReadonlyArray<string>>>(
    (ways, phrase) => ways.flatMap((before) => phraseWays(phrase).map((way) => [...before, way])).slice(0, mostWays),
    [[]]
  )
  return phrases
    .flatMap((phrases) => waysOf(conjunction.words).map((words) => ({ ...conjunction, words, phrases })))
    .slice(0, mostWays)
}

/**
 * A query with alternative spellings of its words: legal citations, amounts of money, and names that are joined or not.
 * Unlike the rules of `search_text`, these equivalences do not show in the text alone. An alternative of several words
 * for one, such as `1.45 million`, is searched for as a phrase.
 */
export const withSpellings = (query: SearchQuery): SearchQuery => ({ either: query.either.flatMap(spelled) })
