import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import escapeHtml from "escape-html"
import { Identity } from "../../../layers/identity.ts"
import { safeReturnTo } from "../../services/accounts/return-to.ts"
import { linkButton, smallPage } from "./small-page.ts"

/** What a browser is shown where a sign-in failed: what happened, and the one link that leads on. */
export const signInFailedPage = ({
  status,
  title,
  text,
  link
}: {
  readonly status: number
  readonly title: string
  readonly text: string
  readonly link: { readonly href: string; readonly text: string }
}) => smallPage({ status, title, main: `<p role="alert">${escapeHtml(text)}</p>\n${linkButton(link.href, link.text)}` })

/** Who says nothing of where to go is shown who they are. */
const usualReturn = "/api/auth/session"

const welcome = "<p>An account is free, and is made when you first sign in.</p>"
const noWayIn = "<p>This service has no way to sign in yet: its operators configure one.</p>"

/** `GET /signin`, where errors and documents send whoever is to sign in: the ways in, with `return_to` carried along. */
export const SignInRoute = Layer.unwrap(
  Effect.map(Identity, ({ providers }) =>
    HttpRouter.add("GET", "/signin", (request) => {
      const asked = new URL(request.url, "http://localhost").searchParams.get("return_to")
      const query = new URLSearchParams({ return_to: safeReturnTo(asked ?? usualReturn) })
      const ways = providers.map(({ id, name }) =>
        linkButton(`/api/auth/oidc/${id}/start?${query}`, `Continue with ${name}`)
      )
      return Effect.succeed(
        ways.length > 0
          ? smallPage({ title: "Sign in", main: `${welcome}\n${ways.join("\n")}` })
          : smallPage({ status: 503, title: "Sign in", main: noWayIn })
      )
    })
  )
)
