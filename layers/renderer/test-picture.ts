import { Effect } from "effect"
import { drawText } from "./args.ts"
import type { Ffmpeg } from "./ffmpeg.ts"

/** A synthetic recording: a still picture with a running clock at five frames per second, with speech or room tone. */
export interface TestPicture {
  readonly title: string
  readonly subtitle: string
  /** Seconds. */
  readonly duration: number
  /** Captions of the speakers, in seconds, shown below the clock. */
  readonly captions: ReadonlyArray<{ readonly start: number; readonly end: number; readonly text: string }>
  /** A WAV file with the speech; without one, there is only room tone. */
  readonly sound?: string
}

const style = "fontcolor=0xf4efe6:x=96"

/** Writes a test picture's texts into a folder, and returns the complete ffmpeg arguments. */
export const testPictureArgs = Effect.fnUntraced(function* (
  { title, subtitle, duration, captions, sound }: TestPicture,
  folder: string,
  written: Ffmpeg["written"]
) {
  const shown = yield* Effect.forEach(captions, ({ start, end, text }, at) =>
    written(folder, `caption-${at}`, text).pipe(
      Effect.map((file) => drawText(file, `${style}:fontsize=34:y=560:enable='between(t,${start},${end})'`))
    )
  )
  const filters = [
    "drawbox=x=0:y=0:w=28:h=ih:color=0xc98f3c:t=fill",
    "drawbox=x=96:y=330:w=420:h=3:color=0xc98f3c:t=fill",
    drawText(yield* written(folder, "title", title), `${style}:fontsize=52:y=190`),
    drawText(yield* written(folder, "subtitle", subtitle), `${style}:fontsize=34:y=268`),
    drawText(yield* written(folder, "clock", "%{pts:gmtime:0:%M\\:%S}"), `${style}:fontsize=72:y=380`, "normal"),
    ...shown
  ]
  return [
    ...["-f", "lavfi", "-i", `color=c=0x1d3b4a:s=1280x720:r=5:d=${duration}`],
    ...(sound === undefined
      ? ["-f", "lavfi", "-i", `anoisesrc=color=brown:amplitude=0.03:seed=7:d=${duration}`]
      : ["-f", "wav", "-i", `file:${sound}`]),
    ...["-vf", filters.join(","), "-af", sound === undefined ? "lowpass=f=320" : "apad", "-t", String(duration)],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-tune", "stillimage", "-crf", "23", "-pix_fmt", "yuv420p"],
    ...["-c:a", "aac", "-b:a", "64k", "-threads", "2", "-movflags", "+faststart", "-f", "mp4"]
  ]
})
