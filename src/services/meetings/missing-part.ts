import { Schema } from "effect"
import { MeetingId } from "../../../schema/primitives.ts"

/** What a meeting may have of each, and this one has not. */
export class MissingPart extends Schema.TaggedError<MissingPart>()("MissingPart", {
  meetingId: MeetingId,
  part: Schema.Literals([
    "transcript",
    "raw_transcript",
    "briefing",
    "recap",
    "agenda_summary",
    "recording",
    "agenda_copy"
  ])
}) {}
