import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { Db } from "../../layers/db/db.ts"
import { Signer } from "../../layers/signer/signer.ts"
import { ErrorBody } from "../../schema/errors.ts"
import { AccountId } from "../../schema/primitives.ts"
import { savedSearchLimit } from "../../schema/saved-search.ts"
import { type Credentials, reader } from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { BrowserActor } from "../support/browser-actor.ts"
import { call } from "../support/call.ts"
import { fullRecord } from "../support/full-record.ts"
import { serviceAddress, TestService } from "../support/service.ts"

const searches = "/api/me/saved-searches"
const prefs = "/api/me/email-prefs"

const save = (who: Credentials, query: string, name?: string) =>
  call("POST", searches, who, { query, ...(name === undefined ? {} : { name }) })

const linkOf = (accountId: AccountId, list: "recaps" | "saved_searches" | "all") =>
  Signer.use((signer) => signer.signUnsubscribe({ accountId, list })).pipe(
    Effect.map((t) => `/api/email/unsubscribe?t=${t}`)
  )

/** A POST as mail programs send it, or a malformed one. */
const post = Effect.fnUntraced(function* (target: string, init: RequestInit = {}) {
  return yield* ask((yield* serviceAddress) + target, { method: "POST", ...init })
})

const isProblem = Schema.is(ErrorBody)

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "mail and searches over HTTP",
  (it) => {
    it.effect("preferences start with the documented values, and each part changes by itself", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader("prefs@example.org")
        const first = yield* call("GET", prefs, credentials)
        assert.deepStrictEqual(first.json(), { recaps: "off", saved_searches: "daily" })
        assert.strictEqual(first.headers.get("cache-control"), "private, no-store")
        const steps = [
          [{ recaps: "each" }, { recaps: "each", saved_searches: "daily" }],
          [{ saved_searches: "weekly" }, { recaps: "each", saved_searches: "weekly" }],
          [{}, { recaps: "each", saved_searches: "weekly" }],
          [
            { recaps: "daily", saved_searches: "off" },
            { recaps: "daily", saved_searches: "off" }
          ]
        ] as const
        for (const [change, whole] of steps) {
          assert.deepStrictEqual((yield* call("PUT", prefs, credentials, change)).json(), whole)
          assert.deepStrictEqual((yield* call("GET", prefs, credentials)).json(), whole)
        }
        const wrong = yield* call("PUT", prefs, credentials, { saved_searches: "each" })
        assert.strictEqual(wrong.status, 400)
        assert.include(String(wrong.json().message), "saved_searches must be one of daily, weekly, off")
        const foreign = yield* call(
          "PUT",
          prefs,
          credentials,
          { recaps: "off" },
          { origin: "https://elsewhere.example" }
        )
        assert.deepStrictEqual([foreign.status, foreign.json().error], [403, "cross_origin"])
      })
    )

    it.effect("a search is stored as browse reads it, once however it is written", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader("searcher@example.org")
        const first = yield* save(credentials, "?year=2026&q=+greenway++bond&page=3&page_size=5&per_group=2&year=2025")
        assert.strictEqual(first.status, 201)
        const { id, created_at, ...kept } = first.json()
        assert.deepStrictEqual(kept, {
          name: "“greenway bond”, 2025, 2026",
          query: "q=greenway+bond&year=2025&year=2026",
          path: "/browse?q=greenway+bond&year=2025&year=2026"
        })
        const again = yield* save(
          credentials,
          "q=greenway%20bond&group_by=agency&year=2025&year=2026&year=2025&x=1",
          "Mine"
        )
        assert.strictEqual(again.status, 200)
        assert.deepStrictEqual(again.json(), { id, created_at, ...kept, name: "Mine" })
        assert.strictEqual((yield* save(credentials, "q=greenway+bond&year=2025&year=2026")).json().name, "Mine")
        // Its path leads to the same results as the search.
        const found = yield* call("GET", String(kept.path).replace("/browse", "/api/meetings/browse"))
        assert.strictEqual(found.status, 200)
        const all = yield* save(credentials, "")
        assert.deepStrictEqual([all.json().name, all.json().path], ["All meetings", "/browse"])
        const list = (yield* call("GET", searches, credentials)).json().saved_searches as ReadonlyArray<{ id: string }>
        assert.deepStrictEqual(
          list.map((search) => search.id),
          [all.json().id, id]
        )
      })
    )

    it.effect("queries that browse refuses are refused, in the same words", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader("refused@example.org")
        for (const query of [
          "page=0",
          "year=soon",
          "state=Illinois",
          "type=senate",
          `q=${"x".repeat(501)}`,
          "group_by=day"
        ]) {
          const [browsed, refused] = [
            yield* call("GET", `/api/meetings/browse?${query}`),
            yield* save(credentials, query)
          ]
          assert.deepStrictEqual([browsed.status, refused.status], [400, 400], query)
          const words = String(refused.json().message).replace(/\.0 must/, " must")
          assert.strictEqual(words, `query.${String(browsed.json().message)}`)
        }
        for (const body of [{}, { query: 7 }, { query: "q=a", name: " " }, { query: "q=a", name: "x".repeat(121) }]) {
          assert.strictEqual((yield* call("POST", searches, credentials, body)).status, 400, JSON.stringify(body))
        }
        for (const query of ["q=%00", "q=a\0", "q=%zz", "q=%ff", `q=${"x+".repeat(1000)}`]) {
          const refused = yield* save(credentials, query)
          assert.strictEqual(refused.status, 400, query)
          assert.match(String(refused.json().message), /^query(\.q)? must /)
        }
        assert.strictEqual((yield* save(credentials, "q=a", "two\nlines")).status, 400)
        assert.deepStrictEqual((yield* call("GET", searches, credentials)).json(), { saved_searches: [] })
        // Within the limit as sent, but longer than it once encoded.
        const long = Array.from({ length: 490 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000))).join(
          ""
        )
        for (const status of [201, 200]) assert.strictEqual((yield* save(credentials, `q=${long}`)).status, status)
      })
    )

    it.effect("an account may save a fixed number of searches, even if they arrive at once", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader("collector@example.org")
        const answers = yield* Effect.all(
          Array.from({ length: savedSearchLimit + 7 }, (_, n) => save(credentials, `q=word${n}`)),
          { concurrency: 16 }
        )
        assert.lengthOf(
          answers.filter(({ status }) => status === 201),
          savedSearchLimit
        )
        const refused = answers.filter(({ status }) => status === 400)
        assert.lengthOf(refused, 7)
        assert.include(String(refused[0]?.json().message), "at most 50 saved searches")
        // A search that is already saved can still be renamed.
        const kept = answers.find(({ status }) => status === 201)?.json()
        assert.strictEqual((yield* save(credentials, String(kept?.query), "Anew")).status, 200)
      })
    )

    it.effect("a search is removed once, and only by its reader", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader("owner@example.org")
        const other = (yield* reader("other@example.org")).credentials
        const at = `${searches}/${String((yield* save(credentials, "q=mine")).json().id)}`
        assert.strictEqual((yield* call("DELETE", at, other)).status, 404)
        assert.strictEqual((yield* call("DELETE", at, credentials)).status, 204)
        for (const target of [at, `${searches}/none`, `${searches}/%27`]) {
          const gone = yield* call("DELETE", target, credentials)
          assert.deepStrictEqual([gone.status, gone.json().error], [404, "not_found"], target)
        }
      })
    )

    it.effect("an unsubscribe link's page asks, and changes nothing", () =>
      Effect.gen(function* () {
        const { accountId, credentials } = yield* reader("page@example.org")
        yield* call("PUT", prefs, credentials, { recaps: "each" })
        const link = yield* linkOf(accountId, "recaps")
        for (const method of ["GET", "HEAD"]) {
          const page = yield* call(method, link)
          assert.strictEqual(page.status, 200)
          assert.strictEqual(page.headers.get("content-type"), "text/html; charset=utf-8")
          assert.strictEqual(page.headers.get("cache-control"), "private, no-store")
          assert.strictEqual(page.headers.get("referrer-policy"), "same-origin")
          assert.isNull(page.headers.get("access-control-allow-origin"))
          const policy = page.headers.get("content-security-policy") ?? ""
          assert.match(
            policy,
            /^default-src 'none'; script-src 'self'; style-src 'self'; .*form-action 'self'; .*frame-ancestors 'none'/
          )
        }
        const { text } = yield* call("GET", link)
        assert.match(text, /<html lang="en-US">[\s\S]*<title>Unsubscribe[\s\S]*<main [\s\S]*<h1>Unsubscribe<\/h1>/)
        assert.notMatch(text, /<script|page@example/)
        // The form's action is the link's own address.
        const action = /<form method="post" action="([^"]+)"/.exec(text)?.[1] ?? ""
        assert.strictEqual(new URL(action, `http://x${link}`).href, `http://x${link}`)
        assert.strictEqual((yield* call("GET", prefs, credentials)).json().recaps, "each")
      })
    )

    it.effect("a person without scripts follows the link and presses the button", () =>
      Effect.gen(function* () {
        const { accountId, credentials } = yield* reader("person@example.org")
        yield* call("PUT", prefs, credentials, { recaps: "weekly" })
        const link = (yield* serviceAddress) + (yield* linkOf(accountId, "recaps"))
        const done = yield* Effect.promise(async () => {
          const browser = new BrowserActor()
          return browser.submit(await browser.open(link), "Unsubscribe")
        })
        assert.strictEqual(done.status, 200)
        assert.include(done.html, '<p role="status">Civic Record no longer mails you recaps')
        assert.strictEqual((yield* call("GET", prefs, credentials)).json().recaps, "off")
      })
    )

    it.effect("a POST ends the list, in either encoding or without a body, from anywhere, and may be repeated", () =>
      Effect.gen(function* () {
        const oneClick = () => new URLSearchParams({ "List-Unsubscribe": "One-Click" })
        const multipart = () => {
          const form = new FormData()
          form.append("List-Unsubscribe", "One-Click")
          return form
        }
        const { accountId, credentials } = yield* reader("click@example.org")
        const ways: ReadonlyArray<() => RequestInit> = [
          () => ({ body: oneClick() }),
          () => ({ body: multipart() }),
          () => ({}),
          () => ({ body: oneClick(), headers: { ...credentials.headers, origin: "https://mail.example" } }),
          () => ({ body: oneClick(), headers: { ...credentials.headers, "sec-fetch-site": "cross-site" } }),
          () => ({ body: oneClick(), headers: { origin: "null" } })
        ]
        const ends = {
          recaps: { recaps: "off", saved_searches: "weekly" },
          saved_searches: { recaps: "each", saved_searches: "off" },
          all: { recaps: "off", saved_searches: "off" }
        } as const
        for (const list of ["recaps", "saved_searches", "all"] as const) {
          const link = yield* linkOf(accountId, list)
          for (const way of ways) {
            yield* call("PUT", prefs, credentials, { recaps: "each", saved_searches: "weekly" })
            for (const _ of ["first", "again"]) {
              const done = yield* post(link, way())
              assert.strictEqual(done.status, 200, done.text)
              assert.include(done.text, "You are unsubscribed")
              assert.deepStrictEqual((yield* call("GET", prefs, credentials)).json(), ends[list])
            }
          }
        }
        // The response is the same for an account that has since been deleted.
        const gone = AccountId.make("9c2a6d1c-8a0e-4c52-8f5d-0f1b6f7f1d11")
        assert.strictEqual((yield* post(yield* linkOf(gone, "all"), { body: oneClick() })).status, 200)
        const [row] = yield* Db.use(
          (db) => db<{ n: number }>`select count(*)::int as n from email_pref where account_id = ${gone}`
        )
        assert.strictEqual(row?.n, 0)
      })
    )

    it.effect("anything that is not such a request is refused in the standard error shape, and changes nothing", () =>
      Effect.gen(function* () {
        const { accountId, credentials } = yield* reader("kept@example.org")
        yield* call("PUT", prefs, credentials, { recaps: "each" })
        const link = yield* linkOf(accountId, "recaps")
        const form = { "content-type": "application/x-www-form-urlencoded" }
        const refusals: ReadonlyArray<readonly [string, RequestInit, number, string]> = [
          [`${link}x`, {}, 400, "invalid_request"],
          [link.replace(".recaps.", ".all."), {}, 400, "invalid_request"],
          ["/api/email/unsubscribe", {}, 400, "invalid_request"],
          ["/api/email/unsubscribe?t=", {}, 400, "invalid_request"],
          [`/api/email/unsubscribe?t=${"x".repeat(600)}`, {}, 400, "invalid_request"],
          [`${link}&t=x`, {}, 400, "invalid_request"],
          [link, { body: "List-Unsubscribe=No", headers: form }, 400, "invalid_request"],
          [link, { body: "x=1", headers: form }, 400, "invalid_request"],
          [link, { body: "no parts", headers: { "content-type": "multipart/form-data" } }, 400, "invalid_request"],
          [
            link,
            { body: "--b\r\n", headers: { "content-type": "multipart/form-data; boundary=b" } },
            400,
            "invalid_request"
          ],
          [link, { body: "{}", headers: { "content-type": "application/json" } }, 415, "unsupported_media_type"],
          [link, { body: "List-Unsubscribe=One-Click" }, 415, "unsupported_media_type"],
          [link, { body: `x=${"y".repeat(70_000)}`, headers: form }, 413, "body_too_large"]
        ]
        for (const [target, init, status, error] of refusals) {
          const refused = yield* post(target, init)
          assert.deepStrictEqual(
            [refused.status, refused.json().error],
            [status, error],
            `${target} ${String(init.body)}`
          )
          assert.isTrue(isProblem(refused.json()))
        }
        assert.strictEqual((yield* call("GET", `${link}x`)).status, 400)
        assert.strictEqual((yield* call("PUT", link)).status, 405)
        assert.strictEqual((yield* call("GET", prefs, credentials)).json().recaps, "each")
      })
    )
  }
)
