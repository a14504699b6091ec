import { Data } from "effect"
import type { MeetingPart } from "../../../schema/part.ts"
import type { MeetingId } from "../../../schema/primitives.ts"

/** A part that this meeting lacks, though meetings can have it. */
export class MissingPart extends Data.TaggedError("MissingPart")<{
  readonly meetingId: MeetingId
  readonly part: MeetingPart
}> {}
