import { Effect, Result } from "effect"
import type { Segment } from "../../../../schema/transcript.ts"
import { foldStutter, parseCaptions } from "../../../record/formats/captions.ts"
import { decodeText } from "../../../record/formats/encoding.ts"
import { shorten } from "../../../record/formats/text.ts"
import { readable } from "../../../record/readable.ts"

/** The `generator` of a transcript made from published captions. */
export const captionsGenerator = "published captions"

/** The largest caption file, in bytes; a day of speech takes a tenth of that. */
export const longestCaptions = 16_000_000

/** The media types of WebVTT and SRT in practice; many servers know neither format. */
export const captionTypes =
  /^(text\/(vtt|plain|srt|x-srt|x-subrip|xml)|application\/(x-subrip|srt|octet-stream|ttml\+xml|xml)|binary\/octet-stream)\b/i

/** The longest meeting, in seconds, and the longest cue, in characters. */
const longestMeeting = 24 * 3600
const longestCue = 2000

/**
 * Captions from an external server as segments in spoken order, or a sentence that says why there are none. Cues that
 * cannot be read, or lie beyond the end of any meeting, are dropped; the times of the others are unchanged.
 */
export const captionSegments = Effect.fn("FetchStage.captionSegments")(function* (
  bytes: Uint8Array
): Effect.fn.Return<Result.Result<ReadonlyArray<Segment>, string>> {
  if (bytes.length > longestCaptions) return Result.fail("They are too large.")
  const { segments } = yield* parseCaptions(readable(decodeText(bytes).value))
  const sound = segments
    .filter(({ start, end }) => Number.isFinite(start) && Number.isFinite(end) && start >= 0 && end <= longestMeeting)
    .map((segment) => ({ ...segment, text: shorten(segment.text, longestCue) }))
    .toSorted((a, b) => a.start - b.start)
  return sound.length === 0 ? Result.fail("They have no cues that can be read.") : Result.succeed(foldStutter(sound))
})
