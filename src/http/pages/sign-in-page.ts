import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import escapeHtml from "escape-html"
import { Identity } from "../../../layers/identity.ts"
import { safeReturnTo } from "../../services/accounts/return-to.ts"
import { linkButton, smallPage } from "./small-page.ts"

/** The page a browser gets when a sign-in failed: what happened, and one link that leads on. */
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

/** Where signing in leads without `return_to`: it shows whose session it is. */
const usualReturn = "/api/auth/session"

const welcome = "<p>Accounts are free. Yours is created when you first sign in.</p>"
const noWayIn = "<p>Signing in is not set up on this service yet. Its operators can configure it.</p>"

/** `GET /signin`, where errors and documents send people to sign in: a link per provider, with `return_to` carried along. */
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
