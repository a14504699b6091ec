import { Effect } from "effect"
import type { BundleTranscript } from "../../../schema/bundle.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { foldStutter, parseCaptions } from "./captions.ts"
import { encodingMessage } from "./encoding.ts"
import { textOf } from "./files.ts"

/** A transcript whose meeting is not settled yet. */
export type LooseTranscript = Omit<BundleTranscript, "type" | "meeting_id" | "duration">

/** The language where a source names none; this is a record of the United States. */
export const usualLanguage = "en"

/** The transcript of a meeting, which lasts until the end of its last segment. */
export const transcriptOf = (meeting: MeetingId, transcript: LooseTranscript): BundleTranscript => ({
  type: "transcript",
  meeting_id: meeting,
  ...transcript,
  duration: transcript.segments.reduce((end, segment) => Math.max(end, segment.end), 0)
})

/**
 * The transcripts of a caption file, none where it has no words, and what to note about it. What came is
 * kept as it came: it is the refined version itself where nothing was mended, and stands beside it as the raw one where
 * runs of identical lines were folded.
 */
export const readCaptions = Effect.fnUntraced(function* (path: string, language = usualLanguage) {
  const { value: text, encoding } = yield* textOf(path)
  const { segments, unreadable } = yield* parseCaptions(text)
  const refined = foldStutter(segments)
  const transcripts: ReadonlyArray<LooseTranscript> = [
    ...(segments.length === 0 ? [] : [{ language, version: "refined", segments: refined } as const]),
    ...(refined === segments ? [] : [{ language, version: "raw", segments } as const])
  ]
  const notices = [
    ...(encoding === undefined ? [] : [encodingMessage(encoding)]),
    ...(unreadable === 0 ? [] : [`${unreadable} unreadable cues are left out`])
  ]
  return { transcripts, notices }
})
