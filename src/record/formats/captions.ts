import { Effect } from "effect"
import { parseText, tokenizeVTTCue, type VTTCue, type VTTNode } from "media-captions"
import { roundSeconds } from "../../../schema/primitives.ts"
import type { Segment } from "../../../schema/transcript.ts"
import { otherForm } from "./other-captions/other-captions.ts"
import { plainCues } from "./plain-captions.ts"
import { segmentOf } from "./segments.ts"
import { tidy } from "./text.ts"

/** The content of a caption file: its cues as segments, and how many cues could not be read. */
export interface Captions {
  readonly segments: ReadonlyArray<Segment>
  readonly unreadable: number
}

/** Whether a text is WebVTT; other captions are read as SRT. */
export const isWebVtt = (text: string): boolean => /^WEBVTT(?=[\s]|$)/.test(text)

/** A `<` that opens no tag of a cue is a literal character. */
const strayBracket = /<(?!\/?(?:c|i|b|u|v|rt|ruby|lang|font)\b|\/>|\d+:\d)/gi

const numericReference = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi

const character = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\uFFFD")

interface Voice {
  readonly speaker: string | undefined
  readonly text: string
}

const voices = (nodes: ReadonlyArray<VTTNode>, speaker: string | undefined): ReadonlyArray<Voice> =>
  nodes.flatMap((node) =>
    node.type === "text"
      ? [{ speaker, text: node.data }]
      : voices(node.children, node.type === "v" ? tidy(node.voice) || speaker : speaker)
  )

/** The texts of a cue by voice, with its tags removed and its character references resolved. */
const voicesOf = ({ startTime, endTime, text }: VTTCue): ReadonlyArray<Voice> => {
  if (!/[<&{]/.test(text)) return [{ speaker: undefined, text }]
  const marked = text
    .replace(/\{\\an?\d+\}/g, "")
    .replace(strayBracket, "&lt;")
    .replace(/<\/?font\b[^>]*>/gi, "")
    .replace(numericReference, (_, hex: string | undefined, decimal: string) =>
      character(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)).replace(/[<&]/g, (sign) =>
        sign === "<" ? "&lt;" : "&amp;"
      )
    )
  const parts: Array<Voice> = []
  for (const part of voices(tokenizeVTTCue({ startTime, endTime, text: marked }), undefined)) {
    const last = parts.at(-1)
    if (last !== undefined && last.speaker === part.speaker)
      parts[parts.length - 1] = { ...last, text: last.text + part.text }
    else parts.push(part)
  }
  return parts
}

/**
 * Reads WebVTT, SRT or another form of captions: one segment per cue (one per voice where a cue has several), with the
 * cue's own times. Settings, styles, notes and empty cues are left out. No word has a time of its own.
 */
export const parseCaptions = Effect.fnUntraced(function* (text: string) {
  const plain = text.replace(/^\uFEFF/, "")
  const other = otherForm(plain)
  if (other !== undefined) {
    const { cues, unreadable } = other.read(plain)
    const segments = cues.flatMap((cue) => segmentOf(cue.start, cue.end, cue.text, [], cue.speaker))
    return { segments, unreadable } satisfies Captions
  }
  const type = isWebVtt(plain) ? "vtt" : "srt"
  const cues = plainCues(plain)
  const parsed =
    cues === undefined
      ? yield* Effect.promise(() => parseText(plain, { type, strict: false, errors: true }))
      : { cues, errors: [] }
  const segments = parsed.cues.flatMap((cue): ReadonlyArray<Segment> => {
    const start = roundSeconds(cue.startTime)
    const end = Math.max(start, roundSeconds(cue.endTime))
    return voicesOf(cue).flatMap(({ speaker, text }) => {
      const said = tidy(text)
      return said === "" ? [] : [{ start, end, ...(speaker === undefined ? {} : { speaker }), text: said }]
    })
  })
  return { segments, unreadable: parsed.errors.length } satisfies Captions
})

/** This many identical lines in a row mean that the recognizer got stuck. */
const stutter = 4

/**
 * Folds every run of four or more identical lines into one segment, from the start of the first to the end of the last.
 * Returns the same array if there is no such run.
 */
export const foldStutter = (segments: ReadonlyArray<Segment>): ReadonlyArray<Segment> => {
  const folded: Array<Segment> = []
  let from = 0
  for (let at = 1; at <= segments.length; at++) {
    const first = segments[from]
    const next = segments[at]
    if (first === undefined || (next !== undefined && next.text === first.text && next.speaker === first.speaker))
      continue
    const run = segments.slice(from, at)
    if (run.length < stutter) folded.push(...run)
    else folded.push({ ...first, end: run.reduce((end, segment) => Math.max(end, segment.end), first.end) })
    from = at
  }
  return folded.length === segments.length ? segments : folded
}
