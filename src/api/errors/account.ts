import { InvalidRequest, NotFound, RateLimited, Unauthorized, Unavailable, Unprocessable } from "./classes.ts"
import { errorBody, shortened } from "./common.ts"

/** The errors of sign-in and accounts, in the one shape of all. */
export const noSuchProvider = (provider: string) =>
  new NotFound(
    errorBody(
      "not_found",
      `No sign-in provider is called "${shortened(provider)}".`,
      "GET /api/auth/session lists the providers with where to start."
    )
  )

/** `message` is of the sign-in's failure; `start` is where to begin again. */
export const signInRefused = (message: string, start: string) =>
  new InvalidRequest(errorBody("invalid_request", message, `Begin again at ${start}.`))

export const nobodySignedIn = (message: string, start: string) =>
  new Unauthorized(errorBody("sign_in_required", message, `Sign in at ${start}.`))

export const providerUnavailable = (message: string, retryAfter: number) =>
  new Unavailable(
    errorBody("unavailable", message, `Wait ${retryAfter} seconds, as Retry-After says, and begin again.`)
  )

export const tooOften = (retryAfter: number) =>
  new RateLimited(
    errorBody(
      "rate_limited",
      "This was asked for too often.",
      `Wait ${retryAfter} seconds, as Retry-After says, and send the request again.`
    )
  )

export const codeIncorrect = () =>
  new Unprocessable(
    errorBody(
      "code_incorrect",
      "code is not the one that was mailed.",
      "Look at the newest mail and send its 6 digits; after five wrong ones the code is over."
    )
  )

export const codeExpired = () =>
  new Unprocessable(
    errorBody(
      "code_expired",
      "No code is waiting for this email: it is over, was used, or was tried too often.",
      "Ask for a new one with POST /api/me/account/email/start."
    )
  )

export const emailInUse = () =>
  new Unprocessable(
    errorBody(
      "email_in_use",
      "email is the address of another account.",
      "Sign in with that address instead, or give another one."
    )
  )

/** `advice` is sentences that say why, and what would be better. */
export const passwordTooWeak = (advice: ReadonlyArray<string>) =>
  new Unprocessable(
    errorBody(
      "password_too_weak",
      ["password is too easy to guess.", ...advice].join(" "),
      "Send a longer one, such as four words that have nothing to do with each other."
    )
  )

export const passwordIncorrect = () =>
  new Unprocessable(
    errorBody(
      "password_incorrect",
      "current_password is missing, or is not the password of this account.",
      "Send the current password of the account as current_password."
    )
  )

/** `minutes`: for how long a sign-in counts as recent. */
export const signInAgain = (minutes: number) =>
  new Unauthorized(
    errorBody(
      "sign_in_required",
      `This needs a sign-in within the last ${minutes} minutes, and yours is older.`,
      "Sign in again at /signin, or send the password of the account as current_password."
    )
  )

export const phoneInvalid = () =>
  new Unprocessable(
    errorBody(
      "phone_invalid",
      "phone is not a telephone number that can exist, written as E.164.",
      "Send a plus, the country code and the number without spaces, such as +12175550123."
    )
  )

export const noPhone = () =>
  new NotFound(
    errorBody("not_found", "This account has no telephone number.", "Set one with PUT /api/me/account/phone.")
  )

export const mailNotSent = (retryAfter: number) =>
  new Unavailable(
    errorBody(
      "unavailable",
      "The mail with the code could not be sent.",
      `Wait ${retryAfter} seconds, as Retry-After says, and send the request again.`
    )
  )
