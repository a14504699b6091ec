import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Logger, References, Tracer } from "effect"
import { ask } from "../support/asked.ts"
import { BrowserActor } from "../support/browser-actor.ts"
import { newestCode } from "../support/outbox.ts"
import { recordedSpans } from "../support/recorded-spans.ts"
import { outbox, serviceAddress } from "../support/service.ts"
import { signInService } from "../support/sign-in-service.ts"
import { accountOn, signInAt, signInLocally } from "../support/signing-in.ts"

const { spans, tracer } = recordedSpans()
const lines: Array<unknown> = []

const observed = Layer.mergeAll(
  Layer.succeed(Tracer.Tracer, tracer),
  Logger.layer([
    Logger.make(({ cause, fiber, message }) => {
      lines.push([message, fiber.getRef(References.CurrentLogAnnotations), String(cause)])
    })
  ])
)

const hostedPerson = {
  sub: "of-city-hall",
  email: "hosted.person@example.org",
  email_verified: true,
  name: "Hosted Name"
}

layer(signInService(hostedPerson, {}, observed), { excludeTestServices: true })(
  "logs and traces of an account",
  (it) => {
    it.effect("contain no address, number, password, code, state or token", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const folder = yield* outbox
        const email = "quiet.reader@example.org"
        const browser = new BrowserActor()
        const page = yield* signInLocally(browser, email)
        assert.strictEqual(accountOn(page)?.email, email)
        yield* signInAt("city_hall", new BrowserActor())
        const token = browser.cookiesFor(base).cr_session ?? ""
        const send = (method: string, path: string, body?: unknown) =>
          ask(`${base}/api/me/${path}`, {
            method,
            headers: { cookie: `cr_session=${token}`, "content-type": "application/json" },
            ...(body === undefined ? {} : { body: JSON.stringify(body) })
          })
        const changed = "moved.reader@example.org"
        const statuses = [
          yield* send("PATCH", "account", { name: "Quiet Name" }),
          yield* send("PUT", "account/phone", { phone: "+12175550199" }),
          yield* send("PUT", "account/phone", { phone: "+12175559" }),
          yield* send("PUT", "account/password", { password: "lantern orchard gravel tide" }),
          yield* send("PUT", "account/password", { password: "x", current_password: "a wrong guess" }),
          yield* send("POST", "account/email/start", { email: changed }),
          yield* send("POST", "account/email/confirm", { email: changed, code: "999999" })
        ].map(({ status }) => status)
        const code = yield* Effect.promise(() => newestCode(folder, changed))
        const confirmed = yield* send("POST", "account/email/confirm", { email: changed, code })
        assert.deepStrictEqual(statuses.concat(confirmed.status), [200, 200, 422, 200, 422, 202, 422, 200])
        const taken = hostedPerson.email
        yield* send("POST", "account/email/start", { email: taken })
        const owned = yield* Effect.promise(() => newestCode(folder, taken))
        const refused = yield* send("POST", "account/email/confirm", { email: taken, code: owned })
        assert.strictEqual(refused.json().error, "email_in_use")
        const callback = `${base}/api/auth/oidc/local/callback?code=shown-code&state=shown-state`
        yield* ask(callback)
        yield* send("DELETE", "account")

        assert.isTrue(spans.some(({ name }) => name === "GET /api/auth/oidc/:provider/callback"))
        assert.isTrue(spans.some(({ name }) => name === "SignIns.complete"))
        assert.isAbove(lines.length, 10)
        // Who may look for break-ins is told that there was one, and not of whom.
        for (const event of ["A reader signed in", "A reader's sign-in failed"]) {
          assert.include(JSON.stringify(lines), event)
        }
        const told = JSON.stringify([
          lines,
          spans.map((span) => [
            span.name,
            [...span.attributes],
            span.status._tag === "Ended" && Exit.isFailure(span.status.exit) ? Cause.pretty(span.status.exit.cause) : ""
          ])
        ])
        for (const secret of [
          "quiet.reader",
          "moved.reader",
          "hosted.person",
          "of-city-hall",
          "Quiet Name",
          "Hosted Name",
          "2175550199",
          "2175559",
          "lantern",
          "a wrong guess",
          "999999",
          "shown-code",
          "shown-state",
          code,
          token,
          browser.cookiesFor(base).cr_sign_in ?? "no cookie of the sign-in"
        ]) {
          assert.notInclude(told, secret)
        }
      })
    )
  }
)
