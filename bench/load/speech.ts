import * as fs from "node:fs"
import * as path from "node:path"
import { createGunzip } from "node:zlib"
import { Effect } from "effect"
import * as tar from "tar-stream"
import { sampleEntities } from "../../src/record/sample/sample.ts"
import { randomOf } from "./random.ts"

/** Speech at meetings, in lines of about ten words. */
export interface Speech {
  /** `captions` of real meetings, or the words of the `sample` rearranged. */
  readonly from: "captions" | "sample"
  readonly lines: readonly [string, ...ReadonlyArray<string>]
}

/** An archive of real meetings' captions as WebVTT; it is beside the project, not in it. */
const captions = path.join(import.meta.dirname, "../../../shared/data/knox-tn.tar.gz")

const wordsIn = (line: string): number => line.split(" ").length

/** The lines of a WebVTT file, without the repetitions that recognizers produce when they stutter. */
const linesOf = (file: string): ReadonlyArray<string> =>
  file
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "" && line !== "WEBVTT" && !line.includes("-->") && !/^\d+$/.test(line))
    .filter((line, at, all) => line !== all[at - 1])

const readCaptions = async (words: number): Promise<ReadonlyArray<string>> => {
  const lines: Array<string> = []
  let found = 0
  const archive = fs.createReadStream(captions).pipe(createGunzip()).pipe(tar.extract())
  for await (const entry of archive) {
    if (!entry.header.name.endsWith(".vtt")) {
      entry.resume()
      continue
    }
    const parts: Array<Buffer> = []
    for await (const part of entry) if (Buffer.isBuffer(part)) parts.push(part)
    for (const line of linesOf(Buffer.concat(parts).toString("utf8"))) {
      lines.push(line)
      found += wordsIn(line)
    }
    if (found >= words) break
  }
  return lines
}

const sampleLines = async (words: number): Promise<ReadonlyArray<string>> => {
  const said = (await Effect.runPromise(sampleEntities("2026-01-15"))).flatMap((entity) =>
    entity.type === "transcript" ? entity.segments.map(({ text }) => text) : []
  )
  const random = randomOf("speech")
  const lines: Array<string> = []
  for (let found = 0; found < words; ) {
    // Recombines halves of lines, so that there are many more lines than the sample has.
    const [head, tail] = [said[random.below(said.length)] ?? "", said[random.below(said.length)] ?? ""]
    const line = [...head.split(" ").slice(0, 6), ...tail.split(" ").slice(-6)].join(" ")
    lines.push(line)
    found += wordsIn(line)
  }
  return lines
}

/** At least this many words of speech, always the same; fewer if the captions have fewer. */
export const readSpeech = async (words: number, from?: Speech["from"]): Promise<Speech> => {
  const chosen = from ?? (fs.existsSync(captions) ? "captions" : "sample")
  const [first = "", ...rest] = await (chosen === "captions" ? readCaptions(words) : sampleLines(words))
  return { from: chosen, lines: [first, ...rest] }
}
