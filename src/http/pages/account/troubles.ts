import type { Schema } from "effect"
import { longestReportText } from "../../../../schema/mistake-report.ts"
import { enterPhone } from "../../../failures/accounts.ts"
import { type FailureAt, troubleOf, wire } from "../../../failures/failures.ts"
import type { Trouble } from "../../../failures/words.ts"
import type { Refused } from "../../../pages/account/task.ts"
import { firstTrouble } from "../../middleware/bad-fields.ts"

/** What to do about a field that does not decode. */
const asks: Readonly<Record<string, string>> = {
  name: "Enter a name of one line, at most 120 characters long.",
  token_name: "Enter a name of one line, 1 to 60 characters long.",
  email: "Enter an e-mail address, such as name@example.org.",
  code: "Enter the 6 digits of the code.",
  password: "Enter a password of at most 256 characters.",
  current_password: "Enter your password, which has at most 256 characters.",
  phone: enterPhone,
  recaps: "Choose how often recaps are mailed.",
  saved_searches: "Choose how often searches are mailed.",
  said: `Say what is wrong, in at most ${longestReportText} characters of plain text.`,
  wording: `Enter at most ${longestReportText} characters of plain text, or nothing.`,
  quote: `Enter at most ${longestReportText} characters of plain text, or nothing.`,
  start: "Enter when it is said as 12:34, or as its second, 754; or leave it empty.",
  query: "This search cannot be saved: change it, and try again."
}

/** What a page itself requires of a field was not typed into it. */
export interface Mistyped extends Trouble {
  readonly _tag: "Mistyped"
}

/** A form that was refused, as the page shows it again: with the status that the API would answer. */
export const refusedBy = (
  refusal: (FailureAt<"form"> & FailureAt<"api">) | Schema.SchemaError | Mistyped,
  typed: URLSearchParams
): Refused => {
  if (refusal._tag === "Mistyped") return { status: 422, typed, troubles: [refusal] }
  if (refusal._tag !== "SchemaError") return { status: wire(refusal).status, typed, troubles: [troubleOf(refusal)] }
  const { field = "" } = firstTrouble(refusal.issue)
  const text = asks[field] ?? "The form was sent incompletely. Fill it in again."
  return { status: 400, typed, troubles: [{ field: field in asks ? field : undefined, text }] }
}
