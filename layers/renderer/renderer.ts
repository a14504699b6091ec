import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Effect, Layer } from "effect"
import type { Span } from "../../schema/briefing.ts"
import { drawText, encodingArgs, inputArgs, moment, threeLetters, unexpanded } from "./args.ts"
import { RendererError } from "./failure.ts"
import { type Looked, makeFfmpeg, type OnProgress, type PictureForm, type Probed, type TimeLimit } from "./ffmpeg.ts"
import { joining, type StreamFiles } from "./join.ts"
import { type TestPicture, testPictureArgs } from "./test-picture.ts"

export { RendererError } from "./failure.ts"
export type { Probed } from "./ffmpeg.ts"
export type { TestPicture } from "./test-picture.ts"

interface ClipOptions {
  /** The clip's captions, timed from its start (WebVTT), and their language (BCP 47); embedded as a track. */
  readonly captions?: { readonly vtt: string; readonly language: string } | undefined
  readonly onProgress?: OnProgress | undefined
}

/** Twice the time a slow machine needs: one CPU encodes a second of 720p in well under two. */
const usualTimeLimit: TimeLimit = { base: "30 seconds", perSecond: "4 seconds" }

/** A still picture for sound that has none; five frames a second move its clock. */
const stillArgs = (seconds: number) => ["-f", "lavfi", "-i", `color=c=0x1d3b4a:s=1280x720:r=5:d=${seconds}`]
const stillStyle = "fontsize=44:fontcolor=0xf4efe6:x=(w-tw)/2:y=(h-th)/2"

const make = Effect.fnUntraced(function* (timeLimit: TimeLimit) {
  const { look, probe, picture, render, written } = yield* makeFfmpeg(timeLimit)

  const rendition = Effect.fn("Renderer.rendition")(function* (
    source: string,
    target: string,
    watermark: string,
    onProgress?: OnProgress
  ) {
    const { duration, picture } = yield* look(source)
    const prepare = (folder: string) =>
      Effect.gen(function* () {
        const text = yield* written(folder, "watermark", `${unexpanded(watermark)} · ${moment}`)
        const mark =
          "fontsize=h/36:fontcolor=white@0.65:shadowcolor=black@0.6:shadowx=1:shadowy=1:x=w-tw-h/36:y=h-th-h/36"
        const words = picture === undefined ? yield* written(folder, "still", "Sound without picture") : undefined
        return [
          ...(words === undefined
            ? [...inputArgs(source), "-map", "0:v:0", "-map", "0:a:0?"]
            : [...stillArgs(duration), ...inputArgs(source), "-map", "0:v:0", "-map", "1:a:0"]),
          ...["-sn", "-dn", "-map_metadata", "-1", "-vf"],
          `${words === undefined ? "scale=-2:'min(720,trunc(ih/2)*2)',setsar=1" : drawText(words, stillStyle)},${drawText(text, mark, "normal")}`,
          // A key frame every two seconds lets a player seek at once.
          ...encodingArgs,
          ...["-force_key_frames", "expr:gte(t,n_forced*2)", "-f", "mp4"]
        ]
      })
    yield* render(target, duration, prepare, onProgress)
    return yield* probe(target)
  })

  const poster = Effect.fn("Renderer.poster")(function* (source: string, at: number, target: string) {
    const { duration } = yield* probe(source)
    yield* render(target, 1, () =>
      Effect.succeed([
        ...["-ss", String(Math.max(0, Math.min(at, duration - 1)))],
        ...inputArgs(source),
        ...["-frames:v", "1", "-an", "-q:v", "4", "-f", "mjpeg"]
      ])
    )
  })

  const clip = Effect.fn("Renderer.clip")(function* (
    source: string,
    span: Span,
    target: string,
    { captions, onProgress }: ClipOptions = {}
  ) {
    const { duration } = yield* probe(source)
    const length = Math.min(span.end, duration) - span.start
    if (length <= 0) {
      return yield* new RendererError({ reason: "failed", message: "The span lies outside the recording." })
    }
    const prepare = Effect.fnUntraced(function* (folder: string) {
      const words = captions === undefined ? undefined : yield* written(folder, "captions", captions.vtt)
      // Seeking before the input is exact because the cut is re-encoded: ffmpeg decodes from the preceding key frame.
      return [
        ...["-accurate_seek", "-ss", String(span.start)],
        ...inputArgs(source),
        ...(words === undefined ? [] : ["-f", "webvtt", "-i", `file:${words}`]),
        ...["-t", String(length), "-map", "0:v:0", "-map", "0:a:0?", "-map_metadata", "-1"],
        ...(captions === undefined ? [] : ["-map", "1:0", "-c:s", "mov_text", "-metadata:s:s:0"]),
        ...(captions === undefined ? [] : [`language=${threeLetters(captions.language)}`]),
        ...encodingArgs,
        ...["-f", "mp4"]
      ]
    })
    yield* render(target, length, prepare, onProgress)
    return yield* probe(target)
  })

  const sound = Effect.fn("Renderer.sound")(function* (source: string, span: Span, target: string) {
    const length = span.end - span.start
    yield* render(target, length, () =>
      Effect.succeed([
        ...["-ss", String(span.start)],
        ...inputArgs(source),
        ...["-t", String(length), "-map", "0:a:0", "-vn", "-map_metadata", "-1"],
        ...["-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le", "-f", "wav"]
      ])
    )
  })

  const synthesize = Effect.fn("Renderer.synthesize")(function* (target: string, picture: TestPicture) {
    yield* render(target, picture.duration, (folder) => testPictureArgs(picture, folder, written))
    return yield* probe(target)
  })

  const joined = joining({ render, written })
  const join = Effect.fn("Renderer.join")(function* (...args: Parameters<typeof joined>) {
    yield* joined(...args)
  })

  return Renderer.of({ join, synthesize, rendition, poster, clip, sound, look, probe, picture })
})

