import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import Negotiator from "negotiator"
import type { UnknownProvider } from "../../layers/identity.ts"
import type { TooOften } from "../services/accounts/allowance.ts"
import type { SignInFailed } from "../services/accounts/sign-ins.ts"
import { signInFailedPage } from "./pages/sign-in-page.ts"
import { answerWithHeaders, problemResponse } from "./problem.ts"
import { wire } from "./wire.ts"
import { signInFailures, startOf } from "./words/sign-in.ts"

type Failure = UnknownProvider | SignInFailed | TooOften

/** Whether a page is asked for; a caller that does not say, or accepts both, is a program (spec section 7). */
const wantsPage = (request: HttpServerRequest.HttpServerRequest): boolean =>
  new Negotiator(request).mediaType(["application/json", "text/html"]) === "text/html"

/** A failure of `GET /api/auth/oidc/{provider}/start` or `/callback`: a page for a browser, else the error shape. */
export const signInFailure = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  failure: Failure
) {
  const error = wire(failure)
  yield* answerWithHeaders(error.headers ?? {})
  return wantsPage(request)
    ? signInFailedPage({ status: error.status, ...pageOf(failure, error.message) })
    : problemResponse(error)
})

const toTheRecord = { href: "/", text: "Go to the record" }

const pageOf = (failure: Failure, message: string): Omit<Parameters<typeof signInFailedPage>[0], "status"> => {
  switch (failure._tag) {
    case "SignInFailed":
      return {
        title: signInFailures[failure.reason].title,
        text: message,
        link: { href: startOf(failure), text: "Try again" }
      }
    case "UnknownProvider":
      return { title: "Unknown sign-in provider", text: message, link: toTheRecord }
    case "TooOften": {
      const minutes = Math.ceil(failure.standing.resetSeconds / 60)
      const text = `Too many sign-ins were started from your network. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`
      return { title: "Too many sign-ins", text, link: toTheRecord }
    }
  }
}
