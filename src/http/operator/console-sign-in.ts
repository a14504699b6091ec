import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { refusalPage } from "../../console/failure.ts"
import type { ConsolePage } from "../../console/page.ts"
import { type FailureAt, signInTroubleOf, wire } from "../../failures/failures.ts"
import { el, heading } from "../../page-tree/tree.ts"
import { Operators } from "../../services/operators/operators.ts"
import { clientNetwork } from "../client-network.ts"
import { answerWithCookie, answerWithoutCookie, operatorCookies } from "../cookies.ts"
import { answerWithHeaders } from "../problem.ts"
import { seeOther } from "./console-routes.ts"

const signInPage = (providers: Operators["Service"]["providers"]): ConsolePage => ({
  title: "Sign in",
  section: "",
  main: [
    heading("Sign in to the console"),
    providers.length === 0
      ? el("p", {}, "No sign-in provider is configured. Set OIDC_<NAME>_ISSUER and OIDC_<NAME>_CLIENT_ID.")
      : el(
          "ul",
          { class: "actions" },
          providers.map(({ id, name }) => el("li", {}, el("a", { class: "action", href: `/signin/${id}` }, name)))
        )
  ]
})

const hint = "Open /signin to sign in again."
const refused = (message: string) => refusalPage({ status: 401, message, hint })

/** Sign-in to the console, needed if it listens outside of loopback. */
export const consoleSignIn = Effect.fnUntraced(function* (
  show: (page: ConsolePage) => HttpServerResponse.HttpServerResponse
) {
  const operators = yield* Operators
  const { url, providers } = operators
  // On loopback nobody signs in.
  if (url === undefined) return Layer.empty

  const cookieNames = operatorCookies(url)
  /** A sign-in that fails is a page with the words of the public site, and the status of the API. */
  const failing = (failure: FailureAt<"signIn"> & FailureAt<"api">) =>
    Effect.as(
      answerWithHeaders(wire(failure).headers ?? {}),
      show(refusalPage({ status: wire(failure).status, message: signInTroubleOf(failure).text, hint }))
    )

  const begin = Effect.gen(function* () {
    const { provider = "" } = yield* HttpRouter.params
    const { cookies, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
    const browser = cookies[cookieNames.signIn]
    const begun = yield* operators.begin(provider, { browser, network: clientNetwork(remoteAddress) })
    yield* answerWithCookie(url, { name: cookieNames.signIn, value: begun.browser, expires: begun.expiresAt })
    return seeOther(begun.url)
  }).pipe(Effect.catch(failing))

  const complete = Effect.gen(function* () {
    const { provider = "" } = yield* HttpRouter.params
    const { cookies, url: target } = yield* HttpServerRequest.HttpServerRequest
    const { searchParams } = new URL(target, "http://localhost")
    yield* answerWithoutCookie(url, cookieNames.signIn)
    const done = yield* operators.complete(provider, searchParams.toString(), cookies[cookieNames.signIn])
    if ("refused" in done) return show(refused(done.refused))
    yield* answerWithCookie(url, { name: cookieNames.session, value: done.session, expires: done.expiresAt })
    return seeOther("/")
  }).pipe(Effect.catch(failing))

  const signOut = Effect.gen(function* () {
    const { cookies } = yield* HttpServerRequest.HttpServerRequest
    yield* operators.end(cookies[cookieNames.session])
    yield* answerWithoutCookie(url, cookieNames.session)
    return seeOther("/signin")
  })

  return Layer.mergeAll(
    HttpRouter.add(
      "GET",
      "/signin",
      Effect.sync(() => show(signInPage(providers)))
    ),
    HttpRouter.add("GET", "/signin/:provider", begin),
    HttpRouter.add("GET", "/signin/:provider/callback", complete),
    HttpRouter.add("POST", "/signout", signOut)
  )
})
