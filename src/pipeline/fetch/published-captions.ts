import { Effect, Result } from "effect"
import type { Segment } from "../../../schema/transcript.ts"
import { foldStutter, parseCaptions } from "../../record/formats/captions.ts"
import { decodeText } from "../../record/formats/encoding.ts"
import { shorten } from "../../record/formats/text.ts"
import { readable } from "../../record/readable.ts"

/** What a transcript that was made of published captions says of its making. */
export const captionsGenerator = "published captions"

/** The most that captions may have in bytes: a day of speech is a tenth of that. */
export const longestCaptions = 16_000_000

/** The media types under which WebVTT and SRT are served; many servers know neither. */
export const captionTypes =
  /^(text\/(vtt|plain|srt|x-srt|x-subrip)|application\/(x-subrip|srt|octet-stream)|binary\/octet-stream)\b/i

/** No meeting is longer, in seconds, and no cue has more characters. */
const longestMeeting = 24 * 3600
const longestCue = 2000

/**
 * What captions of somebody else's server say, as segments in the order in which they are said; a sentence of ours where that
 * is nothing. A cue that cannot be read, or lies outside of any meeting, is left out; the times of the others are as they came.
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
