import { DateTime, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Environment } from "../../../../layers/config/config.ts"
import { CurrentViewer } from "../../../api/access.ts"
import type { WireError } from "../../../api/errors/classes.ts"
import { wire } from "../../../failures/failures.ts"
import { loadCalendar } from "../../../pages/account/calendar.ts"
import { loadClips } from "../../../pages/account/clips.ts"
import { deletedPage, loadDelete, loadExport } from "../../../pages/account/data.ts"
import { loadEmail, loadEmailCode } from "../../../pages/account/email.ts"
import { loadFollows } from "../../../pages/account/follows.ts"
import { loadMail } from "../../../pages/account/mail.ts"
import { loadMistake } from "../../../pages/account/mistake.ts"
import { loadOverview } from "../../../pages/account/overview.ts"
import { loadPassword } from "../../../pages/account/password.ts"
import { loadName, loadPhone } from "../../../pages/account/profile.ts"
import { loadSearch, loadSearches } from "../../../pages/account/searches.ts"
import { loadSessions } from "../../../pages/account/sessions.ts"
import { type LoadTask, type Outcome, outcomes, type Visit } from "../../../pages/account/task.ts"
import { loadTokens } from "../../../pages/account/tokens.ts"
import { SignInRequired } from "../../../services/accounts/access.ts"
import { Sessions } from "../../../services/accounts/sessions.ts"
import type { NotFound, Removed } from "../../../services/failures.ts"
import { clientNetwork } from "../../client-network.ts"
import { answerWithCookie, answerWithoutCookie, sessionCookie } from "../../cookies.ts"
import { readForm } from "../../form.ts"
import { settlingViewer } from "../../middleware/access.ts"
import { countingPublicReads } from "../../middleware/public-reads.ts"
import { addPage } from "../page-route.ts"
import { refusing } from "../refusals.ts"
import { showing } from "../show.ts"
import * as actions from "./actions.ts"
import { refusedBy } from "./troubles.ts"

/** Carries the result of an action over the redirect, to the page that shows it once. */
const outcomeCookie = "cr_done"
const isOutcome = (value: string | undefined): value is Outcome => value !== undefined && Object.hasOwn(outcomes, value)

/** Redirects to another page, as the answer to this request only. */
const seeOther = (location: string) =>
  HttpServerResponse.redirect(location, { status: 303, headers: { "cache-control": "private, no-store" } })

/** The dependencies of a page of the account: who is there, how pages are shown and refused. */
const visiting = Effect.gen(function* () {
  const counted = yield* countingPublicReads
  const settled = yield* settlingViewer
  const show = yield* showing
  const refuse = yield* refusing
  const { baseUrl } = yield* Environment

  /**
   * Answers a reader; everyone else is redirected to sign in and come back to `path`, once the origin of the request is
   * checked.
   */
  const forReader = <R>(
    path: string,
    answer: (visit: Visit) => Effect.Effect<HttpServerResponse.HttpServerResponse, SignInRequired | WireError, R>
  ) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const params = yield* HttpRouter.params
      const url = new URL(request.url, "http://localhost")
      const at = Object.entries(params).reduce((at, [name, value]) => at.replace(`:${name}`, value ?? ""), path)
      const back = request.method === "POST" ? at : at + url.search
      const toSignIn = seeOther(`/signin?${new URLSearchParams({ return_to: back })}`)
      const answered = Effect.gen(function* () {
        const viewer = yield* CurrentViewer
        if (viewer._tag !== "Reader") return toSignIn
        const session = request.cookies[sessionCookie] ?? ""
        return yield* answer({ reader: viewer.accountId, session, params, query: url.searchParams })
      }).pipe(
        Effect.catchIf(
          (error) => error instanceof SignInRequired,
          () => Effect.succeed(toSignIn)
        )
      )
      return yield* Effect.catch(Effect.andThen(counted, settled(answered)), (error) => refuse(request, error))
    })

  /** A page as its reader gets it; what it is about may be gone. */
  const loaded = <R>(load: LoadTask<R, NotFound | Removed>, visit: Visit) =>
    Effect.mapError(load(visit), (failure) => (failure._tag === "SignInRequired" ? failure : wire(failure)))

  const page = <R>(path: `/${string}`, load: LoadTask<R, NotFound | Removed>) =>
    Layer.unwrap(
      Effect.map(Effect.context<R>(), (services) =>
        addPage(path, (request) =>
          forReader(path, (visit) =>
            Effect.gen(function* () {
              const outcome = request.cookies[outcomeCookie]
              if (outcome !== undefined) yield* answerWithoutCookie(baseUrl, outcomeCookie)
              const known = isOutcome(outcome) ? outcome : undefined
              return show(request, yield* loaded(load, { ...visit, outcome: known }), true)
            }).pipe(Effect.provideContext(services))
          )
        )
      )
    )

  /** A form posted to `path`. Refused, `load` shows it again with the submitted values; done, it redirects (303). */
  const action = <E extends Parameters<typeof refusedBy>[0], R, S>(
    path: `/${string}`,
    act: (
      sent: Visit & { readonly form: URLSearchParams; readonly network: string }
    ) => Effect.Effect<actions.Done, E | SignInRequired, R>,
    load: LoadTask<S, NotFound | Removed>,
    back = path
  ) =>
    Layer.unwrap(
      Effect.map(Effect.context<R | S>(), (services) =>
        HttpRouter.add("POST", path, (request) =>
          forReader(back, (visit) =>
            Effect.gen(function* () {
              const form = yield* readForm(request)
              const done = yield* Effect.result(act({ ...visit, form, network: clientNetwork(request.remoteAddress) }))
              if (done._tag === "Failure") {
                if (done.failure instanceof SignInRequired) return yield* Effect.fail(done.failure)
                return show(request, yield* loaded(load, { ...visit, refused: refusedBy(done.failure, form) }), true)
              }
              const { to, outcome, endsSession, page } = done.success
              if (page !== undefined) return show(request, page, true)
              if (outcome !== undefined) {
                const expires = DateTime.add(yield* DateTime.now, { minutes: 1 })
                yield* answerWithCookie(baseUrl, { name: outcomeCookie, value: outcome, expires })
              }
              if (endsSession) yield* answerWithoutCookie(baseUrl, sessionCookie)
              return seeOther(to)
            }).pipe(Effect.provideContext(services))
          )
        )
      )
    )

  return { page, action }
})

