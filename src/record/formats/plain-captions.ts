import type { VTTCue } from "media-captions"

/** The number that so many digits of a text are; NaN where there is anything else. */
const digitsAt = (text: string, at: number, count: number): number => {
  let value = 0
  for (let next = at; next < at + count; next++) {
    const digit = text.charCodeAt(next) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

/** The seconds of a time such as `00:01:02.500`, which has twelve characters; NaN where there is none. */
const secondsAt = (text: string, at: number): number => {
  const isTime = text[at + 2] === ":" && text[at + 5] === ":" && text[at + 8] === "."
  const [minutes, seconds] = [digitsAt(text, at + 3, 2), digitsAt(text, at + 6, 2)]
  if (!isTime || !(minutes <= 59) || !(seconds <= 59)) return Number.NaN
  return digitsAt(text, at, 2) * 3600 + minutes * 60 + seconds + digitsAt(text, at + 9, 3) / 1000
}

const arrow = " --> "

/** `00:01:02.500 --> 00:01:04.000`. */
const timesLength = 12 + arrow.length + 12

/** A line that would be taken for settings of the cue. */
const settings = /^\s*(?:region|vertical|line|position|size|align)[:=]/

/**
 * The cues of a WebVTT file that has its header, cues with whole times and nothing else, as programs write nearly all of
 * them. Undefined where anything is otherwise: media-captions, which takes several times as long, reads all of WebVTT.
 */
export const plainCues = (text: string): ReadonlyArray<VTTCue> | undefined => {
  const plain = text.includes("\r") ? text.replaceAll("\r\n", "\n") : text
  const header = "WEBVTT\n\n"
  if (!plain.startsWith(header) || plain.includes("\r")) return undefined
  const cues: Array<VTTCue> = []
  for (let at = header.length; at < plain.length; ) {
    if (plain[at] === "\n") {
      at++
      continue
    }
    const startTime = secondsAt(plain, at)
    const endTime = secondsAt(plain, at + 12 + arrow.length)
    const after = at + timesLength
    if (!(endTime > startTime) || !plain.startsWith(arrow, at + 12)) return undefined
    if (after < plain.length && plain[after] !== "\n") return undefined
    const end = plain.indexOf("\n\n", after)
    const to = end === -1 ? plain.length : end
    const said = plain.slice(after + 1, to)
    if (settings.test(said)) return undefined
    cues.push({ startTime, endTime, text: said })
    at = to + 2
  }
  return cues
}
