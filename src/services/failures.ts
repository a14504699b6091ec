import { Data } from "effect"

/** The thing requested is not on record. */
export class NotFound extends Data.TaggedError("NotFound")<{
  readonly what:
    | "meeting"
    | "agency"
    | "place"
    | "location"
    | "saved_search"
    | "reader_token"
    | "session"
    | "user_clip"
    | "mistake_report"
    | "task"
    | "stage"
    | "source"
    | "discovered"
    | "recording"
    | "completion_run"
    | "setting_family"
    | "place_of_run"
    | "meeting_of_run"
    | "token"
    | "drill"
    | "removal"
    | "person"
    | "matter"
    | "upload"
    | "document"
  readonly ref: string
}> {}

/** A meeting that was taken off the record, with the reason if it may be given (contract section 2). */
export class Removed extends Data.TaggedError("Removed")<{
  readonly ref: string
  readonly reason: string | undefined
}> {}

export const meetingNotFound = (ref: string) => new NotFound({ what: "meeting", ref })
export const agencyNotFound = (ref: string) => new NotFound({ what: "agency", ref })
export const placeNotFound = (ref: string) => new NotFound({ what: "place", ref })
export const personNotFound = (ref: string) => new NotFound({ what: "person", ref })
export const matterNotFound = (ref: string) => new NotFound({ what: "matter", ref })
export const documentNotFound = (ref: string) => new NotFound({ what: "document", ref })
export const userClipNotFound = (ref: string) => new NotFound({ what: "user_clip", ref })
export const locationNotFound = (ref: string) => new NotFound({ what: "location", ref })
export const savedSearchNotFound = (ref: string) => new NotFound({ what: "saved_search", ref })
export const readerTokenNotFound = (ref: string) => new NotFound({ what: "reader_token", ref })
export const sessionNotFound = (ref: string) => new NotFound({ what: "session", ref })
export const mistakeReportNotFound = (ref: string) => new NotFound({ what: "mistake_report", ref })
export const taskNotFound = (ref: string) => new NotFound({ what: "task", ref })
export const stageNotFound = (ref: string) => new NotFound({ what: "stage", ref })
export const sourceNotFound = (ref: string) => new NotFound({ what: "source", ref })
export const recordingNotFound = (ref: string) => new NotFound({ what: "recording", ref })
export const discoveredNotFound = (ref: string) => new NotFound({ what: "discovered", ref })
export const completionRunNotFound = (ref: string) => new NotFound({ what: "completion_run", ref })
export const settingFamilyNotFound = (ref: string) => new NotFound({ what: "setting_family", ref })
export const placeOfRunNotFound = (ref: string) => new NotFound({ what: "place_of_run", ref })
export const meetingOfRunNotFound = (ref: string) => new NotFound({ what: "meeting_of_run", ref })
export const tokenNotFound = (ref: string) => new NotFound({ what: "token", ref })
export const uploadNotFound = (ref: string) => new NotFound({ what: "upload", ref })
export const drillNotFound = (ref: string) => new NotFound({ what: "drill", ref })

/**
 * It is not settled which body on record a source's body is: nobody mapped it, and no single name on record is similar.
 */
export class BodyUnsettled extends Data.TaggedError("BodyUnsettled")<{
  readonly source: string
  readonly sourceBody: string
}> {}

/** A run names a body of another place, or would merge away a body that another place shares. */
export class BodyElsewhere extends Data.TaggedError("BodyElsewhere")<{
  readonly field: string
  readonly slug: string
}> {}

/** A request maps a body that the source has never listed. */
export class UnlistedBody extends Data.TaggedError("UnlistedBody")<{
  readonly field: string
  readonly name: string
}> {}

/** A request names bodies that are not on record; `field` is the first wrong one. */
export class UnknownAgency extends Data.TaggedError("UnknownAgency")<{
  readonly field: string
  readonly slug: string
}> {}
