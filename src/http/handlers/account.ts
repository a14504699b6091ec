import { DateTime, Effect, type Option, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiSchema } from "effect/http-api"
import { Environment } from "../../../layers/config.ts"
import type { AccountId } from "../../../schema/primitives.ts"
import { Api } from "../../api/api.ts"
import { noPhone, passwordTooWeak, phoneInvalid } from "../../api/errors/account.ts"
import { signInRequired } from "../../api/errors/common.ts"
import { AccountExport } from "../../services/accounts/account-export.ts"
import { Accounts } from "../../services/accounts/accounts.ts"
import { EmailChanges } from "../../services/accounts/email-changes.ts"
import { Follows } from "../../services/accounts/follows.ts"
import { Passwords } from "../../services/accounts/passwords.ts"
import { clientNetwork } from "../client-network.ts"
import { cookieOptions } from "../cookies.ts"
import { refusedForNow, unproven, wireEmailChange, wireUnknownFollows, wireUnsentMail } from "./account-failures.ts"
import { reader } from "./refusals.ts"

export const AccountLive = HttpApiBuilder.group(
  Api,
  "account",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts
    const emailChanges = yield* EmailChanges
    const passwords = yield* Passwords
    const follows = yield* Follows
    const exports = yield* AccountExport
    const { baseUrl } = yield* Environment

    /** An account that was deleted while it was asked for has no session any more. */
    const present = <A>(found: Option.Option<A>) => Effect.mapError(Effect.fromOption(found), signInRequired)
    const accountOf = (id: AccountId) => Effect.flatMap(accounts.get(id), present)

    const requireOwner = (id: AccountId, { cookies }: HttpServerRequest.HttpServerRequest, current?: string) =>
      passwords
        .requireOwner(id, {
          session: cookies.cr_session ?? "",
          ...(current === undefined ? {} : { current: Redacted.make(current) })
        })
        .pipe(Effect.catchTags(unproven))

    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        return yield* accountOf(yield* reader)
      }),
      update: Effect.fnUntraced(function* ({ payload }) {
        return yield* present(yield* accounts.rename(yield* reader, payload.name))
      }),
      remove: Effect.fnUntraced(function* ({ payload, request }) {
        const id = yield* reader
        yield* requireOwner(id, request, payload?.current_password)
        yield* accounts.remove(id)
        return HttpServerResponse.expireCookieUnsafe(
          HttpServerResponse.empty({ status: 204 }),
          "cr_session",
          cookieOptions(baseUrl)
        )
      }),
      startEmail: Effect.fnUntraced(function* ({ payload, request }) {
        const id = yield* reader
        yield* requireOwner(id, request, payload.current_password)
        yield* emailChanges
          .start(id, payload.email, clientNetwork(request.remoteAddress))
          .pipe(Effect.catchTags({ TooOften: refusedForNow, MailRefused: wireUnsentMail }))
      }),
      confirmEmail: Effect.fnUntraced(function* ({ payload }) {
        const id = yield* reader
        yield* emailChanges.confirm(id, payload).pipe(
          Effect.catchTags({
            TooOften: refusedForNow,
            EmailChangeRefused: (refused) => Effect.fail(wireEmailChange(refused))
          })
        )
        return yield* accountOf(id)
      }),
      setPassword: Effect.fnUntraced(function* ({ payload, request }) {
        const id = yield* reader
        const sent = {
          password: Redacted.make(payload.password),
          ...(payload.current_password === undefined ? {} : { current: Redacted.make(payload.current_password) })
        }
        yield* passwords.set(id, sent, request.cookies.cr_session ?? "").pipe(
          Effect.catchTags({
            TooOften: refusedForNow,
            PasswordIncorrect: unproven.PasswordIncorrect,
            PasswordTooWeak: ({ advice }) => Effect.fail(passwordTooWeak(advice))
          })
        )
        return yield* accountOf(id)
      }),
      setPhone: Effect.fnUntraced(function* ({ payload }) {
        return yield* present(yield* Effect.mapError(accounts.setPhone(yield* reader, payload.phone), phoneInvalid))
      }),
      removePhone: Effect.fnUntraced(function* () {
        if (!(yield* accounts.removePhone(yield* reader))) return yield* Effect.fail(noPhone())
      }),
      follows: Effect.fnUntraced(function* () {
        return yield* follows.get(yield* reader)
      }),
      setFollows: Effect.fnUntraced(function* ({ payload }) {
        return yield* Effect.mapError(follows.replace(yield* reader, payload), wireUnknownFollows)
      }),
      export: Effect.fnUntraced(function* () {
        const body = yield* present(yield* exports.of(yield* reader))
        const today = DateTime.formatIsoDateUtc(yield* DateTime.now)
        return HttpApiSchema.withHeaders({
          body,
          headers: { "content-disposition": `attachment; filename="civic-record-account-${today}.json"` }
        })
      })
    })
  })
)
