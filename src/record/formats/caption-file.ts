import { Effect, type FileSystem, type Path, Stream } from "effect"
import { type Item, type ReadError, warning } from "./item.ts"
import { type RecordingFile, recordingItems } from "./recording.ts"
import { readCaptions } from "./transcripts.ts"

/** Reads one WebVTT or SRT file: one meeting, whose body, place and day come from the flags or from `meeting.json` beside it. */
export const readCaptionFile = (
  recording: RecordingFile
): Stream.Stream<Item, ReadError, FileSystem.FileSystem | Path.Path> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { transcripts, unreadable } = yield* readCaptions(recording.path, recording.facts.language)
      const items = yield* recordingItems(recording, {}, transcripts)
      const origin = { file: recording.file, line: 1 }
      const lost = unreadable === 0 ? [] : [warning(origin, "", `${unreadable} cues cannot be read and are left out`)]
      return Stream.fromIterable([...lost, ...items])
    })
  )
