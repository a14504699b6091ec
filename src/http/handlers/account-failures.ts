import { Duration, Effect } from "effect"
import type { MailRefused } from "../../../layers/mailer.ts"
import {
  codeExpired,
  codeIncorrect,
  emailInUse,
  mailNotSent,
  passwordIncorrect,
  signInAgain,
  tooOften
} from "../../api/errors/account.ts"
import { invalidRequest, shortened } from "../../api/errors/common.ts"
import type { TooOften } from "../../services/accounts/allowance.ts"
import type { EmailChangeRefused } from "../../services/accounts/email-changes.ts"
import type { UnknownFollows } from "../../services/accounts/follows.ts"
import { recentSignIn } from "../../services/accounts/passwords.ts"
import { rateLimitHeaders } from "../middleware/public-reads.ts"
import { answerWithHeaders, retryAfterSeconds } from "../problem.ts"

/** 429, with what is left of the allowance that was used up in place of that of public reads. */
export const refusedForNow = ({ policy, standing }: TooOften) =>
  Effect.andThen(answerWithHeaders(rateLimitHeaders(policy, standing)), Effect.fail(tooOften(standing.resetSeconds)))

/** Why an operation that only the owner may do was refused, as the wire knows it. */
export const unproven = {
  TooOften: refusedForNow,
  PasswordIncorrect: () => Effect.fail(passwordIncorrect()),
  RecentSignInRequired: () => Effect.fail(signInAgain(Duration.toMinutes(recentSignIn)))
}

/** An address that no server takes is the caller's to mend; every other cause is not. */
export const wireUnsentMail = (refused: MailRefused) =>
  refused.reason === "recipient"
    ? Effect.fail(invalidRequest("email", "cannot be written to", "Send an address that takes mail."))
    : Effect.logWarning(refused.message).pipe(
        Effect.andThen(answerWithHeaders({ "retry-after": String(retryAfterSeconds) })),
        Effect.andThen(Effect.fail(mailNotSent(retryAfterSeconds)))
      )

export const wireEmailChange = ({ reason }: EmailChangeRefused) => {
  switch (reason) {
    case "code_incorrect":
      return codeIncorrect()
    case "code_expired":
      return codeExpired()
    case "email_in_use":
      return emailInUse()
  }
}

export const wireUnknownFollows = ({ field, slugs }: UnknownFollows) =>
  invalidRequest(
    field,
    `names nothing on record: ${shortened(slugs.join(", "))}`,
    field === "agencies" ? "GET /api/agencies lists every body." : "GET /api/places lists every place."
  )
