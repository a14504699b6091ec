import * as fs from "node:fs"
import * as path from "node:path"
import { text } from "node:stream/consumers"
import { createGunzip } from "node:zlib"
import { Effect, Option, Schema } from "effect"
import { extract } from "tar-stream"
import { type Captions, foldStutter, parseCaptions } from "../../src/record/formats/captions.ts"

const data = path.resolve("../shared/data")
const files = ["knox-tn.tar.gz", "seattle-wa.tar.gz"].map((name) => path.join(data, name))

/** Whether the real transcripts are beside the project. */
export const areThere = files.every((file) => fs.existsSync(file))

/** Spoken words and their time in seconds. */
export interface Line {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The transcripts of the Council Data Project: by sentence, in its newer and its older shape. */
const Sentences = Schema.Array(
  Schema.Struct({ start_time: Schema.Finite, end_time: Schema.Finite, text: Schema.NonEmptyString })
)
const Project = Schema.fromJsonString(
  Schema.Union([Schema.Struct({ sentences: Sentences }), Schema.Struct({ data: Sentences })])
)

const sentencesOf = (json: string): ReadonlyArray<Line> =>
  Option.match(Schema.decodeUnknownOption(Project)(json), {
    onNone: () => [],
    onSome: (found) =>
      ("sentences" in found ? found.sentences : found.data).map(({ start_time: start, end_time: end, text }) => ({
        ...{ start, end, text }
      }))
  })

/**
 * The archives are large: unpacking them a megabyte at a time takes two thirds of the processor time of Node's 16 KB.
 */
const atATime = 1 << 20

const linesOf = (name: string, content: string): Promise<ReadonlyArray<Line>> =>
  name.endsWith(".vtt")
    ? Effect.runPromise(Effect.map(parseCaptions(content), ({ segments }: Captions) => foldStutter(segments)))
    : Promise.resolve(sentencesOf(content))

/** The wanted real transcripts, by the name of their file without folder and extension. */
export const realTranscripts = async (
  isWanted: (name: string) => boolean
): Promise<ReadonlyMap<string, ReadonlyArray<Line>>> => {
  const found = new Map<string, ReadonlyArray<Line>>()
  for (const file of files) {
    const unpacked = fs
      .createReadStream(file)
      .pipe(createGunzip({ chunkSize: atATime }))
      .pipe(extract())
    for await (const entry of unpacked) {
      const { name, ext } = path.parse(entry.header.name)
      const lines =
        (ext === ".vtt" || ext === ".json") && isWanted(name) ? await linesOf(`${name}${ext}`, await text(entry)) : []
      if (lines.length > 0) found.set(name, lines)
      entry.resume()
    }
  }
  return found
}
