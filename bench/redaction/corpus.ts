import * as path from "node:path"
import { wordOf } from "../../src/text/redact/nearby.ts"
import { tokensIn } from "../../src/text/redact/tokens.ts"
import { unpack } from "../real-captions.ts"
import { linesIn } from "./lines.ts"

/**
 * The words of the meetings of Knox County of which no candidate is held out or blind, as the weights of redaction read
 * them: a meeting a line.
 */
export const corpusIn = (data: string): ReadonlyArray<string> => {
  const captions = unpack(data)
  const without = new Set(
    ["captions-held-out.tsv", "captions-blind.tsv"].flatMap((file) =>
      linesIn(file).map((line) => line.slice(0, line.indexOf("\t")))
    )
  )
  const meetings = captions.listed.flatMap((meeting) =>
    meeting.captions === undefined ? [] : [path.basename(meeting.captions, ".vtt")]
  )
  const texts = meetings
    .filter((meeting) => !without.has(meeting))
    .map((meeting) =>
      tokensIn(captions.read(meeting).map(({ text }) => text))
        .map(wordOf)
        .join(" ")
    )
  captions.remove()
  return texts
}
