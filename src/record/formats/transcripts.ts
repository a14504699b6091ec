import { basename } from "node:path"
import { Effect } from "effect"
import type { BundleTranscript } from "../../../schema/bundle.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { TranscriptVersion } from "../../../schema/transcript.ts"
import { foldStutter, parseCaptions } from "./captions.ts"
import { encodingMessage } from "./encoding.ts"
import { textOf } from "./files.ts"
import { areMachineCaptions } from "./machine.ts"
import { orderly } from "./segments.ts"

/** A transcript whose meeting is not determined yet. */
export type LooseTranscript = Omit<BundleTranscript, "type" | "meeting_id" | "duration">

/** The default language; this is a record of the United States. */
export const usualLanguage = "en"

/** The transcript of a meeting, which lasts until the end of its last segment. */
export const transcriptOf = (meeting: MeetingId, transcript: LooseTranscript): BundleTranscript => ({
  type: "transcript",
  meeting_id: meeting,
  ...transcript,
  duration: transcript.segments.reduce((end, segment) => Math.max(end, segment.end), 0)
})

/** Facts about a caption file that need no reading of it. */
interface CaptionFacts {
  readonly language?: string | undefined
  readonly transcript_version?: TranscriptVersion | undefined
}

/**
 * The transcripts of a caption file, none if it has no words, and notes about it. Captions are the refined version,
 * unless facts or the file itself show that a recognizer wrote them, which makes them the raw one. If runs of identical
 * lines were folded, the folded lines are the refined version and the file as it came is the raw one.
 */
export const readCaptions = Effect.fnUntraced(function* (path: string, facts: CaptionFacts) {
  const { value: text, encoding } = yield* textOf(path)
  const read = yield* parseCaptions(text)
  const { segments, leftOut } = orderly(read.segments)
  const unreadable = read.unreadable + leftOut
  const language = facts.language ?? usualLanguage
  const folded = foldStutter(segments)
  const version = facts.transcript_version ?? (areMachineCaptions(text, basename(path)) ? "raw" : "refined")
  const transcripts: ReadonlyArray<LooseTranscript> =
    folded === segments
      ? [{ language, version, segments }]
      : [
          { language, version: "refined", segments: folded },
          { language, version: "raw", segments }
        ]
  const notices = [
    ...(encoding === undefined ? [] : [encodingMessage(encoding)]),
    ...(unreadable === 0 ? [] : [`${unreadable} unreadable cues are left out`])
  ]
  return { transcripts: segments.length === 0 ? [] : transcripts, notices }
})
