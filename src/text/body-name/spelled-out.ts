import { fullNames } from "./words.ts"

/** Words that stay small within a name. */
const small = new Set("a an and at by for from in of on or the to with".split(" "))

/** Words that calendars shorten, where the short form means one thing. */
const shortened: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bof ed\b\.?/gi, "of Education"],
  [/\bbd\b\.?/gi, "Board"],
  [/\b(?:cmte|ctte|cttee|cmtee)\b\.?/gi, "Committee"],
  [/\b(?:commn|comsn|cmsn)\b\.?/gi, "Commission"],
  [/\bcncl\b\.?/gi, "Council"],
  [/\bdept\b\.?/gi, "Department"],
  [/\bauth\b\.?/gi, "Authority"],
  [/\badv\b\.?/gi, "Advisory"],
  [/\bsubcomm?\b\.?/gi, "Subcommittee"],
  [/\bp ?(?:&|and|\/) ?z\b/gi, "Planning and Zoning"],
  [/\bcom+it+e+\b/gi, "Committee"],
  [/\bcom+is+ion\b/gi, "Commission"],
  [/\bselect board\b/gi, "Select Board"],
  [/\bselectboard\b/gi, "Select Board"]
]

/** What is a commission where it is called `Comm.`; any other is a committee. */
const commissions =
  /\b((?:plan(?:ning)?|zoning|histor\w+|preservation|conservation|parks?|recreation|rec|civil service|arts?|rights|relations|housing|cemetery|election|airport|utilit\w+|ethics|water|energy|city|county)\s+)comm\b\.?/gi

/** `PLANNING COMMISSION` as `Planning Commission`; letters that stand for words keep their capitals. */
const inTitleCase = (name: string): string => {
  const [isUpper, isLower] = [name === name.toUpperCase(), name === name.toLowerCase()]
  if (!(isUpper && /\p{L}{4}/u.test(name)) && !isLower) return name
  return name
    .toLowerCase()
    .replace(/\p{L}[\p{L}'’]*/gu, (word, at: number) =>
      at > 0 && small.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)
    )
}

/**
 * One spelling for a body: whole words instead of short ones, no capitals throughout, "and" for "&". "ZBA", "Zoning Bd
 * of Appeals" and "ZONING BOARD OF APPEALS" are one body.
 */
export const spelledOut = (name: string): string => {
  const full = fullNames.get(name.toUpperCase().replace(/[.\s]/g, ""))
  if (full !== undefined) return full
  const whole = shortened
    .reduce((text, [short, long]) => text.replace(short, long), inTitleCase(name).replace(/\s*&\s*/g, " and "))
    .replace(commissions, "$1Commission")
    .replace(/\bcomm\b\.?/gi, "Committee")
  return whole.replace(/\s{2,}/g, " ").trim()
}
