import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Effect, Layer } from "effect"
import type { Span } from "../../schema/briefing.ts"
import { drawText, encodingArgs, inputArgs, moment, threeLetters, unexpanded } from "./args.ts"
import { RendererError } from "./failure.ts"
import { makeFfmpeg, type OnProgress, type PictureForm, type Probed, type TimeLimit } from "./ffmpeg.ts"
import { type TestPicture, testPictureArgs } from "./test-picture.ts"

export { RendererError } from "./failure.ts"
export type { Probed } from "./ffmpeg.ts"
export type { TestPicture } from "./test-picture.ts"

interface ClipOptions {
  /**
   * What is said in the clip, timed from its own start (WebVTT), and its language (BCP 47); becomes a track of the
   * clip.
   */
  readonly captions?: { readonly vtt: string; readonly language: string } | undefined
  readonly onProgress?: OnProgress | undefined
}

/** Twice what a slow machine needs: one CPU encodes a second of 720p in well under two. */
const usualTimeLimit: TimeLimit = { base: "30 seconds", perSecond: "4 seconds" }

const make = Effect.fnUntraced(function* (timeLimit: TimeLimit) {
  const { probe, hasSound, picture, render, written } = yield* makeFfmpeg(timeLimit)

  const rendition = Effect.fn("Renderer.rendition")(function* (
    source: string,
    target: string,
    watermark: string,
    onProgress?: OnProgress
  ) {
    const { duration } = yield* probe(source)
    const prepare = (folder: string) =>
      Effect.gen(function* () {
        const text = yield* written(folder, "watermark", `${unexpanded(watermark)} · ${moment}`)
        const mark =
          "fontsize=h/36:fontcolor=white@0.65:shadowcolor=black@0.6:shadowx=1:shadowy=1:x=w-tw-h/36:y=h-th-h/36"
        return [
          ...inputArgs(source),
          ...["-map", "0:v:0", "-map", "0:a:0?", "-sn", "-dn", "-map_metadata", "-1"],
          ...["-vf", `scale=-2:'min(720,trunc(ih/2)*2)',setsar=1,${drawText(text, mark, "normal")}`],
          // A key frame every two seconds lets a player seek without a wait.
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
      // Seeking before the input is exact because the cut is encoded again: ffmpeg decodes from the key frame before
      // it.
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

  return Renderer.of({ synthesize, rendition, poster, clip, sound, probe, hasSound, picture })
})

/**
 * Makes renditions, clips and posters from recordings. Every job is bounded: in time by the length of its output, to
 * two threads, in the bytes it writes, in the size of the pictures it accepts, and on Linux in its memory by the
 * system. It writes beside its target and renames when the file is whole, is stopped (SIGTERM, then SIGKILL) when it is
 * interrupted or its time is up, and fails with `RendererError`.
 */
export class Renderer extends Context.Service<
  Renderer,
  {
    /** Makes a made-up recording (MP4, 1280x720, 5 frames per second). */
    readonly synthesize: (target: string, picture: TestPicture) => Effect.Effect<Probed, RendererError>
    /**
     * Makes the web rendition: MP4 (H.264, AAC), at most 720 pixels high, ready to stream, with the watermark and the
     * time within the recording burned in.
     */
    readonly rendition: (
      source: string,
      target: string,
      watermark: string,
      onProgress?: OnProgress
    ) => Effect.Effect<Probed, RendererError>
    /** Makes a JPEG of the picture `at` seconds in, or of the last second where the recording is shorter. */
    readonly poster: (source: string, at: number, target: string) => Effect.Effect<void, RendererError>
    /** Cuts a span out of a rendition into an MP4, exact to the frame; an end past the recording's is clamped to it. */
    readonly clip: (
      rendition: string,
      span: Span,
      target: string,
      options?: ClipOptions
    ) => Effect.Effect<Probed, RendererError>
    /** Extracts the sound of a span as speech models want it: WAV, 16 kHz, one channel (32 kB per second). */
    readonly sound: (source: string, span: Span, target: string) => Effect.Effect<void, RendererError>
    /** Reads a recording's length and picture size. */
    readonly probe: (file: string) => Effect.Effect<Probed, RendererError>
    /** Whether a recording has a sound track. */
    readonly hasSound: (file: string) => Effect.Effect<boolean, RendererError>
    /** Reads a picture's size in pixels, and fails where it is in another form or cannot be decoded. */
    readonly picture: (
      file: string,
      form: PictureForm
    ) => Effect.Effect<{ readonly width: number; readonly height: number }, RendererError>
  }
>()("civic-record/Renderer") {
  static readonly layerTimeLimit = (timeLimit: TimeLimit) =>
    Layer.effect(Renderer, make(timeLimit)).pipe(Layer.provide(NodeServices.layer))

  /**
   * ffmpeg is the one that `FFMPEG_PATH` names, else one on the PATH that can burn in text and encode H.264, else the
   * one that ships with the project; ffprobe is chosen the same way (`FFPROBE_PATH`).
   */
  static readonly layer = Renderer.layerTimeLimit(usualTimeLimit)
}
