import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import { reader, session } from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { BrowserActor } from "../support/browser-actor.ts"
import type { Person } from "../support/hosted-provider.ts"
import { serviceAddress, TestService } from "../support/service.ts"
import { signInService } from "../support/sign-in-service.ts"
import { accountOn, signInAt, signInLocally, startUrl } from "../support/signing-in.ts"

const cityHall: Person = {}
const library: Person = {}

/** Changes to another person, at both providers or at one. */
const become = (person: Person, claims: Person) => {
  for (const name of ["sub", "email", "email_verified", "name"] as const) delete person[name]
  Object.assign(person, claims)
}

/** A browser that has been at the provider, and the callback address that it has not opened yet. */
const atCallback = Effect.fnUntraced(function* (provider: string, returnTo = "/api/auth/session") {
  const base = yield* serviceAddress
  const browser = new BrowserActor(`${base}/api/auth/oidc/${provider}/callback`)
  const { url } = yield* signInAt(provider, browser, returnTo)
  return { cookie: cookieOf(browser, base), url }
})

const cookieOf = (browser: BrowserActor, url: string) =>
  Object.entries(browser.cookiesFor(url))
    .map(([name, value]) => `${name}=${value}`)
    .join("; ")

/** Requests an address as a browser without redirects. */
const bring = (url: URL | string, cookie: string, accept = "text/html") =>
  ask(String(url), { redirect: "manual", headers: { accept, ...(cookie === "" ? {} : { cookie }) } })

const sessionIn = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((line) => /^cr_session=([\w-]{43});/.exec(line)?.[1])
    .find((token) => token !== undefined)

const accountOf = Effect.fnUntraced(function* (token: string) {
  const answer = yield* ask(`${yield* serviceAddress}/api/auth/session`, { headers: session(token).headers })
  return answer.json().account as { readonly id: string; readonly email: string } | undefined
})

const counts = Effect.gen(function* () {
  const db = yield* Db
  const [row] = yield* db<{ accounts: number; identities: number; sessions: number }>`
    select (select count(*)::int from account) as accounts, (select count(*)::int from identity) as identities,
      (select count(*)::int from session) as sessions`
  return row
})

/** A page for a person: what happened, and one way on. */
const assertTidy = (answer: { readonly headers: Headers; readonly text: string }, title: string) => {
  assert.strictEqual(answer.headers.get("content-type"), "text/html; charset=utf-8")
  assert.strictEqual(answer.headers.get("cache-control"), "no-store")
  assert.strictEqual(answer.headers.get("referrer-policy"), "same-origin")
  const policy = answer.headers.get("content-security-policy") ?? ""
  assert.include(policy, "default-src 'none'")
  assert.include(policy, "frame-ancestors 'none'")
  assert.notInclude(policy, "unsafe")
  assert.include(answer.text, '<html lang="en-US">')
  assert.include(answer.text, `<title>${title} · Civic Record</title>`)
  assert.include(answer.text, `<h1>${title}</h1>`)
  assert.match(answer.text, /<p role="alert">[^<]{20,}<\/p>/)
  assert.strictEqual(answer.text.match(/<a class="action"/g)?.length, 1)
  assert.notMatch(answer.text, /<script|undefined|state=|code=/)
  assert.isUndefined(sessionIn(answer.headers))
}

