import { Duration } from "effect"
import type { MailRefused } from "../../layers/mailer.ts"
import { wireError } from "../api/errors/classes.ts"
import { invalidRequest, shortened, unavailable, waitThen } from "../api/errors/common.ts"
import type { SignInRequired } from "../services/accounts/access.ts"
import type { TooOften } from "../services/accounts/allowance.ts"
import type { EmailChangeRefused } from "../services/accounts/email-changes.ts"
import type { TooManyFollows, UnknownFollows } from "../services/accounts/follows.ts"
import type { PasswordTooWeak } from "../services/accounts/password-strength.ts"
import { recentSignIn } from "../services/accounts/passwords.ts"
import type { TooManyReaderTokens } from "../services/accounts/reader-tokens.ts"
import type { TooManySearches } from "../services/accounts/saved-searches.ts"
import { rateLimitHeaders } from "./rate-limit-headers.ts"
import { toTheRecord } from "./words.ts"

/** The message and hint for programs, and the text for the person at the form. */
const emailChangeRefusals = {
  code_incorrect: [
    "code is not the one that was mailed.",
    "Send the 6 digits from the newest mail; after five wrong tries the code is no longer valid.",
    "This is not the code in the newest mail. After five wrong tries it is no longer valid."
  ],
  code_expired: [
    "No code is waiting for this email: it expired, was used, or was tried too often.",
    "Ask for a new one with POST /api/me/account/email/start.",
    "This code is no longer valid. Ask for a new one."
  ],
  email_in_use: [
    "email is the address of another account.",
    "Sign in with that address instead, or send a different one.",
    "Another account has this address. Sign in with it instead, or choose a different one."
  ]
} as const satisfies Record<EmailChangeRefused["reason"], readonly [message: string, hint: string, form: string]>

/** Also used for a phone number that does not decode. */
export const enterPhone = "Enter a phone number with a plus sign and the country code, such as +1 217 555 0123."

const minutes = (seconds: number) => {
  const whole = Math.ceil(seconds / 60)
  return `${whole} ${whole === 1 ? "minute" : "minutes"}`
}

