import { Data } from "effect"
import { type MeetingPart, meetingParts } from "../../../schema/part.ts"
import type { MeetingId } from "../../../schema/primitives.ts"

/** A part that meetings can have, and this one lacks. */
export class MissingPart extends Data.TaggedError("MissingPart")<{
  readonly meetingId: MeetingId
  readonly part: MeetingPart
}> {
  /** For a person at the terminal; the wire has its own words. */
  override get message() {
    return `The meeting ${this.meetingId} has no ${meetingParts[this.part].label} on record.`
  }
}
