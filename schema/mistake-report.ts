import { Schema } from "effect"
import { Instant, MeetingId, NonEmptyText, Seconds } from "./primitives.ts"

/** The most characters of each text in a report. */
export const longestReportText = 1000

/** Plain text, with line breaks. */
const text = (description: string, example: string) =>
  NonEmptyText.check(
    Schema.isMaxLength(longestReportText),
    Schema.makeFilter((value) => !/[^\P{Cc}\n\t]/u.test(value) || "must be plain text")
  ).annotate({ description, examples: [example] })

const start = Seconds.check(Schema.isLessThanOrEqualTo(999_999)).annotate({
  description: "The second of the recording that it is about.",
  examples: [754.32]
})

const fields = {
  meeting_id: MeetingId,
  said: text("What is wrong.", "The speaker here is the clerk, not the mayor."),
  wording: Schema.optionalKey(text("How it should read.", "Clerk: The motion carries, four to one.")),
  quote: Schema.optionalKey(text("The words of the record that it is about.", "Mayor: The motion carries.")),
  start: Schema.optionalKey(start)
}

export const ReportMistakeRequest = Schema.Struct(fields).annotate({
  identifier: "ReportMistakeRequest",
  description: "What is wrong with a meeting's record, and where."
})
export interface ReportMistakeRequest extends Schema.Schema.Type<typeof ReportMistakeRequest> {}

const MistakeReportState = Schema.Literals(["open", "corrected", "no_fault"])

export const MistakeReport = Schema.Struct({
  id: Schema.String,
  ...fields,
  state: MistakeReportState.annotate({
    description: "`open` until an operator has listened: then `corrected`, or `no_fault`."
  }),
  created_at: Instant
}).annotate({ identifier: "MistakeReport", description: "A reader's report of a mistake, as it was received." })
export interface MistakeReport extends Schema.Schema.Type<typeof MistakeReport> {}