layer(signInService(cityHall, library), { excludeTestServices: true })("signing in", (it) => {
  it.effect("begins at a page that leads to each provider, and back to the page where one was", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const hrefs = (text: string) =>
        [...text.matchAll(/<a class="action" href="([^"]+)">/g)].map(([, href = ""]) => href)
      const to = (returnTo: string) =>
        ["city_hall", "library", "away", "local"].map(
          (id) => `/api/auth/oidc/${id}/start?return_to=${encodeURIComponent(returnTo)}`
        )
      const page = yield* ask(`${base}/signin?return_to=/in/springfield`)
      assert.strictEqual(page.status, 200)
      assert.strictEqual(page.headers.get("content-type"), "text/html; charset=utf-8")
      assert.include(page.text, "<h1>Sign in</h1>")
      assert.deepStrictEqual(hrefs(page.text), to("/in/springfield"))
      assert.deepStrictEqual(hrefs((yield* ask(`${base}/signin`)).text), to("/"))
      for (const away of ["//evil.example", "https://evil.example", "/\\evil.example", '"><script>']) {
        const { text } = yield* ask(`${base}/signin?return_to=${encodeURIComponent(away)}`)
        assert.deepStrictEqual(hrefs(text), to("/"), away)
        assert.notInclude(text, "evil")
      }
    })
  )

  it.effect("lists the providers, and no account, to a caller who is not signed in", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const answer = yield* ask(`${base}/api/auth/session`)
      assert.strictEqual(answer.headers.get("cache-control"), "private, no-store")
      assert.deepStrictEqual(answer.json(), {
        providers: [
          ["city_hall", "City Hall"],
          ["library", "Library"],
          ["away", "Away"],
          ["local", "E-mail"]
        ].map(([id, name]) => ({ id, name, start_url: `${base}/api/auth/oidc/${id}/start` })),
        publishable_key: "pk_test"
      })
    })
  )

  it.effect("goes from the start to return_to by the code that was mailed, and out again", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const browser = new BrowserActor()
      const page = yield* signInLocally(browser, "first@example.org", "/api/auth/session?from=here")
      assert.strictEqual(page.url.href, `${base}/api/auth/session?from=here`)
      assert.strictEqual(accountOn(page)?.email, "first@example.org")
      const token = browser.cookiesFor(base).cr_session ?? ""
      assert.match(token, /^[\w-]{43}$/)

      const again = new BrowserActor()
      assert.strictEqual(
        accountOn(yield* signInLocally(again, "First@Example.org".toLowerCase()))?.id,
        accountOn(page)?.id
      )

      const out = yield* ask(`${base}/api/auth/logout`, { method: "POST", headers: session(token).headers })
      assert.strictEqual(out.status, 204)
      assert.match(out.headers.get("set-cookie") ?? "", /^cr_session=; Max-Age=0; Path=\/;.* HttpOnly; SameSite=Lax$/)
      assert.isUndefined(yield* accountOf(token), "ended on the server too")
      assert.strictEqual((yield* ask(`${base}/api/auth/logout`, { method: "POST" })).status, 204)
      const other = again.cookiesFor(base).cr_session ?? ""
      assert.isDefined(yield* accountOf(other), "the session of another browser goes on")
    })
  )

  it.effect("calls the provider with PKCE, state and nonce, and stores no secret in plain text", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const answer = yield* bring(yield* startUrl("city_hall", "/in/springfield"), "")
      assert.strictEqual(answer.status, 302)
      assert.strictEqual(answer.headers.get("cache-control"), "private, no-store")
      const asked = new URL(answer.headers.get("location") ?? "").searchParams
      assert.strictEqual(asked.get("code_challenge_method"), "S256")
      assert.strictEqual(asked.get("response_type"), "code")
      assert.strictEqual(asked.get("redirect_uri"), `${yield* serviceAddress}/api/auth/oidc/city_hall/callback`)
      for (const name of ["state", "nonce", "code_challenge"]) assert.isAbove(asked.get(name)?.length ?? 0, 40, name)
      const set = answer.headers.get("set-cookie") ?? ""
      assert.match(set, /^cr_sign_in=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/)
      const left = Date.parse(/Expires=([^;]+)/.exec(set)?.[1] ?? "") - Date.now()
      assert.isTrue(left > 590_000 && left <= 600_000, String(left))
      const rows = yield* db<{ all: string }>`select sign_in::text as all from sign_in`
      const kept = rows.map((row) => row.all).join("\n")
      assert.include(kept, asked.get("nonce") ?? "")
      assert.notInclude(kept, asked.get("state") ?? "")
      assert.notInclude(kept, /^cr_sign_in=([\w-]+)/.exec(set)?.[1] ?? "")
    })
  )

  it.effect("sets a cookie of 30 days, and renews it with the session", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const base = yield* serviceAddress
      become(cityHall, { sub: "cookies", email: "cookies@example.org", email_verified: true })
      const { cookie, url } = yield* atCallback("city_hall")
      const answer = yield* bring(url, cookie)
      assert.strictEqual(answer.status, 303)
      assert.strictEqual(answer.headers.get("location"), "/api/auth/session")
      assert.strictEqual(answer.headers.get("cache-control"), "private, no-store")
      const days = (headers: Headers) => {
        const line = headers.getSetCookie().find((set) => set.startsWith("cr_session=")) ?? ""
        assert.match(line, /; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/)
        return (Date.parse(/Expires=([^;]+)/.exec(line)?.[1] ?? "") - Date.now()) / 86_400_000
      }
      assert.approximately(days(answer.headers), 30, 0.01)
      const token = sessionIn(answer.headers) ?? ""
      const fresh = yield* ask(`${base}/api/auth/session`, { headers: session(token).headers })
      assert.deepStrictEqual(fresh.headers.getSetCookie(), [])
      yield* db`update session set expires_at = now() + interval '29 days'`
      const later = yield* ask(`${base}/api/auth/session`, { headers: session(token).headers })
      assert.strictEqual(sessionIn(later.headers), token)
      assert.approximately(days(later.headers), 30, 0.01)
      yield* db`update session set expires_at = now() + interval '29 days'`
      const out = yield* ask(`${base}/api/auth/logout`, { method: "POST", headers: session(token).headers })
      assert.deepStrictEqual(
        out.headers.getSetCookie().map((line) => line.slice(0, 12)),
        ["cr_session=;"]
      )
    })
  )

  it.effect("joins identities with the same verified address, whatever its case, and then goes by their subject", () =>
    Effect.gen(function* () {
      const local = accountOn(yield* signInLocally(new BrowserActor(), "both@example.org"))
      const before = yield* counts
      become(cityHall, { sub: "both", email: "Both@Example.ORG", email_verified: true, name: "Both" })
      const hosted = accountOn(yield* signInAt("city_hall", new BrowserActor()))
      assert.strictEqual(hosted?.id, local?.id)
      assert.strictEqual(hosted?.email, "both@example.org", "the address that it was made with")
      become(library, { sub: "both-too", email: "both@example.org", email_verified: true })
      assert.strictEqual(accountOn(yield* signInAt("library", new BrowserActor()))?.id, local?.id)
      assert.deepInclude(yield* counts, {
        accounts: before?.accounts ?? 0,
        identities: (before?.identities ?? 0) + 2
      })

      become(cityHall, { sub: "both", email: "moved@example.org", email_verified: false })
      assert.strictEqual(accountOn(yield* signInAt("city_hall", new BrowserActor()))?.id, local?.id)
      // The same subject at another issuer is somebody else.
      become(library, { sub: "both", email: "namesake@example.org", email_verified: true })
      assert.notStrictEqual(accountOn(yield* signInAt("library", new BrowserActor()))?.id, local?.id)
    })
  )

  it.effect("neither joins nor creates an account by an unverified or missing address", () =>
    Effect.gen(function* () {
      yield* signInLocally(new BrowserActor(), "victim@example.org")
      const before = yield* counts
      for (const [claims, title] of [
        [{ email: "victim@example.org", email_verified: false }, "not verified"],
        [{ email: "victim@example.org" }, "not verified"],
        [{ email: "new@example.org", email_verified: false }, "not verified"],
        [{ email_verified: true }, "gave no e-mail address"],
        [{ email: "no address", email_verified: true }, "gave no e-mail address"],
        [{ email: "a@b.example, victim@example.org", email_verified: true }, "gave no e-mail address"]
      ] as const) {
        become(library, { sub: "attacker", ...claims })
        const { cookie, url } = yield* atCallback("library")
        const answer = yield* bring(url, cookie)
        assert.strictEqual(answer.status, 401)
        assertTidy(answer, "You were not signed in")
        assert.include(answer.text, title)
      }
      assert.deepStrictEqual(yield* counts, before)
    })
  )

  it.effect("creates one account for two simultaneous first sign-ins", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 3; round++) {
        const email = `twice-${round}@example.org`
        become(cityHall, { sub: email, email, email_verified: true })
        become(library, { sub: email, email: email.toUpperCase(), email_verified: true })
        const begun = yield* Effect.all([
          atCallback("city_hall"),
          atCallback("city_hall"),
          atCallback("library"),
          atCallback("library")
        ])
        const answers = yield* Effect.all(
          begun.map(({ cookie, url }) => bring(url, cookie)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [303, 303, 303, 303]
        )
        const found = yield* Effect.forEach(answers, ({ headers }) => accountOf(sessionIn(headers) ?? ""))
        assert.strictEqual(new Set(found.map((account) => account?.id)).size, 1)
      }
    })
  )

  it.effect("begins a new session each time, and ends the previous one (fixation)", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const planted = yield* reader("attacker@example.org")
      become(cityHall, { sub: "fixed", email: "fixed@example.org", email_verified: true })
      const { cookie, url } = yield* atCallback("city_hall")
      const answer = yield* bring(url, `${cookie}; cr_session=${planted.token}`)
      const token = sessionIn(answer.headers) ?? ""
      assert.notStrictEqual(token, planted.token)
      assert.strictEqual((yield* accountOf(token))?.email, "fixed@example.org")
      assert.isUndefined(yield* accountOf(planted.token))

      const second = yield* atCallback("city_hall")
      const next = sessionIn((yield* bring(second.url, `${second.cookie}; cr_session=${token}`)).headers) ?? ""
      assert.notStrictEqual(next, token)
      assert.isUndefined(yield* accountOf(token))
      const invented = yield* ask(`${base}/api/auth/session`, { headers: session("A".repeat(43)).headers })
      assert.isUndefined(invented.json().account)
    })
  )

  it.effect("accepts a response once, even from many at the same instant (replay)", () =>
    Effect.gen(function* () {
      become(cityHall, { sub: "replay", email: "replay@example.org", email_verified: true })
      const { cookie, url } = yield* atCallback("city_hall", "/in/springfield")
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => bring(url, cookie)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [303, 400, 400, 400, 400, 400, 400, 400])
      const replayed = yield* bring(url, cookie)
      assert.strictEqual(replayed.status, 400)
      assertTidy(replayed, "This sign-in is over")
      // The provider accepts the code only once as well: a new state does not help.
      const fresh = yield* atCallback("city_hall", "/in/springfield")
      fresh.url.searchParams.set("code", url.searchParams.get("code") ?? "")
      const mixed = yield* bring(fresh.url, fresh.cookie)
      assert.strictEqual(mixed.status, 400)
      assertTidy(mixed, "This sign-in is over")
      assert.include(mixed.text, `href="/api/auth/oidc/city_hall/start?return_to=%2Fin%2Fspringfield"`)
    })
  )

  it.effect("expires after ten minutes", () =>
    Effect.gen(function* () {
      const db = yield* Db
      become(cityHall, { sub: "late", email: "late@example.org", email_verified: true })
      const { cookie, url } = yield* atCallback("city_hall")
      yield* db`update sign_in set expires_at = now() - interval '1 second'`
      const late = yield* bring(url, cookie)
      assert.strictEqual(late.status, 400)
      assertTidy(late, "This sign-in is over")
      // The next sign-in sweeps the abandoned ones.
      yield* db`update sign_in set expires_at = now() - interval '1 second'`
      yield* bring(yield* startUrl("city_hall"), "")
      const left = yield* db`select from sign_in`
      assert.strictEqual(left.length, 1)
    })
  )

  it.effect("cannot be finished in another browser (login CSRF), nor in its own after that", () =>
    Effect.gen(function* () {
      become(cityHall, { sub: "csrf", email: "csrf@example.org", email_verified: true })
      const attacker = yield* atCallback("city_hall")
      const without = yield* bring(attacker.url, "")
      assert.strictEqual(without.status, 400)
      assertTidy(without, "This is not the sign-in you started")
      const own = yield* bring(attacker.url, attacker.cookie)
      assert.strictEqual(own.status, 400)
      assertTidy(own, "This sign-in is over")

      const second = yield* atCallback("city_hall")
      const victim = yield* atCallback("city_hall")
      const foreign = yield* bring(second.url, victim.cookie)
      assert.strictEqual(foreign.status, 400)
      assertTidy(foreign, "This is not the sign-in you started")
      assert.strictEqual((yield* bring(victim.url, victim.cookie)).status, 303, "the victim's own goes on")
    })
  )

  it.effect("may be under way in two tabs of one browser", () =>
    Effect.gen(function* () {
      for (const person of [cityHall, library]) {
        become(person, { sub: "tabs", email: "tabs@example.org", email_verified: true })
      }
      const first = yield* atCallback("city_hall", "/one")
      const begun = yield* bring(yield* startUrl("library", "/two"), first.cookie)
      const [binding = ""] = /cr_sign_in=[\w-]{43}/.exec(first.cookie) ?? []
      assert.include(begun.headers.get("set-cookie") ?? "", `${binding};`, "the same token, for ten more minutes")
      const tab = new BrowserActor(`${yield* serviceAddress}/api/auth/oidc/library/callback`)
      const second = yield* Effect.promise(() => tab.open(begun.headers.get("location") ?? ""))
      for (const [url, to] of [
        [second.url, "/two"],
        [first.url, "/one"]
      ] as const) {
        const answer = yield* bring(url, first.cookie)
        assert.deepStrictEqual([answer.status, answer.headers.get("location")], [303, to])
      }
    })
  )

  it.effect("refuses the response of another provider (mix-up), or with another nonce or state", () =>
    Effect.gen(function* () {
      const db = yield* Db
      become(cityHall, { sub: "mixed", email: "mixed@example.org", email_verified: true })
      const before = yield* counts
      const tried: Array<readonly [string, number]> = []
      const attempt = Effect.fnUntraced(function* (name: string, change: (url: URL) => URL, title: string) {
        const { cookie, url } = yield* atCallback("city_hall")
        if (name === "nonce") yield* db`update sign_in set nonce = 'another'`
        if (name === "verifier") yield* db`update sign_in set code_verifier = ${"v".repeat(43)}`
        const answer = yield* bring(change(new URL(url)), cookie)
        assertTidy(answer, title)
        tried.push([name, answer.status])
      })
      const changed = (name: string, value: string) => (url: URL) => {
        url.searchParams.set(name, value)
        return url
      }
      yield* attempt("iss", changed("iss", "https://evil.example"), "You were not signed in")
      yield* attempt(
        "no iss",
        (url) => {
          url.searchParams.delete("iss")
          return url
        },
        "You were not signed in"
      )
      yield* attempt("path", (url) => new URL(url.href.replace("/city_hall/", "/library/")), "You were not signed in")
      yield* attempt("state", changed("state", "forged"), "This sign-in is over")
      yield* attempt("code", changed("code", "forged"), "This sign-in is over")
      yield* attempt("nonce", (url) => url, "This is not the sign-in you started")
      yield* attempt("verifier", (url) => url, "This sign-in is over")
      assert.deepStrictEqual(tried, [
        ["iss", 400],
        ["no iss", 400],
        ["path", 400],
        ["state", 400],
        ["code", 400],
        ["nonce", 400],
        ["verifier", 400]
      ])
      assert.deepStrictEqual(yield* counts, before)
    })
  )

  it.effect("shows a refusal, or an unavailable provider, on a page of its own", () =>
    Effect.gen(function* () {
      const browser = new BrowserActor()
      const first = yield* Effect.flatMap(startUrl("local", "/in/springfield"), (url) =>
        Effect.promise(() => browser.open(url))
      )
      const denied = yield* Effect.promise(() => browser.submit(first, "Cancel"))
      assert.strictEqual(denied.status, 401)
      assertTidy({ headers: denied.headers, text: denied.html }, "You were not signed in")
      const retry = yield* Effect.promise(() => browser.follow(denied, "Try again"))
      assert.include(retry.html, "Send me a code")

      const away = yield* bring(yield* startUrl("away"), "")
      assert.strictEqual(away.status, 503)
      assert.strictEqual(away.headers.get("retry-after"), "5")
      assertTidy(away, "The sign-in provider cannot be reached")

      const unknown = yield* bring(yield* startUrl("atlantis"), "")
      assert.strictEqual(unknown.status, 404)
      assertTidy(unknown, "Unknown sign-in provider")
    })
  )

  it.effect("responds to programs in the error shape", () =>
    Effect.gen(function* () {
      const over = `${yield* serviceAddress}/api/auth/oidc/city_hall/callback?state=a&code=b`
      for (const accept of ["application/json", "*/*", "text/html;q=0.5, application/json"]) {
        const answer = yield* bring(over, "", accept)
        assert.strictEqual(answer.status, 400)
        assert.strictEqual(answer.headers.get("content-type"), "application/json")
        assert.deepInclude(answer.json(), { error: "invalid_request" })
        assert.deepStrictEqual(Object.keys(answer.json()), ["error", "message", "hint"])
      }
      const away = yield* bring(yield* startUrl("away"), "", "application/json")
      assert.deepStrictEqual([away.status, away.json().error], [503, "unavailable"])
      const unknown = yield* bring(yield* startUrl("atlantis"), "", "application/json")
      assert.deepStrictEqual([unknown.status, unknown.json().error], [404, "not_found"])
    })
  )

  it.effect("leads nowhere but to this origin (open redirect)", () =>
    Effect.gen(function* () {
      become(cityHall, { sub: "led", email: "led@example.org", email_verified: true })
      for (const [asked, to] of [
        ["https://evil.example/", "/"],
        ["//evil.example", "/"],
        ["/\\evil.example", "/"],
        ["/%2f%2fevil.example", "/"],
        ["/\t/evil.example", "/"],
        ["javascript:alert(1)", "/"],
        ["/in/springfield?year=2026#top", "/in/springfield?year=2026#top"]
      ] as const) {
        const { cookie, url } = yield* atCallback("city_hall", asked)
        const answer = yield* bring(url, cookie)
        assert.deepStrictEqual([answer.status, answer.headers.get("location")], [303, to], asked)
      }
    })
  )

  it.effect("lets no page of another origin sign a reader out", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const { token } = yield* reader("stays@example.org")
      for (const headers of [
        { origin: "https://evil.example" },
        { "sec-fetch-site": "cross-site" },
        { origin: "null" }
      ]) {
        const answer = yield* ask(`${base}/api/auth/logout`, {
          method: "POST",
          headers: { ...session(token).headers, ...headers }
        })
        assert.deepStrictEqual([answer.status, answer.json().error], [403, "cross_origin"])
      }
      assert.isDefined(yield* accountOf(token))
    })
  )
})

