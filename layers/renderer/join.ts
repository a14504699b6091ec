import * as path from "node:path"
import { Effect } from "effect"
import type { RendererError } from "./failure.ts"
import type { Ffmpeg } from "./ffmpeg.ts"

/** What the pieces of a stream are: an MPEG transport stream, fragments of MP4, or sound alone (ADTS). */
export type StreamForm = "mpegts" | "mov" | "aac"

/** A stream in files, each of which is read by itself because clocks or codecs may change between them. */
export interface StreamFiles {
  readonly form: StreamForm
  readonly runs: ReadonlyArray<string>
}

/** The demuxer is named, so that nothing in a file can make ffmpeg take it for a list of other files. */
const reading = (form: string, file: string) => ["-protocol_whitelist", "file", "-f", form, "-i", `file:${file}`]
const copying = ["-sn", "-dn", "-map_metadata", "-1", "-c", "copy"]

/**
 * Puts the first stream's picture and the last one's sound (its own, if it is the only one) into one MP4, without
 * decoding them. `seconds` bounds the output.
 */
export const joining =
  ({ render, written }: Pick<Ffmpeg, "render" | "written">) =>
  (streams: ReadonlyArray<StreamFiles>, seconds: number, target: string): Effect.Effect<void, RendererError> =>
    render(target, seconds, (folder) =>
      Effect.gen(function* () {
        const inputs = yield* Effect.forEach(
          streams,
          Effect.fnUntraced(function* ({ form, runs }, stream) {
            const [only] = runs
            if (runs.length === 1 && only !== undefined) return reading(form, only)
            const names = runs.map((_, at) => `${stream}-${at}.ts`)
            for (const [at, run] of runs.entries()) {
              const args = [...reading(form, run), "-map", "0:v:0?", "-map", "0:a:0?", ...copying, "-f", "mpegts"]
              yield* Effect.scoped(render(path.join(folder, `${stream}-${at}.ts`), seconds, () => Effect.succeed(args)))
            }
            const list = yield* written(folder, `${stream}.txt`, names.map((name) => `file ${name}\n`).join(""))
            return reading("concat", list)
          })
        )
        const sound = streams.length - 1
        return [...inputs.flat(), "-map", "0:v:0?", "-map", `${sound}:a:0?`, ...copying, "-f", "mp4"]
      })
    ).pipe(Effect.scoped)
