import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { Identity } from "../../../layers/identity/identity.ts"
import { signInPage } from "../../pages/sign-in.ts"
import { safeReturnTo } from "../../services/accounts/return-to.ts"
import { addPage } from "./page-route.ts"
import { showing } from "./show.ts"
import { isOpened } from "./visit.ts"

/**
 * `GET /signin`, which errors and documents link to: the sign-in providers, with `return_to` carried along. Where there
 * is one, a browser goes straight to it; a sign-in that fails ends on a page of its own, so nobody goes in circles.
 */
export const SignInRoute = Layer.unwrap(
  Effect.gen(function* () {
    const { providers } = yield* Identity
    const show = yield* showing
    return addPage("/signin", (request) => {
      const asked = new URL(request.url, "http://localhost").searchParams.get("return_to")
      const query = new URLSearchParams({ return_to: safeReturnTo(asked ?? "/") })
      const ways = providers.map(({ id, name }) => ({ name, start: `/api/auth/oidc/${id}/start?${query}` }))
      const [way, ...others] = ways
      return Effect.succeed(
        way !== undefined && others.length === 0 && isOpened(request)
          ? HttpServerResponse.redirect(way.start, { status: 303, headers: { "cache-control": "private, no-store" } })
          : show(request, signInPage(ways), false)
      )
    })
  })
)
