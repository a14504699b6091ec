import { isWebAddress } from "../../../schema/primitives.ts"

/** Trimmed, with every run of white space replaced by one space. */
export const tidy = (text: string | null | undefined): string => (text ?? "").replace(/\s{2,}|[^\S ]/g, " ").trim()

/** Trimmed line by line; paragraphs stay. */
const tidyLines = (text: string | null | undefined): string =>
  (text ?? "")
    .replace(/\r\n?/g, "\n")
    .replace(/[^\S\n]{2,}|[^\S\n ]/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()

/** At most `length` characters: a longer text is cut at a word and ends in an ellipsis. */
export const shorten = (text: string, length: number): string => {
  if (text.length <= length) return text
  const cut = text.slice(0, length - 1)
  const space = cut.lastIndexOf(" ")
  return `${(space > length / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.–-]+$/, "")}…`
}

/** An http or https address that the schema accepts; undefined if it is not one. */
export const webAddress = (text: string | null | undefined): string | undefined => {
  const address = (text ?? "").trim().replace(/ /g, "%20")
  return isWebAddress(address) ? address : undefined
}

/** The plain text of a note in Rich Text Format, which Legistar uses for some; other text is returned unchanged. */
export const plainText = (text: string | null | undefined): string => {
  const note = text ?? ""
  if (!note.startsWith("{\\rtf")) return tidyLines(note)
  const plain = note
    .replace(/\{\\(fonttbl|colortbl|stylesheet|info|\*)(?:[^{}]|\{[^{}]*\})*\}/g, "")
    .replace(/\\'([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\(par|line)\b ?/g, "\n")
    .replace(/\\u(-?\d+)\??/g, (_, code: string) => String.fromCharCode((Number(code) + 65_536) % 65_536))
    .replace(/\\[a-z]+-?\d* ?/gi, "")
    .replace(/[{}]/g, "")
  return tidyLines(plain)
}
