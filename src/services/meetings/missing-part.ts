import { Data } from "effect"
import type { MeetingId } from "../../../schema/primitives.ts"

/** A part that meetings can have, and this one lacks. */
export class MissingPart extends Data.TaggedError("MissingPart")<{
  readonly meetingId: MeetingId
  readonly part: "transcript" | "raw_transcript" | "briefing" | "recap" | "agenda_summary" | "recording" | "agenda_copy"
}> {
  /** For a person at the terminal; the wire has its own words. */
  override get message() {
    return `The meeting ${this.meetingId} has no ${this.part.replaceAll("_", " ")} on record.`
  }
}
