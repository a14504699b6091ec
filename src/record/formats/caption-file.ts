import { Effect, Stream } from "effect"
import { isWebVtt } from "./captions.ts"
import type { Format, Items, SourceFile } from "./format.ts"
import { warning } from "./item.ts"
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
 * One WebVTT or SRT file: one meeting, whose body, place and day come from the flags or from `meeting.json` beside it.
 */
export const captions: Format = {
  name: "captions",
  about: "the WebVTT or SRT captions of one recording",
  isNamed: (name) => /\.(vtt|srt)$/i.test(name),
  isHead: isWebVtt,
  read: ([file]) => readCaptionFile(file)
}
