import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { UnknownProvider } from "../../layers/identity.ts"
import { nobodySignedIn, noSuchProvider, providerUnavailable, signInRefused, tooOften } from "../api/errors/account.ts"
import type { WireError } from "../api/errors/classes.ts"
import { type SignInTrouble, signInFailedPage } from "../pages/sign-in.ts"
import type { TooOften } from "../services/accounts/allowance.ts"
import type { SignInFailed, SignInFailure } from "../services/accounts/sign-ins.ts"
import { rateLimitHeaders } from "./middleware/public-reads.ts"
import { errorForm } from "./pages/negotiation.ts"
import { showing } from "./pages/show.ts"
import { answerWithHeaders, problemResponse, retryAfterSeconds } from "./problem.ts"

interface Told {
  readonly title: string
  readonly text: string
  /** `refused`: the answer is not taken; `nobody`: it is, and signs nobody in; `away`: it cannot be judged now. */
  readonly kind: "refused" | "nobody" | "away"
}

const begunElsewhere = "It belongs to another sign-in than the one that was begun in this browser."

/** What each failure is to the person whom it happened to. */
const told: Readonly<Record<SignInFailure, Told>> = {
  over: {
    title: "This sign-in is over",
    text: "It was finished before, took longer than 10 minutes, or was never begun here.",
    kind: "refused"
  },
  other_browser: { title: "This sign-in is not yours to finish", text: begunElsewhere, kind: "refused" },
  state_mismatch: { title: "This sign-in is not yours to finish", text: begunElsewhere, kind: "refused" },
  nonce_mismatch: { title: "This sign-in is not yours to finish", text: begunElsewhere, kind: "refused" },
  issuer_mismatch: {
    title: "You were not signed in",
    text: "The answer came from another sign-in provider than the one that was asked.",
    kind: "refused"
  },
  code_refused: {
    title: "This sign-in is over",
    text: "The sign-in provider says that it was used before, or took too long.",
    kind: "refused"
  },
  token_invalid: {
    title: "You were not signed in",
    text: "The sign-in provider's answer could not be verified.",
    kind: "refused"
  },
  provider_refused: {
    title: "You were not signed in",
    text: "The sign-in provider refused to sign you in.",
    kind: "nobody"
  },
  denied: { title: "You were not signed in", text: "The sign-in was cancelled. Nothing has changed.", kind: "nobody" },
  email_missing: {
    title: "You were not signed in",
    text: "The sign-in provider did not tell an e-mail address, and an account takes one.",
    kind: "nobody"
  },
  email_unverified: {
    title: "You were not signed in",
    text: "The sign-in provider has not verified that the e-mail address is yours. Verify it there, then sign in again.",
    kind: "nobody"
  },
  unavailable: {
    title: "The sign-in provider cannot be reached",
    text: "It does not answer as it should at the moment. Try again in a minute.",
    kind: "away"
  }
}

const errorOf = ({ text, kind }: Told, start: string): WireError => {
  switch (kind) {
    case "refused":
      return signInRefused(text, start)
    case "nobody":
      return nobodySignedIn(text, start)
    case "away":
      return providerUnavailable(text, retryAfterSeconds)
  }
}

/** How a failure of `GET /api/auth/oidc/{provider}/start` or `/callback` is answered: with a page to a browser, else in the error shape. */
export const signInFailing = Effect.map(showing, (show) =>
  Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    provider: string,
    failure: UnknownProvider | SignInFailed | TooOften
  ) {
    const { error, page, headers } = answerTo(provider, failure)
    yield* answerWithHeaders(headers)
    return errorForm(request.headers.accept) === "html"
      ? show(request, signInFailedPage({ status: error.status, ...page }), false, "html")
      : problemResponse(error)
  })
)

const toTheRecord = { href: "/", text: "Go to the record" }

const answerTo = (provider: string, failure: UnknownProvider | SignInFailed | TooOften): Answer => {
  switch (failure._tag) {
    case "SignInFailed": {
      const { title, text, kind } = told[failure.reason]
      const query = failure.returnTo === "/" ? "" : `?return_to=${encodeURIComponent(failure.returnTo)}`
      const start = `/api/auth/oidc/${encodeURIComponent(provider)}/start${query}`
      return {
        error: errorOf(told[failure.reason], start),
        page: { title, text, link: { href: start, text: "Try again" } },
        headers: kind === "away" ? { "retry-after": String(retryAfterSeconds) } : {}
      }
    }
    case "UnknownProvider": {
      const error = noSuchProvider(provider)
      return { error, page: { title: "Nobody signs in this way", text: error.message, link: toTheRecord }, headers: {} }
    }
    case "TooOften": {
      const { policy, standing } = failure
      const minutes = Math.ceil(standing.resetSeconds / 60)
      const text = `Sign-ins were begun too often from here. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`
      return {
        error: tooOften(standing.resetSeconds),
        page: { title: "Too many sign-ins", text, link: toTheRecord },
        headers: rateLimitHeaders(policy, standing)
      }
    }
  }
}

interface Answer {
  readonly error: WireError
  readonly page: Omit<SignInTrouble, "status">
  readonly headers: Readonly<Record<string, string>>
}
