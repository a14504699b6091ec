import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import { type Credentials, reader } from "../support/actors.ts"
import type { Answer } from "../support/asked.ts"
import { call } from "../support/call.ts"
import { TestService } from "../support/service.ts"

const password = "lantern orchard gravel tide"
const start = (who: Credentials, proof: object = {}) =>
  call("POST", "/api/me/account/email/start", who, { email: "thief@example.org", ...proof })
const remove = (who: Credentials, body?: unknown) => call("DELETE", "/api/me/account", who, body)
const refusal = ({ status, json }: Answer) => [status, json().error]

/** A reader who signed in that many minutes ago, and has used the session since. */
const signedInAgo = Effect.fnUntraced(function* (email: string, minutes: number) {
  const db = yield* Db
  const signedIn = yield* reader(email)
  yield* db`
    update session set created_at = now() - ${`${minutes} minutes`}::interval where account_id = ${signedIn.accountId}`
  yield* call("GET", "/api/me/account", signedIn.credentials)
  return signedIn.credentials
})

layer(TestService, { excludeTestServices: true })("an operation that could take an account from its owner", (it) => {
  it.effect("needs a sign-in within the last ten minutes", () =>
    Effect.gen(function* () {
      const late = yield* signedInAgo("late@example.org", 11)
      for (const answer of [yield* start(late), yield* remove(late), yield* remove(late, {})]) {
        assert.deepStrictEqual(answer.json(), {
          error: "sign_in_required",
          message: "This needs a sign-in within the last 10 minutes, and yours is older.",
          hint: "Sign in again at /signin, or send the account's password as current_password."
        })
        assert.strictEqual(answer.status, 401)
      }
      assert.strictEqual((yield* call("GET", "/api/me/account", late)).status, 200, "all else goes on")
      const inTime = yield* signedInAgo("in.time@example.org", 9)
      assert.strictEqual((yield* start(inTime)).status, 202)
      assert.strictEqual((yield* remove(inTime)).status, 204)
    })
  )

  it.effect("or the account's password, which cannot be guessed there", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const { accountId, credentials } = yield* reader("keeper@example.org")
      yield* call("PUT", "/api/me/account/password", credentials, { password })
      yield* db`update session set created_at = now() - interval '1 day' where account_id = ${accountId}`
      assert.deepStrictEqual(refusal(yield* remove(credentials)), [401, "sign_in_required"])
      assert.strictEqual((yield* start(credentials, { current_password: password })).status, 202)
      const guesses = yield* Effect.forEach(Array.from({ length: 19 }), (_, at) =>
        at % 2 === 0
          ? remove(credentials, { current_password: "a guess" })
          : start(credentials, { current_password: "a guess" })
      )
      assert.deepStrictEqual(refusal(guesses[0] ?? assert.fail()), [422, "password_incorrect"])
      assert.deepStrictEqual(
        guesses.map(({ status }) => status),
        [...Array.from({ length: 18 }, () => 422), 429]
      )
      assert.strictEqual((yield* call("GET", "/api/me/account", credentials)).status, 200)
    })
  )

  it.effect("and accepts no password for an account that has none", () =>
    Effect.gen(function* () {
      const late = yield* signedInAgo("bare@example.org", 60)
      assert.deepStrictEqual(refusal(yield* remove(late, { current_password: "" })), [400, "invalid_request"])
      assert.deepStrictEqual(refusal(yield* remove(late, { current_password: "any" })), [401, "sign_in_required"])
      assert.deepStrictEqual(refusal(yield* start(late, { current_password: "any" })), [401, "sign_in_required"])
      // Nor may a session that was left open give it one, which would be the proof from then on.
      const set = (who: Credentials) => call("PUT", "/api/me/account/password", who, { password })
      assert.deepStrictEqual(refusal(yield* set(late)), [401, "sign_in_required"])
      assert.isFalse((yield* call("GET", "/api/me/account", late)).json().has_password)
      const owner = yield* signedInAgo("owner@example.org", 9)
      assert.strictEqual((yield* set(owner)).status, 200)
      yield* signedInAgo("owner@example.org", 60)
      const body = { current_password: password }
      assert.strictEqual((yield* remove(owner, body)).status, 204)
      assert.deepStrictEqual(refusal(yield* remove(owner, body)), [401, "sign_in_required"])
    })
  )
})
