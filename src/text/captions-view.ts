import type { Segment } from "../../schema/transcript.ts"

/** A segment of a transcript as a page shows it, or a piece of one in which the speaker changes. */
export interface ShownSegment extends Pick<Segment, "start" | "end" | "speaker" | "text"> {
  /** Somebody else begins to speak, whose name may be unknown. */
  readonly begins?: true
  /** It goes on with the segment of the piece before it. */
  readonly rest?: true
  /** Its text takes another number of characters than the segment's own. */
  readonly altered?: true
}

export interface CaptionsView {
  readonly segments: ReadonlyArray<ShownSegment>
  /** Changes that readers are told of. */
  readonly recased: boolean
  readonly repeats: number
}

/** Capitals that stay: those of days and months, and of what has no other spelling. */
const proper = new Map(
  (
    "I I'm I'll I've I'd Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February April June July " +
    "August September October November December American America English Spanish God Christmas Thanksgiving Zoom " +
    "US USA UK EPA FEMA HUD ADA HOA CEO CFO HR IT PD DOT COVID COVID-19 Ms Mr Mrs Dr"
  )
    .split(" ")
    .map((word) => [word.toLowerCase(), word])
)
for (const common of ["it", "us", "ada", "hr"]) proper.delete(common)

/** Whoever these words announce has a name, and a month has a day. */
const announced = /\b(?:mr\.?|mrs\.?|ms\.?|dr\.?) \p{L}(?=\p{L})|\b(?:march|may) (?=\d)/gu
/** These may announce one, as `Mayor Marsh`, or none, as `the mayor said`. */
const offices = /\b(mayor|commissioner|senator|alderman|member|man|woman|president) (\p{L}+)/gu

/** Lower case without changing the length, so that places in the text stay the same. */
const lowered = (text: string): string => {
  const low = text.toLowerCase()
  return low.length === text.length ? low : text
}
const raised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Whether captions are in capitals throughout, as a stenographer's are. */
const inCapitals = (segments: ReadonlyArray<Pick<Segment, "text">>): boolean => {
  let [upper, lower] = [0, 0]
  for (const { text } of segments) {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code >= 65 && code <= 90) upper += 1
      else if (code >= 97 && code <= 122) lower += 1
    }
    if (upper + lower > 20_000) break
  }
  return upper > 20 && upper > lower * 8
}

/** Names, longest first, as one pattern: `Ada Marsh`, and the name behind an office, `Mayor Marsh`. */
const namesPattern = (names: Iterable<string>) => {
  const spelled = new Map<string, string>()
  for (const name of names) {
    const bare = name.trim()
    if (bare.length < 3 || bare.length > 80 || bare === bare.toUpperCase() || bare === bare.toLowerCase()) continue
    const low = lowered(bare)
    if (low !== bare) spelled.set(low, bare)
  }
  const sorted = [...spelled.keys()].sort((a, b) => b.length - a.length).slice(0, 400)
  const escaped = sorted.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  const pattern = escaped.length === 0 ? undefined : new RegExp(`(?<!\\p{L})(?:${escaped.join("|")})(?!\\p{L})`, "gu")
  return { spelled, pattern }
}

const recaser = (names: Iterable<string>) => {
  const { spelled, pattern } = namesPattern(names)
  const surnames = new Set([...spelled.values()].flatMap((name) => name.split(" ").slice(1)).map(lowered))
  return (text: string, opens: boolean): string => {
    let low = lowered(text)
    low = low.replace(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu, (word, at: number) => {
      const known = proper.get(word.replaceAll("’", "'"))
      if (known !== undefined) return known.length === word.length ? known : word
      const letters = text.slice(at, at + word.length)
      return /^[bcdfghjklmnpqrstvwxz]{2,5}$/.test(word) && !/^(?:st|th|nd|rd|hm+|sh+|mm+|vs|etc|pm|ft|lbs?)$/.test(word)
        ? letters.toUpperCase()
        : word
    })
    low = low.replace(announced, (found) => found.replace(/\b\p{Ll}/gu, (letter) => letter.toUpperCase()))
    low = low.replace(offices, (found, office: string, name: string) =>
      surnames.has(name) ? `${raised(office)} ${raised(name)}` : found
    )
    if (pattern !== undefined) {
      pattern.lastIndex = 0
      low = low.replace(pattern, (found) => spelled.get(found) ?? found)
    }
    low = low.replace(/([.?!]["”’)]?\s+)(\p{Ll})/gu, (_, end: string, letter: string) => end + letter.toUpperCase())
    return opens
      ? low.replace(/^(\P{L}*)(\p{Ll})/u, (_, before: string, letter: string) => before + letter.toUpperCase())
      : low
  }
}

/** A line is a repetition only if it is too long to be said twice by chance, as `Aye.` is. */
const leastRepeated = 4
const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/**
 * A transcript as pages show it: captions in capitals in sentence case, with the capitals of `names`; `>>` as a change
 * of speaker; a line that stands twice in a row, once; without the stray stop that a line begins with. The words and
 * their times stay as they are on record. Each segment comes as one piece or more, in order; one that is not shown has
 * no text.
 */
export const captionsView = (segments: ReadonlyArray<Segment>, names: Iterable<string> = []): CaptionsView => {
  const recased = inCapitals(segments)
  const recase = recased ? recaser(names) : (text: string) => text
  const shown: Array<ShownSegment> = []
  let [repeats, last, ended, closed] = [0, "", Number.NEGATIVE_INFINITY, true]
  let speaking: string | undefined
  for (const { start, end, speaker, text } of segments) {
    const told = { start, end, ...(speaker === undefined ? {} : { speaker }) }
    const said = folded(text)
    const isRepeat =
      said === last && speaker === speaking && start - ended < 2 && said.split(" ").length >= leastRepeated
    ;[last, ended, speaking] = [said, end, speaker]
    if (isRepeat) {
      repeats += 1
      shown.push({ ...told, text: "", altered: true })
      continue
    }
    const pieces = text.includes(">>") ? text.split(/\s*>{2,}\s*/) : [text]
    const opensWithChange = pieces.length > 1 && pieces[0] === ""
    const spoken = opensWithChange ? pieces.slice(1) : pieces
    for (const [at, piece] of spoken.entries()) {
      const begins = at > 0 || opensWithChange
      const bare = piece.replace(/^\s*[.,;:!?](?:\s+|$)/, "")
      const now = recase(bare, closed || begins)
      if (bare !== "") closed = /[.?!]["”’)\]]?\s*$/.test(bare)
      shown.push({
        ...told,
        text: now,
        ...(begins ? { begins } : {}),
        ...(at > 0 ? { rest: true as const } : {}),
        ...(spoken.length > 1 || now.length !== text.length ? { altered: true as const } : {})
      })
    }
  }
  return { segments: shown, recased, repeats }
}

/** Names in running text: words with a capital that do not begin a sentence. */
export const namesIn = (texts: Iterable<string>): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const text of texts) {
    for (const [name] of text.matchAll(/(?<=[\p{Ll}\p{N},;]\s)\p{Lu}[\p{L}'’-]*\p{Ll}(?:\s\p{Lu}[\p{L}'’-]*\p{Ll})*/gu))
      found.add(name)
  }
  return found
}
