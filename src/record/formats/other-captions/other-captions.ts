import type { Cues } from "./cue.ts"
import { assCues, isAss, isSbv, sbvCues } from "./plain.ts"
import { isScc, sccCues } from "./scc.ts"
import { ttmlCues } from "./ttml.ts"
import { youtubeCues } from "./youtube.ts"

interface CaptionForm {
  readonly isOne: (text: string) => boolean
  readonly read: (text: string) => Cues
}

/** The first element of an XML document, without its prefix. */
const rootOf = (text: string): string | undefined =>
  /^\s*(?:<\?[^>]*>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?\s*>\s*)*<(?:[\w.-]+:)?([\w.-]+)[\s>]/i.exec(
    text.slice(0, 64_000)
  )?.[1]

/** Forms of captions besides WebVTT and SRT, by how they begin. */
const forms: ReadonlyArray<CaptionForm> = [
  { isOne: (text) => rootOf(text) === "tt", read: ttmlCues },
  { isOne: (text) => /^(?:timedtext|transcript)$/.test(rootOf(text) ?? ""), read: youtubeCues },
  { isOne: isScc, read: sccCues },
  { isOne: isAss, read: assCues },
  { isOne: isSbv, read: sbvCues }
]

/** The form of a caption file by its beginning; undefined for WebVTT, SRT and anything else. */
export const otherForm = (head: string): CaptionForm | undefined => {
  const text = head.replace(/^\uFEFF/, "")
  return forms.find(({ isOne }) => isOne(text))
}
