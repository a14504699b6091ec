import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import { browserFamily } from "../../src/http/browser-family.ts"
import { otherSession, reader, session } from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { BrowserActor } from "../support/browser-actor.ts"
import { call } from "../support/call.ts"
import { serviceAddress } from "../support/service.ts"
import { signInService } from "../support/sign-in-service.ts"
import { signInAt } from "../support/signing-in.ts"

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
const safari =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1"

describe("the family of a browser", () => {
  it.each([
    [firefox, "Firefox on Linux"],
    [safari, "Safari on iOS"],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
      "Edge on Windows"
    ],
    [
      "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
      "Chrome on Android"
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
      "Safari on macOS"
    ],
    ["curl/8.5.0", undefined],
    [undefined, undefined]
  ])("%s is %s", (userAgent, family) => {
    assert.strictEqual(browserFamily(userAgent), family)
  })
})

const person = { sub: "7", email: "sessions@example.org", email_verified: true }

/** Signs in with a browser that calls itself so; returns its session's token. */
const signedIn = Effect.fnUntraced(function* (userAgent: string) {
  const base = yield* serviceAddress
  const browser = new BrowserActor(`${base}/api/auth/oidc/city_hall/callback`)
  const { url } = yield* signInAt("city_hall", browser)
  const cookie = Object.entries(browser.cookiesFor(base))
    .map(([name, value]) => `${name}=${value}`)
    .join("; ")
  const { headers } = yield* ask(url.href, { redirect: "manual", headers: { cookie, "user-agent": userAgent } })
  const tokens = headers.getSetCookie().flatMap((line) => /^cr_session=([\w-]{43});/.exec(line)?.[1] ?? [])
  return tokens[0] ?? ""
})

interface Listed {
  readonly id: string
  readonly browser?: string
  readonly created_at: string
  readonly last_seen_at: string
  readonly current: boolean
}

const sessionsOf = (token: string) =>
  Effect.map(call("GET", "/api/me/sessions", session(token)), (answer) => {
    assert.strictEqual(answer.headers.get("cache-control"), "private, no-store")
    return answer.json().sessions as ReadonlyArray<Listed>
  })

layer(signInService(person, {}), { excludeTestServices: true })("the sessions of an account", (it) => {
  it.effect("are listed by browser, and each is ended singly", () =>
    Effect.gen(function* () {
      const phone = yield* signedIn(safari)
      const laptop = yield* signedIn(firefox)
      const sessions = yield* sessionsOf(laptop)
      assert.deepStrictEqual(
        sessions.map(({ browser, current }) => [browser, current]),
        [
          ["Firefox on Linux", true],
          ["Safari on iOS", false]
        ]
      )
      for (const { created_at, last_seen_at } of sessions) assert.strictEqual(last_seen_at, created_at)
      const [own, other] = sessions
      const end = (token: string, id = "") => call("DELETE", `/api/me/sessions/${id}`, session(token))
      assert.strictEqual((yield* end(laptop, other?.id)).status, 204)
      assert.strictEqual((yield* end(laptop, other?.id)).status, 404)
      assert.strictEqual((yield* call("GET", "/api/me/account", session(phone))).status, 401)
      assert.strictEqual((yield* call("GET", "/api/me/account", session(laptop))).status, 200)
      assert.strictEqual((yield* end(laptop, own?.id)).status, 204)
      assert.strictEqual((yield* call("GET", "/api/me/account", session(laptop))).status, 401)
    })
  )

  it.effect("are ended by whoever signed in within ten minutes, so that a session left open ends no other", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const { accountId, token } = yield* reader("left-open@example.org")
      yield* db`update session set created_at = now() - interval '11 minutes' where account_id = ${accountId}`
      const other = yield* otherSession(accountId)
      const refused = yield* call("DELETE", `/api/me/sessions/${other}`, session(token))
      assert.deepStrictEqual([refused.status, refused.json().error], [401, "sign_in_required"])
      const page = yield* ask(`${yield* serviceAddress}/account/sessions`, {
        headers: { ...session(token).headers, accept: "text/html" }
      })
      assert.include(page.text, "Firefox on Linux")
      assert.include(page.text, "Sign in again to continue")
      assert.notInclude(page.text, "/end")
      assert.lengthOf(yield* sessionsOf(token), 2)
    })
  )

  it.effect("tell when they were last seen, to within half a day", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const { token } = yield* reader("seen@example.org")
      // As if it had been begun five days ago, and used then for the last time.
      yield* db`update session set created_at = now() - interval '5 days', expires_at = now() + interval '25 days'
        where account_id = (select id from account where email = 'seen@example.org')`
      yield* call("GET", "/api/me/account", session(token))
      const [only] = yield* sessionsOf(token)
      assert.isAbove(Date.parse(only?.last_seen_at ?? ""), Date.now() - 60_000)
      assert.isBelow(Date.parse(only?.created_at ?? ""), Date.now() - 4 * 86_400_000)
      assert.notProperty(only, "browser")
    })
  )

  it.effect("are nobody else's to see or to end", () =>
    Effect.gen(function* () {
      const { token } = yield* reader("mine@example.org")
      const stranger = yield* reader("stranger@example.org")
      const [mine] = yield* sessionsOf(token)
      assert.lengthOf(yield* sessionsOf(stranger.token), 1)
      const refused = yield* call("DELETE", `/api/me/sessions/${mine?.id}`, stranger.credentials)
      assert.strictEqual(refused.status, 404)
      // The id is not the token.
      assert.strictEqual((yield* call("GET", "/api/me/account", session(mine?.id ?? ""))).status, 401)
      assert.lengthOf(yield* sessionsOf(token), 1)
    })
  )

  it.effect("are on a page of the account, with a button for each but this one", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const phone = yield* signedIn(safari)
      const laptop = yield* signedIn(firefox)
      const headers = { ...session(laptop).headers, accept: "text/html", origin: base }
      const page = yield* ask(`${base}/account/sessions`, { headers })
      assert.include(page.text, "Safari on iOS")
      assert.include(page.text, "This browser")
      const buttons = [...page.text.matchAll(/action="(\/account\/sessions\/[^"]+\/end)"/g)].map(([, at]) => at)
      assert.lengthOf(buttons, 1)
      const ended = yield* ask(`${base}${buttons[0]}`, { method: "POST", redirect: "manual", headers })
      assert.deepStrictEqual([ended.status, ended.headers.get("location")], [303, "/account/sessions"])
      assert.strictEqual((yield* call("GET", "/api/me/account", session(phone))).status, 401)
      assert.notInclude((yield* ask(`${base}/account/sessions`, { headers })).text, "Safari on iOS")
    })
  )
})
