import { Duration } from "effect"
import type { MailRefused } from "../../../layers/mailer.ts"
import { wireError } from "../../api/errors/classes.ts"
import { invalidRequest, shortened, unavailable, waitThen } from "../../api/errors/common.ts"
import type { SignInRequired } from "../../services/accounts/access.ts"
import type { TooOften } from "../../services/accounts/allowance.ts"
import type { EmailChangeRefused } from "../../services/accounts/email-changes.ts"
import type { TooManyFollows, UnknownFollows } from "../../services/accounts/follows.ts"
import type { PasswordTooWeak } from "../../services/accounts/password-strength.ts"
import { recentSignIn } from "../../services/accounts/passwords.ts"
import type { TooManySearches } from "../../services/accounts/saved-searches.ts"
import { rateLimitHeaders } from "../rate-limit-headers.ts"

const emailChangeRefusals = {
  code_incorrect: [
    "code is not the one that was mailed.",
    "Send the 6 digits from the newest mail; after five wrong tries the code is no longer valid."
  ],
  code_expired: [
    "No code is waiting for this email: it expired, was used, or was tried too often.",
    "Ask for a new one with POST /api/me/account/email/start."
  ],
  email_in_use: [
    "email is the address of another account.",
    "Sign in with that address instead, or send a different one."
  ]
} as const satisfies Record<EmailChangeRefused["reason"], readonly [string, string]>

/** Who may read, share grants, and what an account is and owns. */
export const accountWords = {
  SignInRequired: ({ orGrant = false }: Pick<SignInRequired, "orGrant">) =>
    wireError(
      "sign_in_required",
      "This needs a session, and you are not signed in.",
      orGrant
        ? "Sign in at /signin (accounts are free), or open the meeting with a share link."
        : "Sign in at /signin; accounts are free."
    ),

  ShareGrantInvalid: () =>
    wireError(
      "share_grant_invalid",
      "The share grant (st or cr_share) is unknown, expired or already redeemed.",
      "Ask for a new share link, or sign in at /signin."
    ),

  ShareGrantOtherMeeting: () =>
    wireError(
      "share_grant_other_meeting",
      "The share grant is for another meeting.",
      "Open the meeting that the link was made for, or sign in at /signin to read this one."
    ),

  ShareAlreadyRedeemed: () =>
    wireError(
      "share_already_redeemed",
      "token has already been redeemed, and it can be redeemed only once.",
      "Use the cr_share cookie that it was exchanged for, or ask for a new share link."
    ),

  TooOften: ({ policy, standing }: TooOften) =>
    wireError(
      "rate_limited",
      "Too many requests for this operation.",
      waitThen(standing.resetSeconds),
      rateLimitHeaders(policy, standing)
    ),

  EmailChangeRefused: ({ reason }: EmailChangeRefused) => {
    const [message, hint] = emailChangeRefusals[reason]
    return wireError(reason, message, hint)
  },

  /** An address that no server accepts is the caller's to correct; every other cause is ours. */
  MailRefused: ({ reason }: MailRefused) =>
    reason === "recipient"
      ? invalidRequest("email", "cannot receive mail", "Send an address that accepts mail.")
      : unavailable("The mail with the code could not be sent."),

  PasswordTooWeak: ({ advice }: PasswordTooWeak) =>
    wireError(
      "password_too_weak",
      ["password is too easy to guess.", ...advice].join(" "),
      "Send a longer one, such as four unrelated words."
    ),

  PasswordIncorrect: () =>
    wireError(
      "password_incorrect",
      "current_password is missing, or is not the password of this account.",
      "Send the current password of the account as current_password."
    ),

  RecentSignInRequired: () =>
    wireError(
      "sign_in_required",
      `This needs a sign-in within the last ${Duration.toMinutes(recentSignIn)} minutes, and yours is older.`,
      "Sign in again at /signin, or send the account's password as current_password."
    ),

  PhoneInvalid: () =>
    wireError(
      "phone_invalid",
      "phone is not a valid phone number in E.164 format.",
      "Send a plus sign, the country code and the number without spaces, such as +12175550123."
    ),

  NoPhone: () => wireError("not_found", "This account has no phone number.", "Set one with PUT /api/me/account/phone."),

  NoCalendarAddress: () =>
    wireError("not_found", "This account has no calendar address.", "Create one with POST /api/me/calendar."),

  CalendarNotFound: () =>
    wireError(
      "not_found",
      "No calendar is at this address.",
      "If it is yours and you reset it, use the new address; POST /api/me/calendar creates one."
    ),

  UnknownFollows: ({ field, slugs }: UnknownFollows) =>
    invalidRequest(
      field,
      `lists slugs that are not on record: ${shortened(slugs.join(", "))}`,
      field === "agencies" ? "GET /api/agencies lists every body." : "GET /api/places lists every place."
    ),

  TooManyFollows: ({ field, limit }: TooManyFollows) =>
    invalidRequest(field, `has more than ${limit} entries`, "Remove some with PUT /api/me/follows."),

  TooManySearches: ({ limit }: TooManySearches) =>
    invalidRequest(
      "query",
      `cannot be saved: an account can have at most ${limit} saved searches`,
      "Delete one with DELETE /api/me/saved-searches/{id}, then send the request again."
    ),

  UnsubscribeLinkInvalid: () =>
    invalidRequest(
      "t",
      "is not the token of an unsubscribe link",
      "Follow the link in the mail unchanged, or sign in and change what you are mailed with PUT /api/me/email-prefs."
    )
}
