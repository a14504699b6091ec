import { DateTime, Effect, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder, HttpApiSchema } from "effect/http-api"
import { Environment } from "../../../layers/config/config.ts"
import type { AccountId } from "../../../schema/primitives.ts"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { AccountExport } from "../../services/accounts/account-export.ts"
import { Accounts } from "../../services/accounts/accounts.ts"
import { EmailChanges } from "../../services/accounts/email-changes.ts"
import { Follows } from "../../services/accounts/follows.ts"
import { Passwords } from "../../services/accounts/passwords.ts"
import { Sessions } from "../../services/accounts/sessions.ts"
import { reader } from "../caller.ts"
import { clientNetwork } from "../client-network.ts"
import { answerWithoutCookie, sessionCookie } from "../cookies.ts"

export const AccountLive = HttpApiBuilder.group(
  Api,
  "account",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts
    const emailChanges = yield* EmailChanges
    const passwords = yield* Passwords
    const follows = yield* Follows
    const exports = yield* AccountExport
    const sessions = yield* Sessions
    const { baseUrl } = yield* Environment

    const requireOwner = (id: AccountId, { cookies }: HttpServerRequest.HttpServerRequest, current?: string) =>
      passwords.requireOwner(id, {
        session: cookies[sessionCookie] ?? "",
        ...(current === undefined ? {} : { current: Redacted.make(current) })
      })

    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        return yield* Effect.mapError(accounts.get(yield* reader), wire)
      }),
      update: Effect.fnUntraced(function* ({ payload }) {
        return yield* Effect.mapError(accounts.rename(yield* reader, payload.name), wire)
      }),
      remove: Effect.fnUntraced(function* ({ payload, request }) {
        const id = yield* reader
        yield* Effect.mapError(requireOwner(id, request, payload?.current_password), wire)
        yield* accounts.remove(id)
        yield* answerWithoutCookie(baseUrl, sessionCookie)
      }),
      startEmail: Effect.fnUntraced(function* ({ payload, request }) {
        const id = yield* reader
        yield* requireOwner(id, request, payload.current_password).pipe(
          Effect.andThen(emailChanges.start(id, payload.email, clientNetwork(request.remoteAddress))),
          Effect.mapError(wire)
        )
      }),
      confirmEmail: Effect.fnUntraced(function* ({ payload }) {
        const id = yield* reader
        return yield* emailChanges.confirm(id, payload).pipe(Effect.andThen(accounts.get(id)), Effect.mapError(wire))
      }),
      setPassword: Effect.fnUntraced(function* ({ payload, request }) {
        const id = yield* reader
        const sent = {
          password: Redacted.make(payload.password),
          ...(payload.current_password === undefined ? {} : { current: Redacted.make(payload.current_password) })
        }
        return yield* passwords
          .set(id, sent, request.cookies[sessionCookie] ?? "")
          .pipe(Effect.andThen(accounts.get(id)), Effect.mapError(wire))
      }),
      setPhone: Effect.fnUntraced(function* ({ payload }) {
        return yield* Effect.mapError(accounts.setPhone(yield* reader, payload.phone), wire)
      }),
      removePhone: Effect.fnUntraced(function* () {
        yield* Effect.mapError(accounts.removePhone(yield* reader), wire)
      }),
      follows: Effect.fnUntraced(function* () {
        return yield* follows.get(yield* reader)
      }),
      setFollows: Effect.fnUntraced(function* ({ payload }) {
        return yield* Effect.mapError(follows.replace(yield* reader, payload), wire)
      }),
      sessions: Effect.fnUntraced(function* ({ request }) {
        return { sessions: yield* sessions.list(yield* reader, request.cookies[sessionCookie] ?? "") }
      }),
      endSession: Effect.fnUntraced(function* ({ params, payload, request }) {
        const id = yield* reader
        yield* requireOwner(id, request, payload?.current_password).pipe(
          Effect.andThen(sessions.endOne(id, params.id)),
          Effect.mapError(wire)
        )
      }),
      export: Effect.fnUntraced(function* () {
        const body = yield* Effect.mapError(exports.of(yield* reader), wire)
        const today = DateTime.formatIsoDateUtc(yield* DateTime.now)
        return HttpApiSchema.withHeaders({
          body,
          headers: { "content-disposition": `attachment; filename="civic-record-account-${today}.json"` }
        })
      })
    })
  })
)
