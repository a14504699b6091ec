import * as NodeServices from "@effect/platform-node/NodeServices"
import { ByteSize, Clock, Effect, Layer, type Schema } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse, Multipart } from "effect/http"
import { LRUCache } from "lru-cache"
import { Environment } from "../../../layers/config/config.ts"
import { type ConsoleShowing, consoleDocument, type Notice } from "../../console/document.ts"
import { refusalPage } from "../../console/failure.ts"
import { InvalidForm } from "../../console/forms.ts"
import type { ConsoleAct, ConsoleAsked, ConsoleLoad, ConsolePage } from "../../console/page.ts"
import { refilled } from "../../console/refilled.ts"
import { type FailureAt, refusalOf } from "../../failures/failures.ts"
import type { Refusal } from "../../failures/words.ts"
import { Assets } from "../../pages/assets.ts"
import { parametersOf } from "../../pages/query.ts"
import { newToken } from "../../services/accounts/sessions.ts"
import { Operator } from "../../services/history.ts"
import { type Asking, Operators } from "../../services/operators/operators.ts"
import { operatorCookies } from "../cookies.ts"
import { pathOf } from "../exchange.ts"
import { mediaDirective, mediaSource } from "../media/hand-off.ts"
import { firstTrouble } from "../middleware/bad-fields.ts"
import { closedPolicy } from "../middleware/security-headers.ts"

/** A page of the console runs and loads what this listener serves, plays recordings, and is framed nowhere. */
const policy = ({ publicUrl, store }: ConsoleShowing) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Recordings and their posters are served by the public listener.
    `img-src 'self' ${new URL(publicUrl).origin}`,
    mediaDirective(new URL(publicUrl).origin, store),
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

const headers = {
  "cache-control": "private, no-store",
  "content-security-policy": closedPolicy,
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex",
  // A form without a referrer has no origin either, and would be refused.
  "referrer-policy": "same-origin"
}

export const seeOther = (location: string) => HttpServerResponse.redirect(location, { status: 303, headers })

/** A page of the console as a response. */
export const consoleResponse = (page: ConsolePage, showing: ConsoleShowing) =>
  HttpServerResponse.text(consoleDocument(page, showing), {
    status: page.status ?? 200,
    contentType: "text/html; charset=utf-8",
    headers: { ...headers, "content-security-policy": policy(showing) }
  })

/** How long the result of an action waits to be shown, in milliseconds. */
const noticeLife = 5 * 60_000

const closedHint =
  "Set OPERATOR_URL and OPERATOR_EMAILS, with a sign-in provider (OIDC_<NAME>_ISSUER), or leave OPERATOR_HOST on loopback."

/**
 * The results of actions, each under a secret in the address that the operator is led to; at most 1,000. They stay in
 * this process: one that is lost costs a sentence.
 */
const waitingNotices = () => {
  const values = new LRUCache<string, { readonly notice: Notice; readonly until: number }>({ max: 1000 })
  return {
    keep: (notice: Notice) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const secret = newToken()
        values.set(secret, { notice, until: now + noticeLife })
        return secret
      }),
    /** Takes one, which is shown once. */
    take: (secret: string | null) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const found = secret === null ? undefined : values.get(secret)
        if (secret !== null) values.delete(secret)
        return found === undefined || found.until <= now ? undefined : found.notice
      })
  }
}

/** The one file of a form, kept on disk until the request is over; undefined if none was chosen. */
const sentFile = Effect.fnUntraced(
  function* (request: HttpServerRequest.HttpServerRequest, _largest: number) {
    const parts = Object.values(yield* request.multipart).flatMap((values) => [...values])
    const file = parts.find(Multipart.isPersistedFile)
    return file === undefined || file.name === "" ? undefined : { name: file.name, path: file.path }
  },
  (reading, _, largest) =>
    reading.pipe(
      // The form around the file is small.
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(largest + 10_000)),
      Effect.provide(NodeServices.layer),
      Effect.mapError(
        () => new InvalidForm({ message: `file broke off, or has more than ${largest / 1e6} MB: send it again.` })
      )
    )
)

/** Why a caller who is not an operator gets no answer. */
const turnedAway = (asking: Exclude<Asking, { readonly _tag: "Operator" }>): Refusal =>
  asking._tag === "Closed"
    ? { status: 403, message: asking.why, hint: closedHint }
    : { status: 401, message: "You are not signed in to the console.", hint: "Open /signin, then send it again." }

