import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Identity } from "../../../layers/identity/identity.ts"
import { Email, emailKey } from "../../../schema/email.ts"
import { OperatorAddress } from "../../../src/http/operator/server.ts"
import { OperatorSessions } from "../../../src/services/operators/operator-sessions.ts"
import { ask, askRaw, rawRequest } from "../../support/asked.ts"
import { ConsoleService, operatedService } from "../../support/console.ts"
import { TestDb } from "../../support/database.ts"
import { freePort } from "../../support/free-port.ts"

let attempts = 0

/** A provider that returns the code as its person's address. */
const provider = Layer.succeed(Identity, {
  providers: [
    { id: "town", name: "Town" },
    { id: "local", name: "E-mail" }
  ],
  begin: () =>
    Effect.sync(() => {
      const state = `s${++attempts}`
      return { url: `https://id.example.gov/?state=${state}`, state, nonce: "n", codeVerifier: "v".repeat(43) }
    }),
  complete: (_, { callbackUrl }) =>
    Effect.succeed({
      issuer: "https://id.example.gov",
      subject: "1",
      email: callbackUrl.searchParams.get("code") ?? "",
      emailVerified: callbackUrl.searchParams.get("verified") === "yes"
    })
})

/** A console outside of loopback, at the given port. */
const outside = (port: number, env: NodeJS.ProcessEnv = {}, database?: typeof TestDb) =>
  operatedService({ OPERATOR_HOST: "0.0.0.0", OPERATOR_PORT: String(port), ...env }, provider, database)

const named = (port: number, database?: typeof TestDb) =>
  outside(
    port,
    { OPERATOR_URL: `http://localhost:${port}`, OPERATOR_EMAILS: "ana@example.gov, Ben@Example.gov" },
    database
  )

const cookieOf = (headers: Headers, name: string): string =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(";", 1)
    .join("") ?? ""

/** Begins a sign-in: the browser's cookie, and the state that the provider sends back. */
const beginSignIn = Effect.fnUntraced(function* (base: string) {
  const begun = yield* ask(`${base}/signin/town`, { redirect: "manual" })
  const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state") ?? ""
  return { cookie: cookieOf(begun.headers, "cr_operator_sign_in"), state }
})

/** Signs in as a person, and returns the callback's response. */
const signIn = Effect.fnUntraced(function* (base: string, query: string) {
  const { cookie, state } = yield* beginSignIn(base)
  const callback = `${base}/signin/town/callback?state=${state}&${query}`
  return yield* ask(callback, { redirect: "manual", headers: { cookie } })
})

