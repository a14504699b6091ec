import { ordinals, scales, tens, units } from "../language/number-words.ts"
import type { Word } from "./words.ts"

/** A number that was said or written, in digits or in words. */
export interface Quantity {
  /** What it may mean: `twenty twenty six` is 2026, and 20 and 26. */
  readonly values: ReadonlyArray<number>
  readonly unit: "dollars" | "percent" | "ordinal" | "plain"
  /** The month it is a day of. */
  readonly month?: string
  /** Said to be rounded: about, nearly, more than. */
  readonly rounded: boolean
  /** How much more or less: `25 fewer`. */
  readonly relative: boolean
  /** It says no more than a few, or which one: `two schools`, `Route 14`. It may be known from elsewhere. */
  readonly loose: boolean
  /** The least step it is written in: 100,000 for `1.2 million`. */
  readonly step: number
  /** Its words, from and to before. */
  readonly from: number
  readonly to: number
}

const months = new Set(
  "january february march april may june july august september october november december".split(" ")
)
const hedges = new Set(
  "about around nearly almost roughly approximately some over under than least most close".split(" ")
)

interface Read {
  readonly values: ReadonlyArray<number>
  readonly to: number
  readonly step: number
  readonly ordinal: boolean
}

const digits = /^(\d+(?:\.\d+)?)(st|nd|rd|th|k|m)?$/u

/** The number in words from one word on; each of its words is taken once. */
const inWords = (words: ReadonlyArray<Word>, from: number): Read | undefined => {
  let total = 0
  let group = 0
  let joined = ""
  let ordinal = false
  let step = 1
  let at = from
  for (; at < words.length; at++) {
    const here = words[at]
    if (here === undefined || (at > from && here.first)) break
    const { word } = here
    const unit = word === "oh" && at > from ? 0 : units.get(word)
    const ten = tens.get(word)
    const scale = scales.get(word)
    const nth = ordinals.get(word)
    if (scale !== undefined && at > from) {
      if (scale === 100) group = Math.max(1, group) * 100
      else {
        total += Math.max(1, group) * scale
        group = 0
      }
      step = Math.max(step, group === 0 ? scale : 1)
      joined = ""
    } else if (unit !== undefined) {
      const fits = at === from || group % 100 === 0 || (group % 10 === 0 && group % 100 >= 20 && unit < 10 && unit > 0)
      if (!fits) joined += group === 0 ? "" : String(group)
      group = fits ? group + unit : unit
      step = 1
    } else if (ten !== undefined) {
      const fits = at === from || group % 100 === 0
      if (!fits) joined += String(group)
      group = fits ? group + ten : ten
    } else if (nth !== undefined && (at === from || group % 10 === 0)) {
      group += nth
      ordinal = true
      at++
      break
    } else if (word === "and" && group > 0 && group % 100 === 0 && isNumberWord(words[at + 1]?.word)) continue
    else if (word === "point" && at > from && units.has(words[at + 1]?.word ?? "")) {
      let fraction = ""
      while (units.has(words[at + 1]?.word ?? "")) fraction += String(units.get(words[++at]?.word ?? ""))
      group = Number(`${group}.${fraction}`)
      const scaled = scales.get(words[at + 1]?.word ?? "")
      if (scaled !== undefined) {
        total += group * scaled
        step = scaled / 10 ** fraction.length
        group = 0
        at++
      }
    } else break
  }
  if (at === from) return undefined
  const sum = Math.round((total + group) * 1e6) / 1e6
  const values = joined === "" ? [sum] : [Number(joined + String(group)), Number(joined), group]
  return { values, to: at, step, ordinal }
}

const isNumberWord = (word: string | undefined): boolean =>
  word !== undefined && (units.has(word) || tens.has(word) || scales.has(word))

