import { DateTime, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { refusalPage } from "../../console/failure.ts"
import type { ConsolePage } from "../../console/page.ts"
import { el, heading } from "../../page-tree/tree.ts"
import { answerWithCookie, answerWithoutCookie } from "../cookies.ts"
import { operatorCookie, seeOther } from "./console-routes.ts"
import { Operators } from "./operators.ts"

/** Binds a sign-in under way to its browser. */
const signInCookie = "cr_operator_sign_in"

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

const refused = (message: string) => refusalPage({ status: 401, message, hint: "Open /signin to sign in again." })

/** Sign-in to the console, needed if it listens outside of loopback. */
export const consoleSignIn = Effect.fnUntraced(function* (
  show: (page: ConsolePage) => HttpServerResponse.HttpServerResponse
) {
  const operators = yield* Operators
  const { url, providers } = operators
  // On loopback nobody signs in.
  if (url === undefined) return Layer.empty

  const expiring = (hours: number) => Effect.map(DateTime.now, DateTime.add({ hours }))

  const begin = Effect.gen(function* () {
    const { provider = "" } = yield* HttpRouter.params
    const begun = yield* operators.begin(provider)
    if (begun === undefined) return show(refused("This sign-in provider is unknown, or cannot be reached."))
    yield* answerWithCookie(url, { name: signInCookie, value: begun.browser, expires: yield* expiring(1) })
    return seeOther(begun.url)
  })

  const complete = Effect.gen(function* () {
    const { provider = "" } = yield* HttpRouter.params
    const { cookies, url: target } = yield* HttpServerRequest.HttpServerRequest
    const { searchParams } = new URL(target, "http://localhost")
    const done = yield* operators.complete(provider, searchParams.toString(), cookies[signInCookie])
    yield* answerWithoutCookie(url, signInCookie)
    if ("refused" in done) return show(refused(done.refused))
    yield* answerWithCookie(url, { name: operatorCookie, value: done.session, expires: yield* expiring(12) })
    return seeOther("/")
  })

  const signOut = Effect.gen(function* () {
    const { cookies } = yield* HttpServerRequest.HttpServerRequest
    yield* operators.end(cookies[operatorCookie])
    yield* answerWithoutCookie(url, operatorCookie)
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
