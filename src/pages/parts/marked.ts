import { el, type Kid } from "../../page-tree/tree.ts"

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** Word endings that search ignores, and their replacements. */
const endings: ReadonlyArray<readonly [ending: RegExp, instead: ReadonlyArray<string>]> = [
  [/ies$/iu, ["y"]],
  [/ness$/iu, [""]],
  [/ings?$/iu, ["", "e"]],
  [/ed$/iu, ["", "e"]],
  [/es$/iu, ["", "e"]],
  [/(?<!s)s$/iu, [""]]
]

/** The stem of a word, if it is still a word: `zoning` leaves `zone`, `string` nothing. */
const bases = (word: string): ReadonlyArray<string> => {
  const [ending, instead] = endings.find(([ending]) => ending.test(word)) ?? []
  const base = ending === undefined ? "" : word.replace(ending, "")
  return /[aeiouy]/iu.test(base) && base.length > 2 ? (instead ?? []).map((end) => base + end) : []
}

/** Words that search does not look for, and that would be marked in every line. */
const unsearched = new Set(
  "a about after all am an and any are as at be been but by can did do does for from had has have he her his i if in into is it its me my no nor not of on or our she so such than that the their them then there these they this to was we were what when which who will with would you your".split(
    " "
  )
)

/** The words to mark: those that search looks for, or all if it looks for none. */
const telling = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const told = words.filter((word) => !unsearched.has(word.toLowerCase()))
  return told.length === 0 ? words : told
}

/**
 * Words that begin with one of these, and inflected forms that a simple rule recognizes. Search itself knows more; this
 * is only visual.
 */
const patternOf = (words: ReadonlyArray<string>): RegExp => {
  const begun = words.map(escaped).join("|")
  const forms = words.flatMap((word) => [word, ...bases(word)]).map(escaped)
  // An inflected form is marked whole; in a longer word, only the beginning is.
  const whole = `(?:${forms.join("|")})(?:s|es|d|ed|ings?|ers?)?(?![\\p{L}\\p{N}])`
  return new RegExp(`((?<![\\p{L}\\p{N}])(?:${whole}|${begun}))`, "giu")
}

/** Marks the searched words in a text. */
export const marked = (text: string, searched: ReadonlyArray<string>): Kid =>
  searched.length === 0
    ? text
    : text.split(patternOf(telling(searched))).map((part, index) => (index % 2 === 1 ? el("mark", {}, part) : part))

/** Whether each of these texts has all of the searched words. */
export const together = (texts: ReadonlyArray<string>, searched: ReadonlyArray<string>): ReadonlyArray<boolean> => {
  const patterns = telling(searched).map((word) => patternOf([word]))
  return texts.map((text) => patterns.every((pattern) => text.search(pattern) >= 0))
}