/** Sign-in requirements, share grants, and account data. */
export const accountFailures = {
  SignInRequired: {
    api: ({ orGrant = false }: Pick<SignInRequired, "orGrant">) =>
      wireError(
        "sign_in_required",
        "This needs a session, and you are not signed in.",
        orGrant
          ? "Sign in at /signin (accounts are free), or open the meeting with a share link."
          : "Sign in at /signin; accounts are free."
      )
  },

  ShareGrantInvalid: {
    api: () =>
      wireError(
        "share_grant_invalid",
        "The share grant (st or cr_share) is unknown, expired or already redeemed.",
        "Ask for a new share link, or sign in at /signin."
      )
  },

  ShareGrantOtherMeeting: {
    api: () =>
      wireError(
        "share_grant_other_meeting",
        "The share grant is for another meeting.",
        "Open the meeting that the link was made for, or sign in at /signin to read this one."
      )
  },

  ShareAlreadyRedeemed: {
    api: () =>
      wireError(
        "share_already_redeemed",
        "token has already been redeemed, and it can be redeemed only once.",
        "Use the cr_share cookie that it was exchanged for, or ask for a new share link."
      )
  },

  TooOften: {
    api: ({ policy, standing }: TooOften) =>
      wireError(
        "rate_limited",
        "Too many requests for this operation.",
        waitThen(standing.resetSeconds),
        rateLimitHeaders(policy, standing)
      ),
    form: ({ standing }: TooOften) => ({
      text: `Too many tries. Wait ${minutes(standing.resetSeconds)}, then try again.`
    }),
    signIn: ({ standing }: TooOften) => ({
      title: "Too many sign-ins",
      text: `Too many sign-ins were started from your network. Try again in ${minutes(standing.resetSeconds)}.`,
      link: toTheRecord
    })
  },

  EmailChangeRefused: {
    api: ({ reason }: EmailChangeRefused) => {
      const [message, hint] = emailChangeRefusals[reason]
      return wireError(reason, message, hint)
    },
    form: ({ reason }: EmailChangeRefused) => ({ field: "code", text: emailChangeRefusals[reason][2] })
  },

  /** An address that no server accepts is the caller's to correct; any other cause is a fault of the service. */
  MailRefused: {
    api: ({ reason }: MailRefused) =>
      reason === "recipient"
        ? invalidRequest("email", "cannot receive mail", "Send an address that accepts mail.")
        : unavailable("The mail with the code could not be sent."),
    form: ({ reason }: MailRefused) =>
      reason === "recipient"
        ? { field: "email", text: "This address cannot receive mail. Enter another one." }
        : { text: "The mail could not be sent. Try again in a few minutes." }
  },

  PasswordTooWeak: {
    api: ({ advice }: PasswordTooWeak) =>
      wireError(
        "password_too_weak",
        ["password is too easy to guess.", ...advice].join(" "),
        "Send a longer one, such as four unrelated words."
      ),
    form: ({ advice }: PasswordTooWeak) => ({
      field: "password",
      text: ["This password is too easy to guess.", ...advice].join(" ")
    })
  },

  PasswordIncorrect: {
    api: () =>
      wireError(
        "password_incorrect",
        "current_password is missing, or is not the password of this account.",
        "Send the current password of the account as current_password."
      ),
    form: () => ({ field: "current_password", text: "This is not the password of your account." })
  },

  RecentSignInRequired: {
    api: () =>
      wireError(
        "sign_in_required",
        `This needs a sign-in within the last ${Duration.toMinutes(recentSignIn)} minutes, and yours is older.`,
        "Sign in again at /signin, or send the account's password as current_password."
      ),
    form: () => ({
      text: `You signed in more than ${Duration.toMinutes(recentSignIn)} minutes ago. Confirm your password again.`
    })
  },

  PhoneInvalid: {
    api: () =>
      wireError(
        "phone_invalid",
        "phone is not a valid phone number in E.164 format.",
        "Send a plus sign, the country code and the number without spaces, such as +12175550123."
      ),
    form: () => ({ field: "phone", text: enterPhone })
  },

  NoPhone: {
    api: () => wireError("not_found", "This account has no phone number.", "Set one with PUT /api/me/account/phone."),
    form: () => ({ text: "Your account has no phone number to remove." })
  },

  NoCalendarAddress: {
    api: () =>
      wireError("not_found", "This account has no calendar address.", "Create one with POST /api/me/calendar."),
    form: () => ({ text: "Your calendar has no address to remove." })
  },

  CalendarNotFound: {
    api: () =>
      wireError(
        "not_found",
        "No calendar is at this address.",
        "If it is yours and you reset it, use the new address; POST /api/me/calendar creates one."
      )
  },

  UnknownFollows: {
    api: ({ field, slugs }: UnknownFollows) =>
      invalidRequest(
        field,
        `lists slugs that are not on record: ${shortened(slugs.join(", "))}`,
        field === "agencies" ? "GET /api/agencies lists every body." : "GET /api/places lists every place."
      ),
    form: () => ({ text: "This place or public body is no longer on record." })
  },

  TooManyFollows: {
    api: ({ field, limit }: TooManyFollows) =>
      invalidRequest(field, `has more than ${limit} entries`, "Remove some with PUT /api/me/follows."),
    form: ({ limit }: TooManyFollows) => ({ text: `You already follow ${limit}. Unfollow one first.` })
  },

  TooManySearches: {
    api: ({ limit }: TooManySearches) =>
      invalidRequest(
        "query",
        `cannot be saved: an account can have at most ${limit} saved searches`,
        "Delete one with DELETE /api/me/saved-searches/{id}, then send the request again."
      ),
    form: ({ limit }: TooManySearches) => ({
      text: `You have ${limit} saved searches, which is the limit. Delete one first.`
    })
  },

  TooManyReaderTokens: {
    api: ({ limit }: TooManyReaderTokens) =>
      invalidRequest(
        "token_name",
        `cannot be taken: an account can have at most ${limit} tokens`,
        "Revoke one at /account/tokens, then try again."
      ),
    form: ({ limit }: TooManyReaderTokens) => ({
      text: `You have ${limit} tokens, which is the limit. Revoke one first.`
    })
  },

  ReaderTokenNameTaken: {
    api: () =>
      invalidRequest(
        "token_name",
        "is the name of another of your tokens",
        "Choose another name, or revoke that token."
      ),
    form: () => ({ field: "token_name", text: "Another of your tokens has this name. Choose another one." })
  },

  ReaderTokenInvalid: {
    api: () =>
      wireError(
        "sign_in_required",
        "The reader token is unknown or was revoked.",
        "Make a new one at /account/tokens, or leave it out to read what is open to everyone."
      )
  },

  UnsubscribeLinkInvalid: {
    api: () =>
      invalidRequest(
        "t",
        "is not the token of an unsubscribe link",
        "Follow the link in the mail unchanged, or sign in and change what you are mailed with PUT /api/me/email-prefs."
      )
  }
}
