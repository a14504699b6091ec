import { ordinals, scales, tens, units } from "./number-words.ts"

/** The number that a single word stands for: "seven", "1,250", "3.5". */
const numberOf = (word: string): number | undefined => {
  const digits = /^\d[\d,]*(?:\.\d+)?$/.test(word) ? Number(word.replaceAll(",", "")) : undefined
  return digits ?? units.get(word) ?? tens.get(word)
}

/** The numbers of a text in order, and all of them with their parts. */
const read = (text: string) => {
  const found = new Set<number>()
  const whole: Array<number> = []
  let [total, current, isOpen] = [0, 0, false]
  const close = () => {
    if (isOpen) {
      found.add(total + current)
      whole.push(total + current)
    }
    ;[total, current, isOpen] = [0, 0, false]
  }
  for (const word of text.toLowerCase().match(/\d[\d,]*(?:\.\d+)?|[a-z]+/g) ?? []) {
    const plain = word.replace(/,+$/, "")
    const value = numberOf(plain)
    const scale = scales.get(plain)
    if (value !== undefined) {
      found.add(value)
      // "twenty two" is one number; "seven two" is two.
      const continues = isOpen && (current % 100 === 0 || (current % 10 === 0 && value < 10 && current % 100 >= 20))
      if (!continues) close()
      current += value
      isOpen = true
    } else if (scale !== undefined && isOpen) {
      if (scale === 100) current *= scale
      else {
        total += current * scale
        current = 0
      }
      found.add(total + current)
    } else if (plain !== "and") close()
  }
  close()
  return { found, whole }
}

/**
 * Every number that a text can be read as stating, in digits or in English words: "two hundred forty", "3.5 million",
 * "seven to two". Parts of a number count too ("forty two" is 40, 2 and 42), because the purpose is to find numbers
 * that nobody said.
 */
export const numbersIn = (text: string): ReadonlySet<number> => read(text).found

/** Whether a word is a number, or a part of one: "forty", "240,000", "2nd". */
export const isNumeric = (word: string): boolean =>
  /^\d/.test(word) || units.has(word) || tens.has(word) || scales.has(word) || ordinals.has(word)

/** The numbers of a text in order, ordinals among them: "the second of forty two" has 2 and 42. */
const inOrder = (text: string): ReadonlyArray<number> => {
  const plain = text
    .toLowerCase()
    .replace(/(\d)(?:st|nd|rd|th)\b/g, "$1")
    .replace(/[a-z]+/g, (word) => String(ordinals.get(word) ?? word))
  return read(plain).whole
}

/** The smallest number that people say as a half of a longer one: "twenty two fourteen" is 2214. */
const leastHalf = 10

/** Whether two texts state the same numbers in the same order, in digits or in words. */
export const sameNumbers = (one: string, other: string): boolean => {
  const [said, written] = [inOrder(one), inOrder(other)]
  const isJoined = written.length < said.length && said.every((number) => number >= leastHalf)
  return isJoined ? said.join("") === written.join("") : said.join(" ") === written.join(" ")
}

/** Whether every number in a text is also stated by another text. */
export const numbersAreIn = (text: string, said: string): boolean => {
  const known = numbersIn(said)
  // Only digits are claims; "one of the members" states no figure.
  const claimed = text.match(/\d[\d,]*(?:\.\d+)?(?:\s*(?:thousand|million|billion|trillion))?/gi) ?? []
  return claimed.every((number) => {
    const read = [...numbersIn(number)]
    return read.length === 0 || known.has(Math.max(...read)) || read.every((one) => known.has(one))
  })
}
