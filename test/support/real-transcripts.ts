import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Option, Schema } from "effect"
import { type Captions, foldStutter, parseCaptions } from "../../src/record/formats/captions.ts"
import { archiveFiles, archives } from "./real-archives.ts"

const files = [archives.knoxville, archives.seattle]

/** Whether the real transcripts are beside the project. */
export const areThere = files.every((file) => fs.existsSync(file))

/** Spoken words, their time in seconds, and who spoke them if that was told apart. */
export interface Line {
  readonly start: number
  readonly end: number
  readonly speaker?: string
  readonly text: string
}

/** The transcripts of the Council Data Project: by sentence, in its newer and its older shape. */
const Sentences = Schema.Array(
  Schema.Struct({ start_time: Schema.Finite, end_time: Schema.Finite, text: Schema.String })
)

/** WhisperX's, with speakers. */
const Segments = Schema.Array(
  Schema.Struct({
    start: Schema.Finite,
    end: Schema.Finite,
    speaker: Schema.optionalKey(Schema.String),
    text: Schema.String
  })
)

const Transcript = Schema.fromJsonString(
  Schema.Union([
    Schema.Struct({ sentences: Sentences }),
    Schema.Struct({ data: Sentences }),
    Schema.Struct({ segments: Segments })
  ])
)

const sentencesOf = (json: string): ReadonlyArray<Line> =>
  Option.match(Schema.decodeUnknownOption(Transcript)(json), {
    onNone: () => [],
    onSome: (found) => {
      const lines =
        "segments" in found
          ? found.segments.map((segment) => ({ ...segment, text: segment.text.trim() }))
          : ("sentences" in found ? found.sentences : found.data).map(({ start_time: start, end_time: end, text }) => ({
              ...{ start, end, text }
            }))
      return lines.filter(({ text }) => text !== "")
    }
  })

const linesOf = (name: string, content: string): Promise<ReadonlyArray<Line>> =>
  name.endsWith(".vtt")
    ? Effect.runPromise(Effect.map(parseCaptions(content), ({ segments }: Captions) => foldStutter(segments)))
    : Promise.resolve(sentencesOf(content))

/**
 * The wanted real transcripts, by the name of their file without folder and extension; in an archive inside the
 * archive, with its folder.
 */
export const realTranscripts = async (
  isWanted: (name: string) => boolean
): Promise<ReadonlyMap<string, ReadonlyArray<Line>>> => {
  const found = new Map<string, ReadonlyArray<Line>>()
  for (const archive of files) {
    for await (const { name: file, isZipped, content } of archiveFiles(archive)) {
      const { dir, name, ext } = path.parse(file)
      const named = isZipped ? path.join(dir, name) : name
      const lines =
        (ext === ".vtt" || ext === ".json") && isWanted(named)
          ? await linesOf(`${named}${ext}`, (await content()).toString())
          : []
      if (lines.length > 0) found.set(named, lines)
    }
  }
  return found
}
