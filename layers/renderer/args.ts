import * as path from "node:path"
import { iso6392 } from "iso-639-2"

/** The pixels of 8K: anything larger is no meeting recording, and would exhaust memory. */
export const largestPicture = 7680 * 4320

/** The most bytes a job may write: 12 Mbit/s, several times what watermarked 720p needs, plus a fixed allowance. */
export const mostBytes = (seconds: number): number => Math.ceil(seconds * 1_500_000) + 20_000_000

/** The font of watermarks and figures: DejaVu Sans, which covers the Latin script. */
export const fontFile = path.join(import.meta.dirname, "font", "DejaVuSans.ttf")

/**
 * The demuxers that a recording may use. Formats that list other files (HLS, concat, DASH) are excluded, so that a
 * recording from elsewhere cannot make ffmpeg read files of this machine.
 */
const containers = "mov,matroska,mpegts,mpeg,avi,flv,asf,ogg,wav,mp3,aac,flac"

export const readingArgs = ["-protocol_whitelist", "file,pipe", "-format_whitelist", containers]
/** The `file:` prefix has a name that begins with a dash, or looks like a protocol, read as a name. */
export const inputArgs = (source: string) => [...readingArgs, "-i", `file:${source}`]

export const encodingArgs = [
  ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "26", "-profile:v", "main", "-pix_fmt", "yuv420p"],
  ...["-c:a", "aac", "-b:a", "96k", "-ac", "2", "-ar", "44100", "-threads", "2", "-movflags", "+faststart"]
]

/**
 * A value in a filter graph, escaped once for the option and once for the graph (ffmpeg-filters, "filtergraph
 * escaping").
 */
export const filterValue = (value: string): string => value.replace(/[\\':]/g, "\\$&").replace(/[\\'[\],;]/g, "\\$&")

/** Burns in text from a file; `none` disables expansion, so `%` and backslashes are literal. */
export const drawText = (file: string, style: string, expansion: "none" | "normal" = "none"): string =>
  `drawtext=fontfile=${filterValue(fontFile)}:textfile=${filterValue(file)}:expansion=${expansion}:${style}`

/** The elapsed time, as ffmpeg expands it in a text. */
export const moment = "%{pts:gmtime:0:%H\\:%M\\:%S}"

/** Escapes a text so that ffmpeg's expansion leaves it unchanged. */
export const unexpanded = (text: string): string => text.replace(/[\\%]/g, "\\$&")

/** The language of a BCP 47 tag as MP4 writes it (ISO 639-2/T); `und` if it has no code. */
export const threeLetters = (tag: string): string => {
  const language = tag.split("-", 1)[0] ?? ""
  const known = iso6392.find(({ iso6391, iso6392B, iso6392T }) => [iso6391, iso6392B, iso6392T].includes(language))
  return known?.iso6392T ?? known?.iso6392B ?? "und"
}

/** The last lines of ffmpeg's output, with every path replaced by `a file`. */
export const lastWords = (said: string): string => {
  const lines = said
    .replace(/(?:file:)?(?:\/[^\s'":,;]+)+/g, "a file")
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
  return lines.slice(-3).join(" ").slice(0, 500)
}
