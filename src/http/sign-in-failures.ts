import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { UnknownProvider } from "../../layers/identity/identity.ts"
import { signInFailedPage } from "../pages/sign-in.ts"
import type { TooOften } from "../services/accounts/allowance.ts"
import type { SignInFailed } from "../services/accounts/sign-ins.ts"
import { errorForm } from "./pages/negotiation.ts"
import { showing } from "./pages/show.ts"
import { answerWithHeaders, problemResponse } from "./problem.ts"
import { wire } from "./wire.ts"
import { signInFailures, startOf } from "./words/sign-in.ts"

type Failure = UnknownProvider | SignInFailed | TooOften

/** A failure of `GET /api/auth/oidc/{provider}/start` or `/callback`: a page for a browser, else the error shape. */
export const signInFailing = Effect.map(showing, (show) =>
  Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, failure: Failure) {
    const error = wire(failure)
    yield* answerWithHeaders(error.headers ?? {})
    return errorForm(request.headers.accept) === "html"
      ? show(request, signInFailedPage({ status: error.status, ...pageOf(failure, error.message) }), false, "html")
      : problemResponse(error)
  })
)

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
