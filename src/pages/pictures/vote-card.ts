import escapeHtml from "escape-html"
import type { VoteCount, VoteResult } from "../../../schema/vote.ts"
import { countsInWords, figureOf, optionOrder, resultWords } from "../../text/vote-words.ts"

/** What a picture for shared links shows: what it is about, and the vote, if there is one with figures. */
export interface VoteCard {
  /** `Springfield City Council, March 10, 2026` */
  readonly from: string
  readonly title: string
  readonly vote?: { readonly result?: VoteResult | undefined; readonly counts: ReadonlyArray<typeof VoteCount.Type> }
  /** Instead of a vote: `In committee`. */
  readonly status?: string
}

/** The size that link previews ask for, in pixels. */
const cardSize = { width: 1200, height: 630 } as const

const margin = 72
const ink = "#1b2420"
const quiet = "#5b646d"
const green = "#14532d"
const paper = "#fbfaf6"

/** The most characters of a line of the title, and its most lines; the font is nearly as wide as half its height. */
const inLine = 40
const mostLines = 3

/** A title on lines. A word longer than a line is cut. */
const linesOf = (title: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of title.split(/\s+/u)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= inLine) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word.slice(0, inLine))
  }
  if (lines.length <= mostLines) return lines
  return [...lines.slice(0, mostLines - 1), `${(lines[mostLines - 1] ?? "").slice(0, inLine - 1)}…`]
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])/gu

const text = (x: number, y: number, size: number, color: string, said: string): string =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${color}">${escapeHtml(said.replace(unwritable, ""))}</text>`

/** The most seats in the strip; a larger body has a part of a seat for each of its votes. */
const mostSeats = 60
const seatSize = 14

/** A row of seats: yes is filled, no is crossed out, everything else is an outline. */
const seats = (counts: NonNullable<VoteCard["vote"]>["counts"], y: number): string => {
  const total = counts.reduce((sum, { value }) => sum + value, 0)
  const scale = total > mostSeats ? mostSeats / total : 1
  const all = counts
    .toSorted((a, b) => optionOrder.indexOf(a.option) - optionOrder.indexOf(b.option))
    .flatMap(({ option, value }) => Array.from({ length: Math.ceil(value * scale) }, () => option))
    .slice(0, mostSeats)
  return all
    .map((option, at) => {
      const x = margin + at * (seatSize + 3.5)
      const fill = option === "yes" || option === "present" ? green : "none"
      const cross = option === "no" ? `<path d="M${x} ${y}l14 14m0-14l-14 14" stroke="#9b1c1c" stroke-width="3"/>` : ""
      const edge = option === "no" ? "#9b1c1c" : option === "yes" || option === "present" ? green : quiet
      return `<rect x="${x}" y="${y}" width="14" height="14" fill="${fill}" stroke="${edge}" stroke-width="2"/>${cross}`
    })
    .join("")
}

/** The figure, as large as it has room, with the result and the seats. */
const voteOf = (vote: NonNullable<VoteCard["vote"]>): string => {
  const figure = figureOf(vote)
  const result = vote.result === undefined || vote.result === "other" ? undefined : resultWords[vote.result]
  const said = [result, figure].filter((part) => part !== undefined).join(" ")
  return [
    text(margin, 460, 88, vote.result === "fail" ? "#9b1c1c" : green, said),
    seats(vote.counts, 500),
    text(margin, 556, 28, quiet, countsInWords(vote))
  ].join("")
}

/** The picture as SVG. */
export const voteCard = ({ from, title, vote, status }: VoteCard): string => {
  const { width, height } = cardSize
  const lines = linesOf(title).map((line, at) => text(margin, 176 + at * 58, 46, ink, line))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="DejaVu Sans">`,
    `<rect width="100%" height="100%" fill="${paper}"/><rect width="${width}" height="14" fill="${green}"/>`,
    text(margin, 96, 30, quiet, from.length > 60 ? `${from.slice(0, 59)}…` : from),
    ...lines,
    vote === undefined ? text(margin, 460, 64, green, status ?? "") : voteOf(vote),
    text(width - margin - 178, 600, 26, ink, "Civic Record"),
    "</svg>"
  ].join("")
}
