import { tidy, webAddress } from "../../record/formats/text.ts"

/** How much of a description is read, in characters. */
export const longestDescription = 20_000

/** Where people watch a video of YouTube's, by its id. */
export const youTubePage = (video: string): string => `https://www.youtube.com/watch?v=${encodeURIComponent(video)}`

interface Link {
  readonly label: string
  readonly url: string
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " }

const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w{2,6}));/gi, (whole, decimal?: string, hex?: string, name = "") => {
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal)
    return Number.isNaN(code) ? (entities[name.toLowerCase()] ?? whole) : String.fromCodePoint(Math.min(code, 0x10ffff))
  })

const isHtml = /<\/?(?:a|p|br|div|span|b|strong|ul|li|table|html|body)\b[^<>]*>/i
const endsLine = /^<(?:br|\/p|\/div|\/li|\/tr)\b/i

/** A description without its HTML: lines stay lines, and an address stands behind the words that link to it. */
export const withoutHtml = (text: string): string => {
  if (!isHtml.test(text)) return text
  let link = ""
  let isCode = false
  const plain = text.split(/(<[^<>]*>)/).map((part) => {
    if (!/^<[^<>]*>$/.test(part)) return isCode ? "" : part
    if (/^<\/?(?:script|style)\b/i.test(part)) isCode = !part.startsWith("</")
    if (/^<a\s/i.test(part)) link = /\shref\s?=\s?["']?([^"'\s>]+)/i.exec(part)?.[1] ?? ""
    return /^<\/a\b/i.test(part) ? ` ${link} ` : endsLine.test(part) ? "\n" : " "
  })
  return decoded(plain.join(""))
}

/** The addresses in a description, plain or in HTML, each with the words that link to it or stand before it. */
const linksIn = (text: string): ReadonlyArray<Link> =>
  withoutHtml(text)
    .split(/\n/)
    .flatMap((line) => {
      const found = [...line.matchAll(/https?:\/\/[^\s<>"')\]]+/gi)]
      return found.flatMap((match, at) => {
        const before = found[at - 1]
        const from = before === undefined ? 0 : before.index + before[0].length
        const url = webAddress(match[0].replace(/[.,;:]+$/, ""))
        return url === undefined ? [] : [{ label: tidy(line.slice(from, match.index)), url }]
      })
    })

const isFilm = ({ url }: Link): boolean => /\.(?:mp4|m4v|mov|webm|mkv)(?:[?#]|$)/i.test(url)
const isSound = ({ url }: Link): boolean => /\.(?:mp3|m4a)(?:[?#]|$)/i.test(url)
const isPlayer = ({ url }: Link): boolean =>
  /^https?:\/\/(?:[\w-]+\.)*(?:youtube\.com\/(?:watch|live)|youtu\.be\/|vimeo\.com\/\d|granicus\.com\/(?:player|MediaPlayer)|archive\.org\/details\/|viebit\.com\/)/i.test(
    url
  )
const says = (words: RegExp) => (link: Link) =>
  words.test(link.label) || words.test(link.url.replace(/^https?:\/\/[^/]+/, ""))
const isMinutes = says(/(?:^|[^a-z])minutes(?:[^a-z]|$)/i)
const isAgenda = says(/agenda|packet/i)

/**
 * What the addresses of an entry lead to: those of its description and of its attachments, by their names and the words
 * before them. A PDF that says nothing is the agenda.
 */
export const linkedIn = (description: string, attached: ReadonlyArray<Link>) => {
  const links = [...attached, ...linksIn(description)]
  const rest = links.filter((link) => !isFilm(link) && !isSound(link) && !isPlayer(link))
  const minutes = rest.find((link) => isMinutes(link) && !isAgenda(link))
  const agenda =
    rest.find((link) => isAgenda(link) && link !== minutes) ??
    attached.find(({ label, url }) => /\.pdf(?:[?#]|$)/i.test(url) && !isMinutes({ label, url }))
  return {
    agenda: agenda?.url,
    minutes: minutes?.url,
    film: (links.find(isFilm) ?? links.find(isSound))?.url,
    player: links.find(isPlayer)?.url
  }
}
