import type { VTTCue } from "media-captions"

const header = "WEBVTT\n\n"
const arrow = " --> "
/** The characters of a time, and of the line with a cue's two times. */
const timeLength = 12
const timesLength = 2 * timeLength + arrow.length

/** A cue's first line may be settings that belong to the line before. */
const settings = /^\s*(region|vertical|line|position|size|align)[:=]/

const digitAt = (text: string, at: number): number => {
  const digit = text.charCodeAt(at) - 48
  return digit >= 0 && digit <= 9 ? digit : Number.NaN
}

const pairAt = (text: string, at: number): number => 10 * digitAt(text, at) + digitAt(text, at + 1)

/** The seconds of `HH:MM:SS.mmm` at a position; NaN if something else is there. */
const secondsAt = (text: string, at: number): number => {
  const minutes = pairAt(text, at + 3)
  const seconds = pairAt(text, at + 6)
  const isTime = text[at + 2] === ":" && text[at + 5] === ":" && text[at + 8] === "." && minutes < 60 && seconds < 60
  if (!isTime) return Number.NaN
  return pairAt(text, at) * 3600 + minutes * 60 + seconds + (10 * pairAt(text, at + 9) + digitAt(text, at + 11)) / 1000
}

/**
 * The cues of WebVTT that contains nothing else, as most programs write it. Undefined if anything else is in it, or in
 * any doubt: the library then reads the file, at ten times the cost, and with the same result for plain files.
 */
export const plainCues = (text: string): ReadonlyArray<VTTCue> | undefined => {
  if (!text.startsWith(header) || text.includes("\r")) return undefined
  const cues: Array<VTTCue> = []
  for (let at = header.length; at < text.length; ) {
    if (text[at] === "\n") {
      at++
      continue
    }
    const startTime = secondsAt(text, at)
    const endTime = secondsAt(text, at + timeLength + arrow.length)
    const from = at + timesLength
    if (!(endTime > startTime) || !text.startsWith(arrow, at + timeLength) || text[from] !== "\n") return undefined
    // The blank line after the cue, which may have no words.
    const close = text.indexOf("\n\n", from)
    at = close === -1 ? text.length : close
    const words = text.slice(from + 1, at)
    if (settings.test(words)) return undefined
    cues.push({ startTime, endTime, text: words })
  }
  return cues
}
