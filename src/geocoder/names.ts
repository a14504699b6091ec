import { fold } from "../text/fold.ts"

const expanded: Readonly<Record<string, string>> = {
  st: "saint",
  ste: "sainte",
  mt: "mount",
  ft: "fort",
  pt: "point",
  n: "north",
  s: "south",
  e: "east",
  w: "west"
}

const anywhere: Readonly<Record<string, string>> = { spgs: "springs", hts: "heights", twp: "township" }

const expand = (word: string, at: number, words: ReadonlyArray<string>): string => {
  const next = words[at + 1]
  // At the end of a name these are no abbreviations: "Main St", "Missoula MT". "Ste 200" is a suite.
  const opens = next !== undefined && !/^\d/.test(next) && (word.length > 1 || at === 0)
  return (opens ? expanded[word] : undefined) ?? anywhere[word] ?? word
}

/**
 * A place name in the form in which names are compared: lower case, without accents, apostrophes or punctuation, its
 * words one space apart, with the abbreviations of place names written out ("St. Louis" and "Saint Louis", "Mt Vernon",
 * "E. Peoria", "Ft. Wayne"). Normalizing twice changes nothing.
 */
export const normalizeName = (text: string): string =>
  fold(text.normalize("NFKC"))
    .replace(/\p{M}|['`´]/gu, "")
    .replaceAll("&", " and ")
    // "D.C." and "N.Y." are one word, "St.Louis" is two.
    .replace(/(?<![\p{L}\p{N}]\p{L}*)\p{L}(?:\.\p{L})+(?![\p{L}\p{N}])/gu, (initials) => initials.replaceAll(".", ""))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map(expand)
    .join(" ")

/**
 * A normalized name without its spaces, so that "La Salle" equals "LaSalle", and "O'Fallon" the postal service's "O
 * Fallon".
 */
export const compactName = (text: string): string => normalizeName(text).replaceAll(" ", "")

/**
 * A name without the words that only give its type ("City of Springfield", "Normal town"); undefined if it has none.
 */
export const withoutSort = (text: string): string | undefined => {
  const name = normalizeName(text)
  const bare = name
    .replace(/^(the )?((charter )?(city|town|village|township|borough|municipality) of) (?=.)/, "")
    .replace(/(?<=.) ((charter )?(city|town|village|township|borough|municipality)|cdp)$/, "")
  return bare === name ? undefined : bare
}

/**
 * A city's name as people write it, from the postal service's spelling ("O Fallon", "Mc Lean", "Saint Louis", "Scott
 * Afb").
 */
export const properName = (postal: string): string =>
  postal
    .replace(/^(St|Saint) (?=\p{L})/u, "St. ")
    .replace(/ Saint (?=\p{L})/u, " St. ")
    .replace(/\bSainte (?=\p{L})/u, "Ste. ")
    .replace(/^Mt (?=\p{L})/u, "Mount ")
    .replace(/^Ft (?=\p{L})/u, "Fort ")
    .replace(/\bMc (?=\p{Lu})/u, "Mc")
    .replace(/^O (?=\p{Lu})/u, "O'")
    .replace(/'S\b/g, "'s")
    .replace(/(?<=.)\b(Of|On|The|In|And)\b(?=.)/g, (word) => word.toLowerCase())
    .replace(/\bAfb\b/g, "AFB")
