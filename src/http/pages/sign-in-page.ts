import { Effect, Layer } from "effect"
import { Identity } from "../../../layers/identity/identity.ts"
import { signInPage } from "../../pages/sign-in.ts"
import { safeReturnTo } from "../../services/accounts/return-to.ts"
import { addPage } from "./page-route.ts"
import { showing } from "./show.ts"

/** `GET /signin`, which errors and documents link to: the sign-in providers, with `return_to` carried along. */
export const SignInRoute = Layer.unwrap(
  Effect.gen(function* () {
    const { providers } = yield* Identity
    const show = yield* showing
    return addPage("/signin", (request) => {
      const asked = new URL(request.url, "http://localhost").searchParams.get("return_to")
      const query = new URLSearchParams({ return_to: safeReturnTo(asked ?? "/") })
      const ways = providers.map(({ id, name }) => ({ name, start: `/api/auth/oidc/${id}/start?${query}` }))
      return Effect.succeed(show(request, signInPage(ways), false))
    })
  })
)
