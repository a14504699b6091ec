import * as path from "node:path"
import { iso6392 } from "iso-639-2"

/** Pixels of 8K: what is larger is no recording of a meeting, and would take memory that nobody has. */
export const largestPicture = 7680 * 4320

/** What a job may write, in bytes: 12 Mbit/s, several times what a watermarked 720p picture takes, and room to begin. */
export const mostBytes = (seconds: number): number => Math.ceil(seconds * 1_500_000) + 20_000_000

/** The font of watermarks and figures: DejaVu Sans, which has every letter of the Latin script. */
export const fontFile = path.join(import.meta.dirname, "..", "assets", "DejaVuSans.ttf")

/**
 * The demuxers that a recording may have. What is a list of other files (HLS, concat, DASH) is none of them, so that a
 * recording from elsewhere cannot make ffmpeg read a file of this machine.
 */
const containers = "mov,matroska,mpegts,mpeg,avi,flv,asf,ogg,wav,mp3,aac,flac"

export const readingArgs = ["-protocol_whitelist", "file,pipe", "-format_whitelist", containers]
/** `file:` keeps a name that begins with a dash, or looks like a protocol, a name. */
export const inputArgs = (source: string) => [...readingArgs, "-i", `file:${source}`]

export const encodingArgs = [
  ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "26", "-profile:v", "main", "-pix_fmt", "yuv420p"],
  ...["-c:a", "aac", "-b:a", "96k", "-ac", "2", "-ar", "44100", "-threads", "2", "-movflags", "+faststart"]
]

/** A value inside a filter graph: escaped once for the option's value, once for the graph (ffmpeg-filters, "Notes on filtergraph escaping"). */
const filterValue = (value: string): string => value.replace(/[\\':]/g, "\\$&").replace(/[\\'[\],;]/g, "\\$&")

/** Text burned in from a file; `none` keeps a `%` or backslash of a name what it is. */
export const drawText = (file: string, style: string, expansion: "none" | "normal" = "none"): string =>
  `drawtext=fontfile=${filterValue(fontFile)}:textfile=${filterValue(file)}:expansion=${expansion}:${style}`

/** The recording's own time, as a text that is burned in writes it. */
export const moment = "%{pts:gmtime:0:%H\\:%M\\:%S}"

/** A text that stays what it is where texts are expanded. */
export const unexpanded = (text: string): string => text.replace(/[\\%]/g, "\\$&")

/** A BCP 47 tag as MP4 writes a language (ISO 639-2/T); `und` where it has none. */
export const threeLetters = (tag: string): string => {
  const language = tag.split("-", 1)[0] ?? ""
  const known = iso6392.find(({ iso6391, iso6392B, iso6392T }) => [iso6391, iso6392B, iso6392T].includes(language))
  return known?.iso6392T ?? known?.iso6392B ?? "und"
}

/** Last lines of what ffmpeg said, where every path is `a file`. */
export const lastWords = (said: string): string => {
  const lines = said
    .replace(/(?:file:)?(?:\/[^\s'":,;]+)+/g, "a file")
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
  return lines.slice(-3).join(" ").slice(0, 500)
}
