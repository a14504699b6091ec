import { type Removal, removalsIn } from "../../src/text/redact/redact.ts"
import { unpack } from "../real-captions.ts"
import { linesIn } from "./lines.ts"
import type { Outcome } from "./score.ts"

const touches = (removals: ReadonlyArray<Removal>, cue: number, from: number, to: number): boolean =>
  removals.some(({ parts }) => parts.some((part) => part.segment === cue && part.from < to && from < part.to))

/** Each labeled candidate of the real captions, as they are or in capitals. Those labeled `unclear` are left out. */
export const captionOutcomes = (data: string, file: string, inCapitals: boolean): ReadonlyArray<Outcome> => {
  const captions = unpack(data)
  const removals = new Map<string, ReadonlyArray<Removal>>()
  const outcomes = linesIn(file).flatMap((line): ReadonlyArray<Outcome> => {
    const [meeting = "", second = "", cue = "", at = "", length = "", label = ""] = line.split("\t")
    if (label === "unclear") return []
    const known =
      removals.get(meeting) ??
      removalsIn(
        captions.read(meeting).map((segment) => ({
          ...segment,
          text: inCapitals ? segment.text.toUpperCase() : segment.text
        })),
        new Set()
      )
    removals.set(meeting, known)
    const from = Number(at)
    const isRemoved = touches(known, Number(cue), from, from + Number(length))
    return [{ name: `${meeting} at ${second} s, cue ${cue}`, label, isRemoved }]
  })
  captions.remove()
  return outcomes
}