const inDigits = (words: ReadonlyArray<Word>, from: number): Read | undefined => {
  const found = digits.exec(words[from]?.word ?? "")
  const [, figure, suffix] = found ?? []
  if (figure === undefined) return undefined
  const next = suffix === "k" ? 1000 : suffix === "m" ? 1_000_000 : scales.get(words[from + 1]?.word ?? "")
  const decimals = figure.split(".")[1]?.length ?? 0
  const scale = next ?? 1
  return {
    values: [Math.round(Number(figure) * scale * 1e6) / 1e6],
    to: from + (next !== undefined && suffix !== "k" && suffix !== "m" ? 2 : 1),
    step: scale / 10 ** decimals,
    ordinal: suffix !== undefined && suffix !== "k" && suffix !== "m"
  }
}

/** The numbers of a text. A lone `one`, `first` or `second` is no number: it is said of anything. */
export const quantitiesOf = (words: ReadonlyArray<Word>): ReadonlyArray<Quantity> => {
  const found: Array<Quantity> = []
  for (let at = 0; at < words.length; at++) {
    const read = inDigits(words, at) ?? inWords(words, at)
    if (read === undefined) continue
    const after = words[read.to]?.word ?? ""
    const signs = words.slice(at, read.to).map(({ sign }) => sign)
    const month = [words[at - 1]?.word, after === "of" ? words[read.to + 1]?.word : after].find((word) =>
      months.has(word ?? "")
    )
    const [value = 0] = read.values
    const isLoose =
      read.to === at + 1 && !/^\d/u.test(words[at]?.word ?? "") && (value <= 1 || (read.ordinal && value <= 2))
    if (!isLoose) {
      found.push({
        values: read.values,
        unit:
          signs.includes("$") || /^dollars?$/u.test(after)
            ? "dollars"
            : signs.includes("%") || after === "percent"
              ? "percent"
              : read.ordinal
                ? "ordinal"
                : "plain",
        ...(month === undefined ? {} : { month }),
        rounded: [1, 2].some((back) => hedges.has(words[at - back]?.word ?? "")),
        relative: /^(?:fewer|more|less|above|below|higher|lower|short)$/u.test(after),
        loose:
          (read.to === at + 1 && value <= 12 && !/^\d/u.test(words[at]?.word ?? "")) ||
          (words[at - 1]?.capital === true && !months.has(words[at - 1]?.word ?? "")),
        step: read.step,
        from: at,
        to: read.to
      })
    }
    at = read.to - 1
  }
  return found
}

const compatible = (one: Quantity, other: Quantity): boolean =>
  one.unit === other.unit || one.unit === "plain" || other.unit === "plain"

/** Whether what was said is what the claim gives, or what it rounds to in the step that it is written in. */
export const agrees = (claimed: Quantity, said: Quantity): boolean =>
  compatible(claimed, said) &&
  claimed.values.some((value) =>
    said.values.some(
      (exact) =>
        value === exact ||
        (claimed.step > 1 && Math.round(exact / claimed.step) * claimed.step === value) ||
        // People leave out what everybody knows: `fourteen ten` is $14.10, `forty point five` is 40.5 million.
        [0.01, 100, 1000, 1_000_000].some((scale) => claimed.unit === "dollars" && isClose(exact * scale, value)) ||
        (claimed.rounded && Math.abs(value - exact) <= Math.abs(exact) * 0.1)
    )
  )

const isClose = (one: number, other: number): boolean => Math.abs(one - other) < 1e-6 * Math.abs(other)

/** Whether it may be worked out of two numbers that were said: `25 fewer` of 71 and 96. */
export const isDifference = (claimed: Quantity, said: ReadonlyArray<Quantity>): boolean =>
  said.some((one) =>
    said.some((other) =>
      one.values.some((a) => other.values.some((b) => a > b && claimed.values.some((value) => isClose(a - b, value))))
    )
  )

/** Whether they are of the same thing by their units, so that two that differ contradict each other. */
export const sameKind = (one: Quantity, other: Quantity): boolean =>
  (one.month !== undefined && one.month === other.month) ||
  (one.month === undefined && other.month === undefined && one.unit === other.unit)