/** `POST /signout` ends the session of a browser without scripts, and redirects home. */
const SignOutRoute = Layer.unwrap(
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const { baseUrl } = yield* Environment
    const settled = yield* settlingViewer
    const refuse = yield* refusing
    const signOut = Effect.gen(function* () {
      const token = (yield* HttpServerRequest.HttpServerRequest).cookies[sessionCookie]
      if (token !== undefined) yield* sessions.end(token)
      yield* answerWithoutCookie(baseUrl, sessionCookie)
      return seeOther("/")
    })
    return HttpRouter.add("POST", "/signout", (request) =>
      Effect.catch(settled(signOut), (error: WireError) => refuse(request, error))
    )
  })
)

const DeletedRoute = Layer.unwrap(
  Effect.map(showing, (show) =>
    addPage("/account/deleted", (request) => Effect.succeed(show(request, deletedPage, false)))
  )
)

/**
 * The pages of an account, one per task, for its reader; everyone else is redirected to sign in. They work as forms,
 * with or without a script, through the services that the API uses; a form that a page on another origin sends is
 * refused, like every write.
 */
export const AccountRoutes = Layer.unwrap(
  Effect.map(visiting, ({ page, action }) =>
    Layer.mergeAll(
      page("/account", loadOverview),
      page("/account/name", loadName),
      action("/account/name", actions.rename, loadName),
      page("/account/phone", loadPhone),
      action("/account/phone", actions.setPhone, loadPhone),
      action("/account/phone/remove", actions.removePhone, loadPhone, "/account/phone"),
      page("/account/email", loadEmail),
      action("/account/email", actions.startEmail, loadEmail),
      page("/account/email/code", loadEmailCode),
      action("/account/email/code", actions.confirmEmail, loadEmailCode),
      page("/account/password", loadPassword),
      action("/account/password", actions.setPassword, loadPassword),
      page("/account/follows", loadFollows),
      action("/account/follows", actions.follow, loadFollows),
      page("/account/calendar", loadCalendar),
      action("/account/calendar", actions.resetCalendar, loadCalendar),
      action("/account/calendar/remove", actions.removeCalendar, loadCalendar, "/account/calendar"),
      page("/account/tokens", loadTokens),
      action("/account/tokens", actions.makeToken, loadTokens),
      action("/account/tokens/:id/revoke", actions.revokeToken, loadTokens, "/account/tokens"),
      page("/account/sessions", loadSessions),
      action("/account/sessions/:id/end", actions.endSession, loadSessions, "/account/sessions"),
      page("/account/mail", loadMail),
      action("/account/mail", actions.setMail, loadMail),
      page("/account/searches", loadSearches),
      action("/account/searches", actions.saveSearch, loadSearches),
      page("/account/searches/:id", loadSearch),
      action("/account/searches/:id", actions.renameSearch, loadSearch),
      action("/account/searches/:id/remove", actions.removeSearch, loadSearches, "/account/searches"),
      page("/account/clips", loadClips),
      action("/account/clips/:id/remove", actions.removeClip, loadClips, "/account/clips"),
      page("/in/:place/:body/:meeting/report", loadMistake),
      action("/in/:place/:body/:meeting/report", actions.reportMistake, loadMistake),
      page("/account/export", loadExport),
      page("/account/delete", loadDelete),
      action("/account/delete", actions.deleteAccount, loadDelete),
      SignOutRoute,
      DeletedRoute
    )
  )
)
