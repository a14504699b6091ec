import { Effect, Result, Stream } from "effect"
import { encodingNote } from "../encoding.ts"
import { documentOf } from "../files.ts"
import { beginsAsJson, type Format, type Items, mentions, type SourceFile } from "../format.ts"
import { rejected, warning } from "../item.ts"
import { languageOf } from "../language.ts"
import { factsBeside, recordingItems } from "../recording.ts"
import { orderly } from "../segments.ts"
import { factsOr } from "../sidecar.ts"
import { moreShapes } from "./more-shapes.ts"
import { firstShapes, lastShapes, type Shape } from "./shapes.ts"

const shapes: ReadonlyArray<Shape> = [...firstShapes, ...moreShapes, ...lastShapes]

const shapeOf = (head: string): Shape | undefined =>
  beginsAsJson(head)
    ? shapes.find(({ keys }) => keys.some((all) => all.every((key) => mentions(head, key))))
    : undefined

/** How much of a document is looked at to tell whose it is. */
const headLength = 64 * 1024

const readRecording = (recording: SourceFile): Items =>
  Stream.unwrap(
    Effect.gen(function* () {
      const origin = { file: recording.file, line: 1 }
      const { value: document, encoding } = yield* documentOf(recording.path)
      if (Result.isFailure(document)) return Stream.make(rejected(origin, "", document.failure))
      const shape = shapeOf(JSON.stringify(document.success).slice(0, headLength))
      if (shape === undefined) return Stream.make(rejected(origin, "", "is the JSON of no known speech service"))
      const read = shape.read(document.success)
      if (Result.isFailure(read)) return Stream.make(rejected(origin, read.failure.field, read.failure.message))
      const { segments, leftOut } = orderly(read.success.segments)
      const beside = factsOr(yield* factsBeside(recording))
      // A recognizer wrote it, unless somebody says that it was corrected.
      const version = beside.transcript_version ?? recording.facts.transcript_version ?? "raw"
      const language = beside.language ?? recording.facts.language ?? languageOf(read.success.language)
      const transcript = { version, language, generator: shape.generator, segments }
      const items = yield* recordingItems(recording, recording.file, [transcript])
      const notes =
        leftOut === 0 ? [] : [warning(origin, "", `${leftOut} lines are at no time of a meeting; they are left out`)]
      return Stream.fromIterable([...encodingNote(origin, encoding), ...notes, ...items])
    })
  )

/**
 * The JSON of a speech service: one meeting, whose body, place and day come from the flags or `meeting.json` beside it.
 */
export const speech: Format = {
  name: "speech",
  about: "the JSON of YouTube, AssemblyAI, Deepgram, Amazon, Google, Azure, whisper.cpp and podcasts",
  isNamed: (name) => /\.json3$/i.test(name),
  isRecord: (record) => shapeOf(JSON.stringify(record)) !== undefined,
  isHead: (head) => shapeOf(head) !== undefined,
  read: ([file]) => readRecording(file)
}