/** Answers the console's pages and actions. One instance holds the notices of all of its routes. */
export const consoleRouting = Effect.gen(function* () {
  const { baseUrl: publicUrl } = yield* Environment
  const assets = yield* Assets
  const store = yield* mediaSource
  const operators = yield* Operators
  const notices = waitingNotices()
  const operatorCookie = operatorCookies(operators.url).session

  const show = (page: ConsolePage, signedIn?: string, notice?: Notice) =>
    consoleResponse(page, { assets, publicUrl, store, signedIn, notice })

  const askingOf = ({ headers, cookies }: HttpServerRequest.HttpServerRequest) =>
    operators.asking(headers.host, cookies[operatorCookie])

  const refuse = (failure: FailureAt<"console"> | Schema.SchemaError, query: URLSearchParams) => {
    if (failure._tag !== "SchemaError") return show(refusalPage(refusalOf(failure)))
    const { field = "The address", problem } = firstTrouble(failure.issue, parametersOf(query))
    return show(refusalPage({ status: 400, message: `${field} ${problem}.`, hint: "Correct it in the address." }))
  }

  /** A page at its path, for operators. The result of the last action is shown with it, once. */
  const page = <E extends FailureAt<"console">, R>(path: `/${string}`, load: ConsoleLoad<E, R>) =>
    Layer.unwrap(
      Effect.gen(function* () {
        const services = yield* Effect.context<R>()
        return HttpRouter.add(
          "GET",
          path,
          Effect.gen(function* () {
            const request = yield* HttpServerRequest.HttpServerRequest
            const asking = yield* askingOf(request)
            if (asking._tag === "SignedOut") return seeOther("/signin")
            if (asking._tag === "Closed") return show(refusalPage(turnedAway(asking)))
            const params = yield* HttpRouter.params
            const query = new URL(request.url, "http://localhost").searchParams
            const secret = query.get("notice")
            query.delete("notice")
            const found = yield* Effect.result(load({ params, query }).pipe(Effect.provideContext(services)))
            if (found._tag === "Failure") return refuse(found.failure, query)
            const notice = yield* notices.take(secret)
            return show(found.success, asking.signedIn ? asking.name : undefined, notice)
          })
        )
      })
    )

  /**
   * An action at its path, for operators: it changes something, then redirects to the page that shows it. If it is
   * refused, the page that its form stands on is shown again with all that was typed. With `largestFile`, in bytes, its
   * form may send a file.
   */
  const action = <E extends FailureAt<"console">, R, E2 extends FailureAt<"console"> = never, R2 = never>(
    path: `/${string}`,
    act: ConsoleAct<E, R>,
    standsOn?: ConsoleLoad<E2, R2>,
    largestFile = 0
  ) =>
    Layer.unwrap(
      Effect.gen(function* () {
        const services = yield* Effect.context<R | R2>()
        return HttpRouter.add(
          "POST",
          path,
          Effect.gen(function* () {
            const request = yield* HttpServerRequest.HttpServerRequest
            const asking = yield* askingOf(request)
            if (asking._tag !== "Operator") return show(refusalPage(turnedAway(asking)))
            const params = yield* HttpRouter.params
            const hasFile =
              largestFile > 0 && request.headers["content-type"]?.startsWith("multipart/form-data") === true
            const form = new URLSearchParams(hasFile ? "" : yield* request.text)
            const done = yield* Effect.result(
              (hasFile ? sentFile(request, largestFile) : Effect.undefined).pipe(
                Effect.flatMap((file) => act({ params, form, file, operator: asking.name })),
                Effect.provideService(Operator, asking.name),
                Effect.provideContext(services)
              )
            )
            if (done._tag === "Failure") {
              const page =
                standsOn === undefined
                  ? undefined
                  : yield* standsOn({ params, query: form }).pipe(
                      Effect.map((page) => refilled(page, pathOf(request.url), form, refusalOf(done.failure))),
                      Effect.orElseSucceed(() => undefined),
                      Effect.provideContext(services)
                    )
              return page === undefined
                ? refuse(done.failure, form)
                : show(page, asking.signedIn ? asking.name : undefined)
            }
            const { to, said, secret } = done.success
            const notice = yield* notices.keep({ said, secret })
            return seeOther(`${to}${to.includes("?") ? "&" : "?"}notice=${notice}`)
          })
        )
      })
    )

  /** What a page's script does, for operators: it is answered in JSON, and so is why it was refused. */
  const script = <E extends FailureAt<"console">, R>(
    method: "POST" | "PATCH",
    path: `/${string}`,
    act: (
      params: ConsoleAsked["params"]
    ) => Effect.Effect<
      Readonly<Record<string, number | string>>,
      E | InvalidForm,
      R | HttpServerRequest.HttpServerRequest
    >
  ) =>
    Layer.unwrap(
      Effect.gen(function* () {
        const services = yield* Effect.context<Exclude<R, HttpServerRequest.HttpServerRequest>>()
        const json = (body: Readonly<Record<string, number | string>>, status = 200) =>
          HttpServerResponse.text(JSON.stringify(body), { status, contentType: "application/json", headers })
        return HttpRouter.add(
          method,
          path,
          Effect.gen(function* () {
            const request = yield* HttpServerRequest.HttpServerRequest
            const asking = yield* askingOf(request)
            const refuse = ({ status, message, hint }: Refusal) => json({ message, hint }, status)
            if (asking._tag !== "Operator") return refuse(turnedAway(asking))
            const done = yield* Effect.result(
              act(yield* HttpRouter.params).pipe(
                Effect.provideService(Operator, asking.name),
                Effect.provideService(HttpServerRequest.HttpServerRequest, request),
                Effect.provideContext(services)
              )
            )
            return done._tag === "Failure" ? refuse(refusalOf(done.failure)) : json(done.success)
          })
        )
      })
    )

  return { page, action, script, show }
})