describe("the console outside of loopback", () => {
  it.effect("answers operators who signed in, and nobody else", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const base = `http://localhost:${port}`
      yield* Effect.gen(function* () {
        const toSignIn = yield* ask(`${base}/tokens`, { redirect: "manual" })
        assert.deepStrictEqual([toSignIn.status, toSignIn.headers.get("location")], [303, "/signin"])
        const page = yield* ask(`${base}/signin`)
        assert.include(page.text, "/signin/town")
        assert.notInclude(page.text, "/signin/local")
        const origin = { origin: base }
        assert.strictEqual((yield* ask(`${base}/tokens`, { method: "POST", headers: origin })).status, 401)

        for (const query of ["code=eve@example.gov&verified=yes", "code=ana@example.gov&verified=no", "verified=yes"]) {
          const refused = yield* signIn(base, query)
          assert.strictEqual(refused.status, 401, query)
          assert.strictEqual(cookieOf(refused.headers, "cr_operator"), "", query)
        }
        // The response arrives in another browser than the one that began the attempt, which ends it.
        const { state, cookie: own } = yield* beginSignIn(base)
        const callback = `${base}/signin/town/callback?state=${state}&code=ana@example.gov&verified=yes`
        assert.strictEqual((yield* ask(callback)).status, 400)
        assert.strictEqual((yield* ask(callback, { headers: { cookie: own } })).status, 400)

        const done = yield* signIn(base, "code=ben@example.gov&verified=yes")
        assert.deepStrictEqual([done.status, done.headers.get("location")], [303, "/"])
        const cookie = cookieOf(done.headers, "cr_operator")
        const overview = yield* ask(`${base}/`, { headers: { cookie } })
        assert.strictEqual(overview.status, 200)
        assert.include(overview.text, "Sign out ben@example.gov")
        const form = new URLSearchParams({ machine: "night-build", run: "" })
        const minted = yield* ask(`${base}/tokens`, {
          method: "POST",
          headers: { ...origin, cookie },
          body: form,
          redirect: "manual"
        })
        assert.strictEqual(minted.status, 303)
        const history = yield* ask(`${base}/history`, { headers: { cookie } })
        assert.match(history.text, /ben@example\.gov<\/td><td[^>]*>token\.mint/)
        // The session is valid at the console's own address alone.
        const elsewhere = yield* ask(`http://127.0.0.1:${port}/`, { headers: { cookie } })
        assert.strictEqual(elsewhere.status, 403)

        yield* ask(`${base}/signout`, { method: "POST", headers: { ...origin, cookie }, redirect: "manual" })
        assert.strictEqual((yield* ask(`${base}/`, { headers: { cookie }, redirect: "manual" })).status, 303)
      }).pipe(Effect.provide(named(port)))
    })
  )

  it.effect("keeps a sign-in under way, whatever others begin, and a session across a restart of the service", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const base = `http://localhost:${port}`
      const database = Layer.succeedContext(yield* Layer.build(TestDb))
      const service = named(port, database)
      const cookie = yield* Effect.gen(function* () {
        const { cookie, state } = yield* beginSignIn(base)
        const statuses = yield* Effect.forEach(Array.from({ length: 80 }), () =>
          Effect.map(ask(`${base}/signin/town`, { redirect: "manual" }), ({ status }) => status)
        )
        assert.deepStrictEqual(new Set(statuses), new Set([303, 429]))
        const callback = `${base}/signin/town/callback?state=${state}&code=ana@example.gov&verified=yes`
        const done = yield* ask(callback, { redirect: "manual", headers: { cookie } })
        assert.strictEqual(done.headers.get("location"), "/")
        return cookieOf(done.headers, "cr_operator")
      }).pipe(Effect.provide(service))
      yield* Effect.gen(function* () {
        assert.strictEqual((yield* ask(`${base}/`, { headers: { cookie }, redirect: "manual" })).status, 200)
        const sessions = yield* OperatorSessions
        assert.deepStrictEqual(
          (yield* sessions.list).map(({ email }) => email),
          ["ana@example.gov"]
        )
        assert.strictEqual(yield* sessions.endAll(emailKey(Email.make("ana@example.gov"))), 1)
        assert.strictEqual((yield* ask(`${base}/`, { headers: { cookie }, redirect: "manual" })).status, 303)
      }).pipe(Effect.provide(OperatorSessions.layer.pipe(Layer.provideMerge(service))))
    }).pipe(Effect.scoped)
  )

  it.effect("is closed while no operators are configured, and still shows its metrics", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      yield* Effect.gen(function* () {
        const closed = yield* ask(`http://localhost:${port}/`)
        assert.strictEqual(closed.status, 403)
        assert.include(closed.text, "OPERATOR_EMAILS")
        const post = { method: "POST", headers: { origin: `http://localhost:${port}` } }
        assert.strictEqual((yield* ask(`http://localhost:${port}/tokens`, post)).status, 403)
        assert.strictEqual((yield* ask(`http://localhost:${port}/metrics`)).status, 200)
      }).pipe(Effect.provide(outside(port)))
    })
  )
})

describe("the console on loopback", () => {
  it.effect("refuses a name that somebody made resolve to this machine", () =>
    Effect.gen(function* () {
      const port = Number(new URL(yield* OperatorAddress).port)
      for (const line of ["GET /", "POST /tokens"]) {
        const { status } = yield* askRaw(port, rawRequest(line, ["Origin: http://record.example.gov"]))
        assert.strictEqual(status, 400)
      }
    }).pipe(Effect.provide(ConsoleService))
  )
})
