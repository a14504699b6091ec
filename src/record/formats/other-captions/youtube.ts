import { readXml } from "../xml.ts"
import type { Cue, Cues } from "./cue.ts"

/** Entities that were escaped twice, as YouTube does in its oldest format. */
const unescaped = (text: string): string =>
  text
    .replace(/&#(\d{1,7});/g, (_, code: string) => String.fromCodePoint(Math.min(Number(code), 0x10ffff)))
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")

/** Lines that scroll end when the next one begins. */
const withoutOverlap = (cues: ReadonlyArray<Cue>): ReadonlyArray<Cue> =>
  cues.map((cue, at) => {
    const next = cues[at + 1]
    return next !== undefined && next.start > cue.start && next.start < cue.end ? { ...cue, end: next.start } : cue
  })

/**
 * The cues of YouTube's XML: `<text start dur>` in seconds (srv1), or `<p t d>` in milliseconds with a `<s>` for each
 * word (srv3).
 */
export const youtubeCues = (text: string): Cues => {
  const cues: Array<{ start: number; end: number; text: string }> = []
  let isIn = false
  let unreadable = 0
  const read = readXml(text, {
    open: (name, attributes) => {
      const number = (key: string) => Number(attributes.get(key) ?? 0)
      const isOld = name === "text"
      if (!isOld && name !== "p") return
      const start = isOld ? number("start") : number("t") / 1000
      const end = start + (isOld ? number("dur") : number("d") / 1000)
      isIn = Number.isFinite(start) && Number.isFinite(end)
      if (isIn) cues.push({ start, end, text: "" })
      else unreadable++
    },
    text: (words) => {
      const last = cues.at(-1)
      if (isIn && last !== undefined) last.text += unescaped(words)
    },
    close: (name) => {
      if (name === "text" || name === "p") isIn = false
    }
  })
  const said = cues.filter((cue) => cue.text.trim() !== "")
  return { cues: withoutOverlap(said), unreadable: unreadable + (read._tag === "Failure" ? 1 : 0) }
}
