import { Effect, Stream } from "effect"
import { encodingNote } from "../encoding.ts"
import { textOf } from "../files.ts"
import type { Format, Items, SourceFile } from "../format.ts"
import { rejected } from "../item.ts"
import { languageOf } from "../language.ts"
import { factsBeside, recordingItems } from "../recording.ts"
import { orderly } from "../segments.ts"
import { factsOr } from "../sidecar.ts"
import { docxLines } from "./docx.ts"
import { isSpokenText, spokenLines } from "./spoken-lines.ts"

const isDocx = (name: string): boolean => /\.docx$/i.test(name)

const readTranscript = (recording: SourceFile): Items =>
  Stream.unwrap(
    Effect.gen(function* () {
      const origin = { file: recording.file, line: 1 }
      const { value: text, encoding } = isDocx(recording.path)
        ? { value: yield* docxLines(recording.path), encoding: undefined }
        : yield* textOf(recording.path)
      const { segments } = orderly(spokenLines(text))
      if (segments.length === 0) {
        return Stream.make(
          rejected(
            origin,
            "",
            "has no lines with times; a transcript has one before what was said, such as [0:01:23] Mayor Pruitt: Good evening"
          )
        )
      }
      const beside = factsOr(yield* factsBeside(recording))
      const version = beside.transcript_version ?? recording.facts.transcript_version ?? "refined"
      const language = beside.language ?? recording.facts.language ?? languageOf(undefined)
      const items = yield* recordingItems(recording, recording.file, [{ version, language, segments }])
      return Stream.fromIterable([...encodingNote(origin, encoding), ...items])
    })
  )

/** A transcript that people wrote: text or a Word document, with the time of each turn and often who speaks. */
export const textTranscript: Format = {
  name: "text",
  about: "a transcript as text or Word (DOCX), with a time before each turn",
  isNamed: isDocx,
  isHead: isSpokenText,
  read: ([file]) => readTranscript(file)
}