layer(signInService({}, {}), { excludeTestServices: true })("signing in at the local provider", (it) => {
  it.effect("accepts a password that was set, and no other", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const browser = new BrowserActor()
      const account = accountOn(yield* signInLocally(browser, "lock@example.org"))
      const set = yield* ask(`${base}/api/me/account/password`, {
        method: "PUT",
        headers: { "content-type": "application/json", ...session(browser.cookiesFor(base).cr_session ?? "").headers },
        body: JSON.stringify({ password: "lantern orchard gravel tide" })
      })
      assert.strictEqual(set.status, 200)
      const url = yield* startUrl("local", "/api/auth/session")
      const attempt = (email: string, password: string) =>
        Effect.promise(async () => {
          const other = new BrowserActor()
          const first = await other.open(url)
          const second = await other.submit(first, "Send me a code", { email })
          const third = await other.follow(second, "Use my password instead")
          return other.submit(third, "Sign in", { password })
        })
      assert.strictEqual(accountOn(yield* attempt("lock@example.org", "lantern orchard gravel tide"))?.id, account?.id)
      assert.strictEqual((yield* attempt("lock@example.org", "lantern orchard gravel tidf")).status, 422)
      assert.strictEqual((yield* attempt("nobody@example.org", "lantern orchard gravel tide")).status, 422)
    })
  )
})

layer(TestService, { excludeTestServices: true })("beginning to sign in over and over", (it) => {
  it.effect("is refused to one network past 60 in ten minutes", () =>
    Effect.gen(function* () {
      const url = yield* startUrl("local")
      const first = yield* bring(url, "")
      // Off loopback: a cookie that no other host of the domain can set.
      assert.match(
        first.headers.get("set-cookie") ?? "",
        /^__Host-cr_sign_in=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/
      )
      for (let at = 1; at < 60; at++) assert.strictEqual((yield* bring(url, "")).status, 302)
      const page = yield* bring(url, "")
      assert.strictEqual(page.status, 429)
      assertTidy(page, "Too many sign-ins")
      const wait = Number(page.headers.get("retry-after"))
      assert.isTrue(wait > 0 && wait <= 600, String(wait))
      assert.strictEqual(page.headers.get("ratelimit-policy"), '"sign-in-start";q=60;w=600')
      const told = yield* bring(url, "", "application/json")
      assert.deepStrictEqual([told.status, told.json().error], [429, "rate_limited"])
      const db = yield* Db
      assert.strictEqual((yield* db`select from sign_in`).length, 60)
    })
  )
})
