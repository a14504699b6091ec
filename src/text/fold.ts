/**
 * Letters that do not decompose into a letter and an accent, and typographic marks; each followed by its replacement.
 */
const pairs =
  "ß ss æ ae œ oe ø o ł l đ d ð d þ th ħ h ı i ĳ ij ĸ q ŀ l ŉ 'n ŋ n ŧ t ſ s ª a º o µ μ ё е ‘ ' ’ ' ‛ ' ʻ ' ʼ ' ′ ' “ \" ” \" ‟ \" „ ,, « << » >> \u00ad - ‐ - ‑ - ‒ - – - — - ― - … ..."
const words = pairs.split(" ")
const spellings = new Map(words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? ""] as const] : [])))

const foldCharacter = (character: string): string => {
  const lower = character.toLowerCase()
  // In scripts other than Latin and Greek, a combining mark makes a different letter.
  const letter = /^([a-z\p{Script=Greek}])\p{M}+$/u.exec(lower.normalize("NFD"))?.[1]
  return spellings.get(lower) ?? letter ?? lower.replace(/[\u0300-\u0362]/g, "")
}

/**
 * Folds a text for comparison: lower case, no accents, and typographic marks replaced by ASCII. Equal to `fold` in SQL
 * for the letters of European languages and Vietnamese, and for other scripts, which only lose their case.
 */
export const fold = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII, which is most of any text
  text.replace(/[^\x00-\x7f]/gu, foldCharacter).toLowerCase()

/** Folds a name for comparison, with spaces for hyphens, so that a slug finds its name. `name_key` in SQL. */
export const nameKey = (name: string): string => fold(name).replaceAll("-", " ")
