import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Environment } from "../../../layers/config.ts"
import { CurrentViewer } from "../../api/access.ts"
import type { WireError } from "../../api/errors/classes.ts"
import { loadAccount } from "../../pages/account.ts"
import type { Accounts } from "../../services/accounts/accounts.ts"
import type { Follows } from "../../services/accounts/follows.ts"
import type { SavedSearches } from "../../services/accounts/saved-searches.ts"
import { Sessions } from "../../services/accounts/sessions.ts"
import type { UserClips } from "../../services/clips/user-clips.ts"
import type { Directory } from "../../services/directory/directory.ts"
import { answerWithoutCookie, sessionCookie } from "../cookies.ts"
import { settlingViewer } from "../middleware/access.ts"
import { addPage } from "./page-route.ts"
import { refusing } from "./refusals.ts"
import { showing } from "./show.ts"

/** To another page, as the answer to this one request only. */
const seeOther = (location: string) =>
  HttpServerResponse.redirect(location, { status: 303, headers: { "cache-control": "private, no-store" } })

/**
 * `GET /account`, for its reader; everyone else is sent to sign in. `POST /signout` ends the session of a browser that
 * runs no script, and leads home: it is refused to a page on another origin, like every write.
 */
export const AccountRoutes = Layer.unwrap(
  Effect.gen(function* () {
    const services = yield* Effect.context<Accounts | Directory | Follows | SavedSearches | UserClips>()
    const sessions = yield* Sessions
    const { baseUrl } = yield* Environment
    const settled = yield* settlingViewer
    const show = yield* showing
    const refuse = yield* refusing

    const toSignIn = seeOther("/signin?return_to=/account")
    const account = Effect.gen(function* () {
      const viewer = yield* CurrentViewer
      if (viewer._tag !== "Reader") return toSignIn
      const request = yield* HttpServerRequest.HttpServerRequest
      return yield* loadAccount(viewer.accountId).pipe(
        Effect.provideContext(services),
        Effect.match({ onFailure: () => toSignIn, onSuccess: (page) => show(request, page, true) })
      )
    })
    const signOut = Effect.gen(function* () {
      const token = (yield* HttpServerRequest.HttpServerRequest).cookies[sessionCookie]
      if (token !== undefined) yield* sessions.end(token)
      yield* answerWithoutCookie(baseUrl, sessionCookie)
      return seeOther("/")
    })

    return Layer.mergeAll(
      addPage("/account", (request) => Effect.catch(settled(account), (error: WireError) => refuse(request, error))),
      HttpRouter.add("POST", "/signout", (request) =>
        Effect.catch(settled(signOut), (error: WireError) => refuse(request, error))
      )
    )
  })
)
