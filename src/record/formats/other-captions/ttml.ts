import { readXml } from "../xml.ts"
import type { Cue, Cues } from "./cue.ts"

interface Rates {
  readonly frames: number
  readonly ticks: number
}

/** A time expression in seconds (TTML2, 12.3.1): a clock with a fraction or frames, or a number with its unit. */
const secondsOf = (text: string | undefined, { frames, ticks }: Rates): number | undefined => {
  const clock = /^(\d{2,}):(\d{2}):(\d{2})(?:(\.\d+)|:(\d{2,}(?:\.\d+)?))?$/.exec(text?.trim() ?? "")
  if (clock !== null) {
    const [, hours, minutes, seconds, fraction = "0", frame = "0"] = clock
    return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(fraction) + Number(frame) / frames
  }
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)(ms|h|m|s|f|t)$/.exec(text?.trim() ?? "") ?? []
  const units: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001, f: 1 / frames, t: 1 / ticks }
  const length = units[unit]
  return count === undefined || length === undefined ? undefined : Number(count) * length
}

const ratesOf = (attributes: ReadonlyMap<string, string>): Rates => {
  const [over = 1, under = 1] = (attributes.get("frameRateMultiplier") ?? "1 1").split(/[\s:]+/).map(Number)
  const frames = (Number(attributes.get("frameRate")) || 30) * (over / under || 1)
  return { frames, ticks: Number(attributes.get("tickRate")) || 1 }
}

interface Open {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly isTimed: boolean
}

/**
 * The cues of TTML (DFXP, IMSC): the text of each paragraph, or of each part of one that has times of its own. Times of
 * an element are relative to those of what it stands in.
 */
export const ttmlCues = (text: string): Cues => {
  const cues: Array<{ -readonly [K in keyof Cue]: Cue[K] }> = []
  const open: Array<Open> = []
  const agents = new Map<string, string>()
  let rates: Rates = { frames: 30, ticks: 1 }
  let agent: string | undefined
  let unreadable = 0
  const add = (words: string) => {
    const timed = open.findLast(({ isTimed }) => isTimed)
    if (timed === undefined || !open.some(({ name }) => name === "p")) return
    const last = cues.at(-1)
    if (last !== undefined && last.start === timed.from && last.end === timed.to) last.text += words
    else if (words.trim() !== "") cues.push({ start: timed.from, end: timed.to, text: words, speaker: agent })
  }
  const read = readXml(text, {
    open: (name, attributes) => {
      if (name === "tt") rates = ratesOf(attributes)
      if (name === "agent") agent = attributes.get("id")
      if (name === "br") add(" ")
      const outer = open.at(-1) ?? { from: 0, to: Number.POSITIVE_INFINITY, isTimed: false }
      const begin = secondsOf(attributes.get("begin"), rates)
      const end = secondsOf(attributes.get("end"), rates)
      const length = secondsOf(attributes.get("dur"), rates)
      if (name === "p" && attributes.has("begin") && begin === undefined) unreadable++
      const from = outer.from + (begin ?? 0)
      const to = Math.min(
        end === undefined ? outer.to : outer.from + end,
        length === undefined ? Number.POSITIVE_INFINITY : from + length
      )
      if (name === "p") agent = agents.get(attributes.get("agent") ?? "")
      open.push({ name, from, to, isTimed: outer.isTimed || begin !== undefined })
    },
    text: (words) => {
      if (open.at(-1)?.name === "name" && agent !== undefined) agents.set(agent, words.trim())
      add(words)
    },
    close: () => void open.pop()
  })
  const sound = cues.filter(({ end }) => Number.isFinite(end))
  return { cues: sound, unreadable: unreadable + (cues.length - sound.length) + (read._tag === "Failure" ? 1 : 0) }
}
