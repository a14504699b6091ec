import { Effect, Stream } from "effect"
import { isWebVtt } from "./captions.ts"
import type { Format, Items, SourceFile } from "./format.ts"
import { warning } from "./item.ts"
import { otherForm } from "./other-captions/other-captions.ts"
import { factsBeside, recordingItems } from "./recording.ts"
import { factsOr } from "./sidecar.ts"
import { readCaptions } from "./transcripts.ts"

const readCaptionFile = (file: SourceFile): Items =>
  Stream.unwrap(
    Effect.gen(function* () {
      const beside = factsOr(yield* factsBeside(file))
      const { transcripts, notices } = yield* readCaptions(file.path, { ...file.facts, ...beside })
      const items = yield* recordingItems(file, file.file, transcripts)
      const origin = { file: file.file, line: 1 }
      return Stream.fromIterable([...notices.map((notice) => warning(origin, "", notice)), ...items])
    })
  )

/**
 * One file of captions: one meeting, whose body, place and day come from the flags or from `meeting.json` beside it.
 */
export const captions: Format = {
  name: "captions",
  about: "the captions of one recording: WebVTT, SRT, SBV, TTML, ASS, SCC, YouTube's XML",
  isNamed: (name) => /\.(vtt|srt|sbv|ttml|dfxp|ass|ssa|scc|srv[123])$/i.test(name),
  isHead: (head) => isWebVtt(head) || otherForm(head) !== undefined,
  read: ([file]) => readCaptionFile(file)
}
