import { el, type Kid } from "../../page-tree/tree.ts"

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** Endings that search passes over, and what may stand in their place. */
const endings: ReadonlyArray<readonly [ending: RegExp, instead: ReadonlyArray<string>]> = [
  [/ies$/iu, ["y"]],
  [/ness$/iu, [""]],
  [/ings?$/iu, ["", "e"]],
  [/ed$/iu, ["", "e"]],
  [/es$/iu, ["", "e"]],
  [/(?<!s)s$/iu, [""]]
]

/** What remains of a word without its ending, if that is still a word: `zoning` leaves `zone`, `string` nothing. */
const bases = (word: string): ReadonlyArray<string> => {
  const [ending, instead] = endings.find(([ending]) => ending.test(word)) ?? []
  const base = ending === undefined ? "" : word.replace(ending, "")
  return /[aeiouy]/iu.test(base) && base.length > 2 ? (instead ?? []).map((end) => base + end) : []
}

/**
 * A text with the words that were asked for marked: those that begin with one of them, and other forms of it as far as a
 * glance at its ending tells them. Search itself knows more; this is only for the eye.
 */
export const marked = (text: string, words: ReadonlyArray<string>): Kid => {
  if (words.length === 0) return text
  const begun = words.map(escaped).join("|")
  const forms = words.flatMap((word) => [word, ...bases(word)]).map(escaped)
  // A form is marked whole; of a longer word, how it begins.
  const whole = `(?:${forms.join("|")})(?:s|es|d|ed|ings?|ers?)?(?![\\p{L}\\p{N}])`
  return text
    .split(new RegExp(`((?<![\\p{L}\\p{N}])(?:${whole}|${begun}))`, "giu"))
    .map((part, index) => (index % 2 === 1 ? el("mark", {}, part) : part))
}
