import { ordinals, scales, tens, units } from "../language/number-words.ts"
import type { Word } from "./words.ts"

/** A number, spoken or written, in digits or in words. */
export interface Quantity {
  /** Its possible readings: `twenty twenty six` is 2026, 20 and 26. */
  readonly values: ReadonlyArray<number>
  readonly unit: "dollars" | "percent" | "ordinal" | "time" | "plain"
  /** The month, if it is a day of the month. */
  readonly month?: string
  /** Whether a word marks it as rounded: about, nearly, more than. */
  readonly rounded: boolean
  /** Whether it is a difference: `25 fewer`. */
  readonly relative: boolean
  /** A small count or a label, which may be common knowledge: `two schools`, `Route 14`. */
  readonly loose: boolean
  /** Its written precision: 100,000 for `1.2 million`. */
  readonly step: number
  /** Its words: `from` up to but not including `to`. */
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

/** The values of words for fractions. */
const fractions: ReadonlyMap<string, number> = new Map([
  ["half", 0.5],
  ["third", 1 / 3],
  ["thirds", 1 / 3],
  ["quarter", 0.25],
  ["quarters", 0.25],
  ["fourths", 0.25],
  ["fifth", 0.2],
  ["fifths", 0.2],
  ["tenth", 0.1],
  ["tenths", 0.1]
])

/** A fraction that begins at a word: `a half`, `three quarters`. Nobody says `2/3`. */
const fractionAt = (
  words: ReadonlyArray<Word>,
  from: number
): { readonly value: number; readonly to: number } | undefined => {
  const word = words[from]?.word ?? ""
  const count = word === "a" ? 1 : units.get(word)
  const part = fractions.get(words[from + 1]?.word ?? "")
  if (word === "half") return { value: 0.5, to: from + 1 }
  return count === undefined || count === 0 || part === undefined ? undefined : { value: count * part, to: from + 2 }
}

/** `half a million`, `three quarters of a million`, `a quarter million`, `three quarters of an acre`. */
const partOfScale = (words: ReadonlyArray<Word>, from: number): Read | undefined => {
  const fraction = fractionAt(words, from)
  if (fraction === undefined) return undefined
  const of = ["of", "a"].filter((word, at) => words[fraction.to + at]?.word === word).length
  const at = words[fraction.to]?.word === "a" ? fraction.to + 1 : fraction.to + of
  const scale = scales.get(words[at]?.word ?? "")
  if (scale !== undefined)
    return { values: [fraction.value * scale], to: at + 1, step: Math.round(scale / 10), ordinal: false }
  return words[fraction.to]?.word === "of" && /^an?$/u.test(words[fraction.to + 1]?.word ?? "")
    ? { values: [fraction.value], to: fraction.to + 2, step: 0.25, ordinal: false }
    : undefined
}

/** Adds a following `and a half`, and the scale after it: `two and a half million`. */
const withFraction = (words: ReadonlyArray<Word>, read: Read): Read => {
  const fraction = words[read.to]?.word === "and" ? fractionAt(words, read.to + 1) : undefined
  if (fraction === undefined) return read
  const scale = scales.get(words[fraction.to]?.word ?? "")
  const values = read.values.map((value) => (value + fraction.value) * (scale ?? 1))
  return { ...read, values, to: fraction.to + (scale === undefined ? 0 : 1), step: (scale ?? 1) / 4 }
}

/**
 * A time of day, with the numbers that may stand for it: `5:45` or `half past five` as 545, 5.45 or, on the hour, 5.
 */
const timeAt = (words: ReadonlyArray<Word>, from: number): Read | undefined => {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/u.exec(words[from]?.word ?? "") ?? []
  const link = words[from + 1]?.word
  const past = hours === undefined && (link === "past" || link === "to") ? link : undefined
  const spoken = past === undefined ? undefined : { half: 30, quarter: 15 }[words[from]?.word ?? ""]
  const named = words[from + 2]?.word ?? ""
  const hour =
    hours === undefined ? (units.get(named) ?? (/^\d{1,2}$/u.test(named) ? Number(named) : undefined)) : Number(hours)
  const minute = minutes === undefined ? spoken : Number(minutes)
  if (hour === undefined || minute === undefined) return undefined
  const [h, m] = past === "to" ? [hour - 1, 60 - minute] : [hour, minute]
  return {
    values: [h * 100 + m, h + m / 100, ...(m === 0 ? [h] : [])],
    to: from + (hours === undefined ? 3 : 1),
    step: 1,
    ordinal: false
  }
}

/** `5 30 p.m.`, as some recognizers write a time. */
const apartAt = (words: ReadonlyArray<Word>, from: number): Read | undefined => {
  const [hour = "", minute = "", half = ""] = [0, 1, 2].map((next) => words[from + next]?.word)
  return /^\d{1,2}$/u.test(hour) && /^[0-5]\d$/u.test(minute) && /^[ap]m$/u.test(half)
    ? { values: [Number(hour) * 100 + Number(minute)], to: from + 2, step: 1, ordinal: false }
    : undefined
}

/** `one in five`, `3 out of 10`, `two thirds of`: a share, in percent. */
const shareAt = (words: ReadonlyArray<Word>, from: number): Read | undefined => {
  const numberAt = (at: number) => {
    const word = words[at]?.word ?? ""
    return units.get(word) ?? tens.get(word) ?? (/^\d{1,4}$/u.test(word) ? Number(word) : undefined)
  }
  const fraction = fractionAt(words, from)
  // `three quarters of a million` and `of an acre` are amounts.
  if (
    fraction !== undefined &&
    words[fraction.to]?.word === "of" &&
    !/^an?$/u.test(words[fraction.to + 1]?.word ?? "")
  ) {
    return { values: [fraction.value * 100], to: fraction.to, step: 1, ordinal: false }
  }
  const skip = { in: 2, of: 2, out: 3 }[words[from + 1]?.word ?? ""] ?? 0
  const every = skip > 0 && words[from + skip]?.word === "every" ? 1 : 0
  const [part, whole] = [numberAt(from), skip === 0 ? undefined : numberAt(from + skip + every)]
  return part === undefined || whole === undefined || whole <= part
    ? undefined
    : { values: [(100 * part) / whole], to: from + skip + every + 1, step: 1, ordinal: false }
}

/** The number in words that begins at a word. */
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
    if (scale !== undefined && (at > from || ["a", "per"].includes(words[from - 1]?.word ?? ""))) {
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

const unhedged = { rounded: false, relative: false }

/** The second year of `2016-17`. */
const yearAfter = (words: ReadonlyArray<Word>, at: number): ReadonlyArray<number> =>
  words[at]?.tied && /^\d\d$/u.test(words[at]?.word ?? "") && /^(?:19|20)\d\d$/u.test(words[at - 1]?.word ?? "")
    ? [Number(`${words[at - 1]?.word.slice(0, 2)}${words[at]?.word}`)]
    : []

/** The numbers in a text. A lone `one`, `first` or `second` does not count, because it is too common. */
export const quantitiesOf = (words: ReadonlyArray<Word>): ReadonlyArray<Quantity> => {
  const found: Array<Quantity> = []
  for (let at = 0; at < words.length; at++) {
    const share = shareAt(words, at)
    if (share !== undefined) found.push({ ...unhedged, ...share, unit: "percent", from: at, loose: true })
    const time = timeAt(words, at) ?? apartAt(words, at)
    const plain = time ?? partOfScale(words, at) ?? inDigits(words, at) ?? inWords(words, at)
    if (plain === undefined) continue
    const read = time ?? withFraction(words, plain)
    const after = words[read.to]?.word ?? ""
    const signs = words.slice(at, read.to).map(({ sign }) => sign)
    const before = words[at - 1]?.word === "the" ? words[at - 2]?.word : words[at - 1]?.word
    const month = [before, after === "of" ? words[read.to + 1]?.word : after].find((word) => months.has(word ?? ""))
    const [value = 0] = read.values
    const isLoose =
      read.to === at + 1 && !/^\d/u.test(words[at]?.word ?? "") && (value <= 1 || (read.ordinal && value <= 2))
    if (!isLoose) {
      found.push({
        values: [...read.values.map((one) => (/^decades?$/u.test(after) ? 10 * one : one)), ...yearAfter(words, at)],
        unit:
          time !== undefined || /^(?:[ap]m|oclock)$/u.test(after)
            ? "time"
            : signs.includes("$") || /^dollars?$/u.test(after)
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
          (words[at - 1]?.capital === true &&
            words[at - 1]?.first === false &&
            !months.has(words[at - 1]?.word ?? "") &&
            !hedges.has(words[at - 1]?.word ?? "")),
        step: read.step,
        from: at,
        to: read.to
      })
    }
    at = read.to - 1
  }
  return found
}
