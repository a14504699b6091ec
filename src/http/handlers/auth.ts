import { DateTime, Effect, Option } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Environment } from "../../../layers/config/config.ts"
import { Identity } from "../../../layers/identity/identity.ts"
import { CurrentViewer } from "../../api/access.ts"
import { Api } from "../../api/api.ts"
import { type FailureAt, signInTroubleOf, wire } from "../../failures/failures.ts"
import { signInFailedPage } from "../../pages/sign-in.ts"
import { Accounts } from "../../services/accounts/accounts.ts"
import { safeReturnTo } from "../../services/accounts/return-to.ts"
import { Sessions, sessionLife } from "../../services/accounts/sessions.ts"
import { SignIns } from "../../services/accounts/sign-ins.ts"
import { given } from "../../services/wire.ts"
import { browserFamily } from "../browser-family.ts"
import { clientNetwork } from "../client-network.ts"
import { answerWithCookie, answerWithoutCookie, sessionCookie, signInCookie } from "../cookies.ts"
import { errorForm } from "../pages/negotiation.ts"
import { showing } from "../pages/show.ts"
import { answerWithHeaders, problemResponse } from "../problem.ts"

/** The answer to a HEAD whose GET would change something. */
const unchanged = HttpServerResponse.empty({ status: 200 })

/** A failed sign-in: a page for a browser, else the one error shape. */
const signInFailing = Effect.map(showing, (show) =>
  Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    failure: FailureAt<"signIn"> & FailureAt<"api">
  ) {
    const error = wire(failure)
    yield* answerWithHeaders(error.headers ?? {})
    return errorForm(request.headers.accept) === "html"
      ? show(request, signInFailedPage(error.status, signInTroubleOf(failure)), false, "html")
      : problemResponse(error)
  })
)

export const AuthLive = HttpApiBuilder.group(
  Api,
  "auth",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts
    const sessions = yield* Sessions
    const signIns = yield* SignIns
    const identity = yield* Identity
    const { baseUrl, identityPublishableKey } = yield* Environment
    const signInFailure = yield* signInFailing
    const bindingCookie = signInCookie(baseUrl)
    const providers = identity.providers.map(({ id, name }) => ({
      id,
      name,
      start_url: `${baseUrl}/api/auth/oidc/${id}/start`
    }))

    return handlers.handleAll({
      session: Effect.fnUntraced(function* () {
        const viewer = yield* CurrentViewer
        const account = viewer._tag === "Reader" ? yield* Effect.option(accounts.get(viewer.accountId)) : Option.none()
        return {
          ...given("account", Option.getOrUndefined(account)),
          providers,
          ...given("publishable_key", Option.getOrUndefined(identityPublishableKey))
        }
      }),

      logout: Effect.fnUntraced(function* ({ request }) {
        const token = request.cookies[sessionCookie]
        if (token !== undefined) yield* sessions.end(token)
        yield* answerWithoutCookie(baseUrl, sessionCookie)
      }),

      start: Effect.fnUntraced(function* ({ params, query, request }) {
        // A HEAD stores nothing: neither an attempt to sign in nor, below, a session.
        if (request.method === "HEAD" && providers.some(({ id }) => id === params.provider)) return unchanged
        const begun = yield* Effect.result(
          signIns.begin(params.provider, {
            returnTo: safeReturnTo(query.return_to),
            browser: request.cookies[bindingCookie],
            network: clientNetwork(request.remoteAddress)
          })
        )
        if (begun._tag === "Failure") return yield* signInFailure(request, begun.failure)
        const { url, browser, expiresAt } = begun.success
        yield* answerWithCookie(baseUrl, { name: bindingCookie, value: browser, expires: expiresAt })
        return HttpServerResponse.redirect(url, { status: 302 })
      }),

      callback: Effect.fnUntraced(function* ({ params, request }) {
        if (request.method === "HEAD" && providers.some(({ id }) => id === params.provider)) return unchanged
        const completed = yield* Effect.result(
          signIns.complete(params.provider, {
            callbackUrl: new URL(request.url, baseUrl),
            browser: request.cookies[bindingCookie],
            session: request.cookies[sessionCookie],
            family: browserFamily(request.headers["user-agent"])
          })
        )
        if (completed._tag === "Failure") return yield* signInFailure(request, completed.failure)
        const { session, returnTo } = completed.success
        const expires = DateTime.addDuration(yield* DateTime.now, sessionLife)
        yield* answerWithCookie(baseUrl, { name: sessionCookie, value: session, expires })
        return HttpServerResponse.redirect(returnTo, { status: 303 })
      })
    })
  })
)
