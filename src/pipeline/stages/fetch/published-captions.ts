import { Effect, Result } from "effect"
import type { BundleTranscript } from "../../../../schema/bundle.ts"
import type { MeetingId } from "../../../../schema/primitives.ts"
import type { Segment } from "../../../../schema/transcript.ts"
import { foldStutter, parseCaptions } from "../../../record/formats/captions.ts"
import { decodeText } from "../../../record/formats/encoding.ts"
import { shorten } from "../../../record/formats/text.ts"
import { usualLanguage } from "../../../record/formats/transcripts.ts"
import { readable } from "../../../record/readable.ts"
import type { PoliteWeb, Validators } from "../../web/polite-web.ts"
import { playerPage } from "./players/player-page.ts"
import { playerAt } from "./players/players.ts"

/** The `generator` of a transcript made from published captions. */
const captionsGenerator = "published captions"

/** The largest caption file, in bytes; a day of speech takes a tenth of that. */
const longestCaptions = 16_000_000

/** The media types of WebVTT and SRT in practice; many servers know neither format. */
const captionTypes =
  /^(text\/(vtt|plain|srt|x-srt|x-subrip|xml)|application\/(x-subrip|srt|octet-stream|ttml\+xml|xml)|binary\/octet-stream)\b/i

/** The longest meeting, in seconds, and the longest cue, in characters. */
const longestMeeting = 24 * 3600
const longestCue = 2000

/**
 * The segments in spoken order, or a sentence that says why there are none. Cues beyond the end of any meeting are
 * dropped; the times of the others are unchanged.
 */
const soundSegments = (segments: ReadonlyArray<Segment>): Result.Result<ReadonlyArray<Segment>, string> => {
  const sound = segments
    .filter(({ start, end }) => Number.isFinite(start) && Number.isFinite(end) && start >= 0 && end <= longestMeeting)
    .map((segment) => ({ ...segment, text: shorten(segment.text, longestCue) }))
    .toSorted((a, b) => a.start - b.start)
  return sound.length === 0 ? Result.fail("They have no cues that can be read.") : Result.succeed(foldStutter(sound))
}

const segmentsIn = (bytes: Uint8Array) =>
  Effect.map(parseCaptions(readable(decodeText(bytes).value)), ({ segments }) => segments)

/** The segments of a caption file, in spoken order, or a sentence that says why there are none. */
export const captionSegments = Effect.fn("FetchStage.captionSegments")(function* (bytes: Uint8Array) {
  return bytes.length > longestCaptions ? Result.fail("They are too large.") : soundSegments(yield* segmentsIn(bytes))
})

/**
 * The captions at an address, and the text by which they are told from others: a file, or the words in the page of a
 * player that has them. Undefined if they have not changed since they had these validators.
 */
export const publishedCaptions = Effect.fn("FetchStage.publishedCaptions")(function* (
  web: PoliteWeb["Service"],
  address: string,
  validators: Validators
) {
  const words = playerAt(address)?.words
  const page = yield* web.page(address, {
    accept: words === undefined ? "text/vtt, application/x-subrip, text/plain" : "text/html",
    types: words === undefined ? captionTypes : /^text\/html\b/i,
    bytes: longestCaptions,
    validators
  })
  if (page === undefined) return undefined
  const { body } = page
  const segments = words === undefined ? yield* segmentsIn(body) : words(yield* playerPage(page))
  // A page is another each time; its words are not.
  const text = words === undefined ? body : Buffer.from(JSON.stringify(segments))
  return { text, validators: page.validators, segments: soundSegments(segments) }
})

/** The raw transcript that captions are. */
export const captionsTranscript = (
  meeting_id: MeetingId,
  segments: ReadonlyArray<Segment>,
  generator = captionsGenerator
): BundleTranscript => ({
  ...{ type: "transcript", meeting_id, version: "raw", language: usualLanguage, generator, segments },
  duration: segments.reduce((end, segment) => Math.max(end, segment.end), 0)
})
