import type { Segment } from "../../../../schema/transcript.ts"
import { clockSeconds } from "../other-captions/cue.ts"
import { segmentOf } from "../segments.ts"

const time = "(?:\\d{1,2}:)?\\d{1,2}:\\d{2}(?:[.,]\\d{1,3})?"
/** `[00:01:23] MAYOR PRUITT: …`, `0:05 - 0:09 …`, or a time alone, with the text on the next lines. */
const leading = new RegExp(
  `^[[(<]?\\s*(${time})(?!\\s*[ap]\\.?m\\b)\\s*[\\])>]?(?:\\s*(?:-->|[-–—])\\s*[[(]?(${time})[\\])]?)?(?:[\\s:–—-]+(.*))?$`,
  "i"
)
/** `Mayor Pruitt  0:05`, with the text below. */
const trailing = new RegExp(`^([^\\d:.!?]{2,60}?)[\\s,|–—-]+[[(]?(${time})[\\])]?$`)
const naming = /^([\p{Lu}][\p{L}\p{N}.,'’() -]{0,60}?)\s*:\s+(.*)$/u

interface Spoken {
  readonly start: number
  readonly end: number | undefined
  speaker: string | undefined
  text: string
}

const named = (text: string): { readonly speaker?: string; readonly text: string } => {
  const [, speaker, rest] = naming.exec(text) ?? []
  return speaker === undefined || rest === undefined || speaker.split(/\s+/).length > 6
    ? { text }
    : { speaker, text: rest }
}

/** Whether a line begins or ends with the time at which something was said. */
const isTimed = (line: string): boolean => leading.test(line) || trailing.test(line)

/** Whether a text is a transcript: three lines with times, and no long stretch without one. */
export const isSpokenText = (head: string): boolean => {
  const lines = head.split(/\r?\n/).filter((line) => line.trim() !== "")
  const timed = lines.filter((line) => isTimed(line.trim())).length
  return timed >= 3 && timed * 8 >= lines.length
}

/** How fast people speak at least, in words a second, where a text does not say when a turn ends. */
const slowest = 1

/**
 * The turns of a transcript in plain text, each from its time to that of the next, but no longer than its words take.
 * Lines that begin with an asterisk are remarks, and those before the first time are a heading.
 */
export const spokenLines = (text: string): ReadonlyArray<Segment> => {
  const turns: Array<Spoken> = []
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim()
    if (line === "" || line.startsWith("*")) continue
    const [, from, to, rest = ""] = leading.exec(line) ?? []
    const [, speaker, at] = trailing.exec(line) ?? []
    const last = turns.at(-1)
    if (from !== undefined) {
      const { speaker: by, text: said } = named(rest.trim())
      turns.push({
        start: clockSeconds(from),
        end: to === undefined ? undefined : clockSeconds(to),
        speaker: by,
        text: said
      })
    } else if (speaker !== undefined && at !== undefined) {
      turns.push({ start: clockSeconds(at), end: undefined, speaker: speaker.trim(), text: "" })
    } else if (last !== undefined) {
      const said = last.text === "" && last.speaker === undefined ? named(line) : { text: line }
      last.speaker ??= said.speaker
      last.text = last.text === "" ? said.text : `${last.text} ${said.text}`
    }
  }
  return turns.flatMap(({ start, end, speaker, text: said }, at) => {
    const next = turns.slice(at + 1).find((turn) => turn.start > start)?.start ?? Number.POSITIVE_INFINITY
    const spoken = Math.max(2, said.split(/\s+/).length / slowest)
    return segmentOf(start, end ?? Math.min(next, start + spoken), said, [], speaker)
  })
}