/**
 * Makes renditions, clips and posters from recordings. Every job is bounded in time (by its output's length), threads
 * (two), output bytes, accepted picture size and, on Linux, memory. It writes beside its target and renames the
 * finished file. When interrupted or out of time, it gets SIGTERM, then SIGKILL. Fails with `RendererError`.
 */
export class Renderer extends Context.Service<
  Renderer,
  {
    /** Makes a synthetic recording (MP4, 1280x720, 5 frames per second). */
    readonly synthesize: (target: string, picture: TestPicture) => Effect.Effect<Probed, RendererError>
    /**
     * Makes the web rendition: MP4 (H.264, AAC), at most 720 pixels high, streamable, with the watermark and the
     * elapsed time burned in. Sound without a picture gets a still one.
     */
    readonly rendition: (
      source: string,
      target: string,
      watermark: string,
      onProgress?: OnProgress
    ) => Effect.Effect<Probed, RendererError>
    /** Makes a JPEG of the frame `at` seconds in, or from the last second of a shorter recording. */
    readonly poster: (source: string, at: number, target: string) => Effect.Effect<void, RendererError>
    /** Cuts a span of a rendition into an MP4, frame-accurate; an end past the recording's is clamped. */
    readonly clip: (
      rendition: string,
      span: Span,
      target: string,
      options?: ClipOptions
    ) => Effect.Effect<Probed, RendererError>
    /** Extracts the audio of a span in the form that speech models want: WAV, 16 kHz, mono (32 kB per second). */
    readonly sound: (source: string, span: Span, target: string) => Effect.Effect<void, RendererError>
    /**
     * Joins the files of a stream, whose picture and sound may be apart and of which one may lack, into one MP4 without
     * decoding it; `seconds` is its length.
     */
    readonly join: (
      streams: ReadonlyArray<StreamFiles>,
      seconds: number,
      target: string
    ) => Effect.Effect<void, RendererError>
    /** Reads a recording's length and picture size; it fails if it has no picture. */
    readonly probe: (file: string) => Effect.Effect<Probed, RendererError>
    /** Reads a recording's length, and whether it has picture and sound; it fails if it has neither. */
    readonly look: (file: string) => Effect.Effect<Looked, RendererError>
    /** Reads a picture's size in pixels; fails if its format is another or it cannot be decoded. */
    readonly picture: (
      file: string,
      form: PictureForm
    ) => Effect.Effect<{ readonly width: number; readonly height: number }, RendererError>
  }
>()("civic-record/Renderer") {
  static readonly layerTimeLimit = (timeLimit: TimeLimit) =>
    Layer.effect(Renderer, make(timeLimit)).pipe(Layer.provide(NodeServices.layer))

  /**
   * Uses the ffmpeg named by `FFMPEG_PATH`, else one on the PATH that can burn in text and encode H.264, else the
   * bundled one; ffprobe is chosen the same way (`FFPROBE_PATH`).
   */
  static readonly layer = Renderer.layerTimeLimit(usualTimeLimit)
}
