import { wordsOf } from "./words.ts"

/** What a body can do or a number can be, and the opposite; each is replaced by the other. */
const opposites: ReadonlyMap<string, string> = new Map(
  [
    ["approved", "denied"],
    ["approves", "denies"],
    ["adopted", "rejected"],
    ["passed", "failed"],
    ["passes", "fails"],
    ["granted", "refused"],
    ["supported", "opposed"],
    ["supports", "opposes"],
    ["increased", "decreased"],
    ["increase", "decrease"],
    ["more", "fewer"],
    ["before", "after"],
    ["opened", "closed"],
    ["with", "without"]
  ].flatMap(([one = "", other = ""]) => [
    [one, other],
    [other, one]
  ])
)

const replaced = (text: string, start: number, end: number, by: string): string =>
  text.slice(0, start) + by + text.slice(end)

/**
 * A claim altered so that whatever bears out the claim cannot bear out this: its largest number is another one, else a
 * word is its opposite, else all of it is denied. Only who reads what was said can tell the two apart, so a judge that
 * believes both is not believed about either.
 */
export const twinOf = (claim: string): string => {
  const words = wordsOf(claim)
  const [number] = words
    .filter(({ word, start, end }) => /^\d{2,}$/u.test(word) && /^\d/u.test(claim.slice(start, end)))
    .toSorted((one, other) => Number(other.word) - Number(one.word))
  if (number !== undefined) {
    const digits = claim.slice(number.start, number.end)
    // Of a year or a long amount, the last digits before the zeros count; the first one would make it absurd.
    const at = digits.search(/[1-9](?=[0,]*$)/u)
    if (at !== -1)
      return replaced(claim, number.start + at, number.start + at + 1, String((Number(digits[at]) % 9) + 1))
  }
  const turned = words.find(({ word }) => opposites.has(word))
  return turned === undefined
    ? `It is not true that ${claim}`
    : replaced(claim, turned.start, turned.end, opposites.get(turned.word) ?? "")
}
