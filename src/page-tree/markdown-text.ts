/**
 * Characters that CommonMark or GFM could read as markup. `_` inside a word cannot be. `://`, `www.` and `@` would make
 * links of their own that swallow what follows (GFM, section 6.9).
 */
const markup =
  /[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)|:(?=\/\/)|(?<=www)\.|(?<=[\w.+-])@(?=[\w-])/giu
const risky = /[\\`*[\]<~_&:.@]/

/** Escapes text for use within a line. */
export const escapeText = (text: string): string => (risky.test(text) ? text.replace(markup, "\\$&") : text)

/** Characters that would open a list, a heading, a quotation, a rule or a table's second row at the start of a line. */
const opening = /^(?:([#>+=|:-])|(\d{1,9})([.)])(?=\s|$))/

/** Turns text that is escaped for the inside of a line into a line of its own. */
export const startLine = (text: string): string =>
  text.replace(opening, (whole, sign, digits, point) => (sign === undefined ? `${digits}\\${point}` : `\\${whole}`))

/** The last `#` of a heading would be taken for its closing sequence (CommonMark, section 4.2). */
export const endHeading = (text: string): string => text.replace(/(^| )(#+)$/, "$1\\$2")

/** An address as the destination of a link. */
export const destination = (address: string): string =>
  address
    .replace(/[()\s<>\\]/g, (character) => encodeURIComponent(character).replace("(", "%28").replace(")", "%29"))
    .replace(/&(?=#?\w+;)/g, "\\&")

const endsInWord = /[\p{L}\p{N}]$/u
const beginsWithWord = /^[\p{L}\p{N}]/u

/**
 * Words between delimiters such as `**`. Beside punctuation or another delimiter those may not open or close, and
 * around the same ones they may pair otherwise (CommonMark, section 6.2); the words then go without, because emphasis
 * is decoration and never a fact.
 */
export const delimited = (mark: string, inner: string, before: string): string => {
  const text = inner.trim()
  const isSafe =
    beginsWithWord.test(text) &&
    endsInWord.test(text) &&
    !/[*`~\\]$/.test(before) &&
    !text.includes(mark) &&
    !text.includes("\n")
  return isSafe ? inner.replace(text, () => `${mark}${text}${mark}`) : inner
}

/** A code span, in a fence longer than any run of backticks inside it; as plain text where no span can be written. */
export const codeSpan = (words: string, before: string): string => {
  if (words.trim() === "") return ""
  if (before.endsWith("`") || words.includes("\\|")) return escapeText(words)
  const fence = "`".repeat(Math.max(0, ...(words.match(/`+/g) ?? []).map((run) => run.length)) + 1)
  const pad = /^`|`$|^ .* $/.test(words) ? " " : ""
  return `${fence}${pad}${words}${pad}${fence}`
}
