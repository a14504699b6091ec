import { possessives } from "./contact-words.ts"
import type { Tokens } from "./tokens.ts"

const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/u))

/** Those whose name says an address of mail by itself. */
const plainProviders = set("gmail yahoo hotmail icloud")
export const ats = set("at arroba")
const dots = set("dot punto period")
const endings = set("com net org gov edu us io co info biz me example")

/** The end of a domain that begins here: `gmail.com` as one word, or `gmail dot com`. */
export const domainAt = (
  tokens: Tokens,
  from: number
): { readonly end: number; readonly words: ReadonlyArray<string> } | undefined => {
  // `jdoe@lake-mail.com`
  if (tokens[from]?.tied === true) {
    const rest = domainAt(tokens, from + 1)
    if (rest !== undefined) return { end: rest.end, words: [tokens[from]?.word ?? "", ...rest.words] }
  }
  const written = tokens[from]?.raw ?? ""
  if (written.includes(".") && endings.has(written.slice(written.lastIndexOf(".") + 1)))
    return { end: from + 1, words: written.split(".") }
  // `jdoe at gmail`
  if (plainProviders.has(tokens[from]?.word ?? "") && !dots.has(tokens[from + 1]?.word ?? ""))
    return { end: from + 1, words: [tokens[from]?.word ?? ""] }
  const words: Array<string> = []
  for (let at = from; at < from + 24; ) {
    // A label is a word, a few words, or letters: `kelso plumbing dot com`, `A-O-L dot com`.
    let label = ""
    let next = at
    for (let length = 0; length < 3 || (length < 12 && /^\w$/u.test(tokens[next]?.word ?? "")); length++) {
      const word = tokens[next]?.word ?? ""
      if (word === "" || dots.has(word) || ats.has(word)) break
      label += word
      next++
      if (dots.has(tokens[next]?.word ?? "") || endings.has(word)) break
    }
    if (label === "") return undefined
    words.push(label)
    if (!dots.has(tokens[next]?.word ?? ""))
      return words.length > 1 && endings.has(label) ? { end: next, words } : undefined
    const last = tokens[next + 1]?.word ?? ""
    if (endings.has(last) && !dots.has(tokens[next + 2]?.word ?? "")) return { end: next + 2, words: [...words, last] }
    at = next + 1
  }
  return undefined
}

const introducers = set(`
  is its at me email emails address mail to us my our or and thats for contact reach it are by send through on
  from sign im es correo`)
/** The same, but only after another of them, as they are parts of names too: `the garden lady`, `e smith`. */
const articles = set("the e")

const marksOfNames = new Set([...dots, "underscore", "dash", "hyphen", "minus"])

/** Whether the words from here on spell or join a name: `p-r-u-i-t-t`, `dot pruitt`. */
const isSpelling = (tokens: Tokens, from: number): boolean =>
  marksOfNames.has(tokens[from]?.word ?? "") ||
  (tokens[from]?.word.length === 1 && tokens[from]?.breaks === "" && tokens[from + 1]?.word.length === 1)

/** The most words of a name, of which letters and digits that are said one by one are none. */
const longestName = 12

/** Where the name that ends here begins, before an `@` as it is written: `web-master@`. */
export const writtenFrom = (tokens: Tokens, at: number): number => {
  let from = at
  while (tokens[from - 1]?.tied === true) from--
  return from
}

/** Where the name before the `at` of an e-mail address begins. */
export const localFrom = (tokens: Tokens, at: number, least: number): number => {
  let from = at
  let clause: number | undefined
  let words = 0
  while (from > least && words < longestName && at - from < 4 * longestName) {
    const before = tokens[from - 1]
    if (before === undefined || before.word === "") break
    // `D. Castro at gmail.com`
    if (before.breaks === "sentence" && !(from < at && /^\p{L}$/u.test(before.word))) break
    if (before.breaks === "clause" && from < at && !isSpelling(tokens, from)) clause ??= from
    // `jane, that's j-a-n-e`
    const isSpelled =
      before.word === "thats" && tokens[from - 2]?.breaks === "clause" && /^\p{L}$/u.test(tokens[from]?.word ?? "")
    // `my account, jane at`
    if (introducers.has(before.word) && !isSpelled) return possessives.has(before.word) ? (clause ?? from) : from
    // `the email`, `E-mail`
    if (from < at && articles.has(before.word) && introducers.has(tokens[from]?.word ?? "")) return from
    from--
    if (before.word.length > 1) words++
  }
  // `If you want a copy, kim doan at`
  return clause ?? from
}
