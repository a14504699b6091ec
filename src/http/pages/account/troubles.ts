import type { Schema } from "effect"
import type { MailRefused } from "../../../../layers/mailer.ts"
import type { Refused, Trouble } from "../../../pages/account/task.ts"
import type { NoPhone, PhoneInvalid } from "../../../services/accounts/accounts.ts"
import type { TooOften } from "../../../services/accounts/allowance.ts"
import type { NoCalendarAddress } from "../../../services/accounts/calendar-addresses.ts"
import type { EmailChangeRefused } from "../../../services/accounts/email-changes.ts"
import type { TooManyFollows, UnknownFollows } from "../../../services/accounts/follows.ts"
import type { PasswordTooWeak } from "../../../services/accounts/password-strength.ts"
import type { PasswordIncorrect, RecentSignInRequired } from "../../../services/accounts/passwords.ts"
import type { TooManySearches } from "../../../services/accounts/saved-searches.ts"
import type { NotFound } from "../../../services/failures.ts"
import type { SearchesBusy, SearchOverBudget } from "../../../services/search/query-budget.ts"
import { firstTrouble } from "../../middleware/bad-fields.ts"
import { wire } from "../../wire.ts"

/** What the service may refuse a form of the account. */
type Refusal =
  | EmailChangeRefused
  | MailRefused
  | NoCalendarAddress
  | NoPhone
  | NotFound
  | PasswordIncorrect
  | PasswordTooWeak
  | PhoneInvalid
  | RecentSignInRequired
  | SearchesBusy
  | SearchOverBudget
  | TooManyFollows
  | TooManySearches
  | TooOften
  | UnknownFollows

/** What to do about a field that does not decode. */
const asks: Readonly<Record<string, string>> = {
  name: "Enter a name of one line, at most 120 characters long.",
  email: "Enter an e-mail address, such as name@example.org.",
  code: "Enter the 6 digits of the code.",
  password: "Enter a password of at most 256 characters.",
  current_password: "Enter your password, which has at most 256 characters.",
  phone: "Enter a phone number with a plus sign and the country code, such as +1 217 555 0123.",
  recaps: "Choose how often recaps are mailed.",
  saved_searches: "Choose how often searches are mailed.",
  query: "This search cannot be saved: change it, and try again."
}

const codes = {
  code_incorrect: "This is not the code in the newest mail. After five wrong tries it is no longer valid.",
  code_expired: "This code is no longer valid. Ask for a new one.",
  email_in_use: "Another account has this address. Sign in with it instead, or choose a different one."
} as const satisfies Record<EmailChangeRefused["reason"], string>

/** A refusal in words for the person who filled in the form; the register of the API speaks to programs. */
const troubleOf = (refusal: Refusal): Trouble => {
  switch (refusal._tag) {
    case "EmailChangeRefused":
      return { field: "code", text: codes[refusal.reason] }
    case "MailRefused":
      return refusal.reason === "recipient"
        ? { field: "email", text: "This address cannot receive mail. Enter another one." }
        : { text: "The mail could not be sent. Try again in a few minutes." }
    case "NoCalendarAddress":
      return { text: "Your calendar has no address to remove." }
    case "NoPhone":
      return { text: "Your account has no phone number to remove." }
    case "NotFound":
      return { text: "It is not there any longer. It may have been deleted on another page." }
    case "PasswordIncorrect":
      return { field: "current_password", text: "This is not the password of your account." }
    case "PasswordTooWeak":
      return { field: "password", text: ["This password is too easy to guess.", ...refusal.advice].join(" ") }
    case "PhoneInvalid":
      return { field: "phone", text: asks.phone ?? "" }
    case "RecentSignInRequired":
      return { text: "You signed in more than 10 minutes ago. Show once more that it is you." }
    case "SearchOverBudget":
      return { text: "This search looks at too much of the record to be saved. Make it narrower." }
    case "SearchesBusy":
      return { text: "Too many searches are running at the moment. Try again in a few seconds." }
    case "TooManyFollows":
      return { text: `You follow ${refusal.limit} already. Stop following one first.` }
    case "TooManySearches":
      return { text: `You have ${refusal.limit} saved searches, which is the limit. Delete one first.` }
    case "TooOften":
      return { text: `Too many tries. Wait ${Math.ceil(refusal.standing.resetSeconds / 60)} minutes, then try again.` }
    case "UnknownFollows":
      return { text: "This place or public body is not on record any longer." }
  }
}

/** A form that was refused, as the page shows it again: with the status that the API would answer. */
export const refusedBy = (refusal: Refusal | Schema.SchemaError | Mistyped, typed: URLSearchParams): Refused => {
  if (refusal._tag === "Mistyped") return { status: 422, typed, troubles: [refusal] }
  if (refusal._tag !== "SchemaError") return { status: wire(refusal).status, typed, troubles: [troubleOf(refusal)] }
  const { field = "" } = firstTrouble(refusal.issue)
  const text = asks[field] ?? "The form was sent incompletely. Fill it in again."
  return { status: 400, typed, troubles: [{ field: field in asks ? field : undefined, text }] }
}

/** What a page itself asks of a field was not typed into it. */
export interface Mistyped extends Trouble {
  readonly _tag: "Mistyped"
}
