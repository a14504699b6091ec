import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import { type Credentials, grantTo, nobody, reader, shareCookie, shareToken } from "../support/actors.ts"
import { meetingId } from "../support/builders.ts"
import { call as callBy } from "../support/call.ts"
import { fullRecord } from "../support/full-record.ts"
import { TestService } from "../support/service.ts"

const id = meetingId("full")
const home = "http://record.example.gov"
const fortnight = 14 * 86_400_000

const call = (target: string, who?: Credentials, body?: unknown, headers?: Record<string, string>) =>
  callBy(body === undefined ? "GET" : "POST", target, who, body, headers)

const redeem = (token: string) => call("/api/share/redeem", nobody, { token })

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "sharing over HTTP",
  (it) => {
    it.effect("a reader mints a link, and whoever follows it reads that meeting and no other", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const minted = yield* call(`/api/meetings/${id}/share`, credentials)
        assert.strictEqual(minted.headers.get("cache-control"), "private, no-store")
        const grant = minted.json()
        assert.strictEqual(grant.meeting_id, id)
        const left = Date.parse(String(grant.expires_at)) - Date.now()
        assert.isTrue(left > fortnight - 60_000 && left <= fortnight)
        const link = new URL(String(grant.url))
        assert.strictEqual(link.origin, home)
        assert.match(link.pathname, /^\/in\/springfield\/council\/2026-03-10-[0-9a-f]{8}$/)
        assert.strictEqual(link.searchParams.get("st"), grant.token)
        const who = shareToken(String(grant.token))
        const record = yield* call(`/api/meetings/${id}`, who)
        assert.strictEqual(record.json().gated, false)
        assert.strictEqual(record.headers.get("cache-control"), "private, no-store")
        assert.strictEqual((yield* call(`/api/meetings/${id}/transcript`, who)).status, 200)
        const other = yield* call(`/api/meetings/${meetingId("bare")}/transcript`, who)
        assert.deepStrictEqual([other.status, other.json().error], [403, "share_grant_other_meeting"])
      })
    )

    it.effect("a HEAD mints nothing", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const { credentials } = yield* reader()
        const grants = db`select count(*)::int as grants from share_grant`
        const before = yield* grants
        const head = (ref: string, who?: Credentials) => callBy("HEAD", `/api/meetings/${ref}/share`, who)
        assert.strictEqual((yield* head(id, credentials)).status, 200)
        assert.strictEqual((yield* head(meetingId("none"), credentials)).status, 404)
        assert.strictEqual((yield* head(id)).status, 401)
        assert.deepStrictEqual(yield* grants, before)
      })
    )

    it.effect("redeeming uses the token up, and leaves a cookie for the remaining days", () =>
      Effect.gen(function* () {
        const token = yield* grantTo(id)
        const redeemed = yield* redeem(token)
        assert.strictEqual(redeemed.status, 200)
        assert.strictEqual(redeemed.json().meeting_id, id)
        const set = redeemed.headers.get("set-cookie") ?? ""
        assert.match(set, /^cr_share=[\w-]{43};/)
        for (const part of ["HttpOnly", "SameSite=Lax", "Path=/", "Secure"]) assert.include(set, part)
        const expires = Date.parse(/Expires=([^;]+)/.exec(set)?.[1] ?? "")
        assert.approximately(expires, Date.parse(String(redeemed.json().expires_at)), 1000)
        const cookie = /^cr_share=([\w-]+)/.exec(set)?.[1] ?? ""
        assert.strictEqual((yield* call(`/api/meetings/${id}/transcript`, shareCookie(cookie))).status, 200)
        const used = yield* call(`/api/meetings/${id}/transcript`, shareToken(token))
        assert.deepStrictEqual([used.status, used.json().error], [401, "share_grant_invalid"])
        const again = yield* redeem(token)
        assert.deepStrictEqual([again.status, again.json().error], [409, "share_already_redeemed"])
        assert.isNull(again.headers.get("set-cookie"))
      })
    )

    it.effect("of many simultaneous redemptions one wins", () =>
      Effect.gen(function* () {
        for (let round = 0; round < 5; round++) {
          const token = yield* grantTo(id)
          const answers = yield* Effect.all(
            Array.from({ length: 8 }, () => redeem(token)),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [
            200,
            ...Array.from({ length: 7 }, () => 409)
          ])
        }
      })
    )

    it.effect("neither token nor cookie is stored in plain text", () =>
      Effect.gen(function* () {
        const token = yield* grantTo(id)
        const cookie = /^cr_share=([\w-]+)/.exec((yield* redeem(token)).headers.get("set-cookie") ?? "")?.[1] ?? ""
        const db = yield* Db
        const rows = yield* db<{ row: string }>`select share_grant::text as row from share_grant`
        const kept = rows.map(({ row }) => row).join("\n")
        for (const secret of [token, token.split(".").at(-1) ?? "", cookie]) assert.notInclude(kept, secret)
      })
    )

    it.effect("a share is counted by its channel", () =>
      Effect.gen(function* () {
        const { credentials, accountId } = yield* reader("counter@example.org")
        for (const channel of ["link", "sms", "sms"]) {
          const { status, text } = yield* call("/api/share/record", credentials, { meeting_id: id, channel })
          assert.deepStrictEqual([status, text], [204, ""])
        }
        const db = yield* Db
        const rows = yield* db`
          select channel, count(*)::int as times from recorded_share where account_id = ${accountId}
          group by channel order by channel`
        assert.deepStrictEqual(rows, [
          { channel: "link", times: 1 },
          { channel: "sms", times: 2 }
        ])
        const unknown = yield* call("/api/share/record", credentials, {
          meeting_id: meetingId("none"),
          channel: "link"
        })
        assert.deepStrictEqual([unknown.status, unknown.json().error], [404, "not_found"])
      })
    )

    it.effect("an account may share a fixed number of times a day, and no more", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const { credentials, accountId } = yield* reader("eager@example.org")
        const mint = () => call(`/api/meetings/${id}/share`, credentials)
        const record = () => call("/api/share/record", credentials, { meeting_id: id, channel: "link" })
        for (const [share, most, policy] of [
          [mint, 100, "share-grants"],
          [record, 300, "recorded-shares"]
        ] as const) {
          const shared = yield* Effect.all(Array.from({ length: most }, share), { concurrency: 8 })
          assert.isTrue(shared.every(({ status }) => status === 200 || status === 204))
          const refused = yield* share()
          assert.deepStrictEqual([refused.status, refused.json().error], [429, "rate_limited"])
          assert.strictEqual(refused.headers.get("ratelimit-policy"), `"${policy}";q=${most};w=86400`)
          assert.isAbove(Number(refused.headers.get("retry-after")), 0)
        }
        const [kept] = yield* db`
          select (select count(*)::int from share_grant where account_id = ${accountId}) as grants,
            (select count(*)::int from recorded_share where account_id = ${accountId}) as shares`
        assert.deepStrictEqual(kept, { grants: 100, shares: 300 })
        const { credentials: other } = yield* reader("other.sharer@example.org")
        assert.strictEqual((yield* call(`/api/meetings/${id}/share`, other)).status, 200)
      })
    )

    it.effect("expired grants are swept as new ones are minted", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const { credentials, accountId } = yield* reader("sweeper@example.org")
        const mint = () => call(`/api/meetings/${id}/share`, credentials)
        yield* mint()
        yield* db`update share_grant set expires_at = now() where account_id = ${accountId}`
        yield* mint()
        assert.strictEqual((yield* db`select from share_grant where account_id = ${accountId}`).length, 1)
      })
    )

    it.effect("a page of another origin can neither mint nor record with a reader's cookie", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const foreign: ReadonlyArray<Record<string, string>> = [
          { origin: "https://evil.example" },
          { origin: "null" },
          { origin: `${home}.evil.example` },
          { "sec-fetch-site": "cross-site" }
        ]
        for (const headers of foreign) {
          const minted = yield* call(`/api/meetings/${id}/share`, credentials, undefined, headers)
          assert.deepStrictEqual([minted.status, minted.json().error], [403, "cross_origin"], JSON.stringify(headers))
          const recorded = yield* call("/api/share/record", credentials, { meeting_id: id, channel: "link" }, headers)
          assert.deepStrictEqual([recorded.status, recorded.json().error], [403, "cross_origin"])
        }
        for (const headers of [{ origin: home }, { "sec-fetch-site": "same-origin" }]) {
          assert.strictEqual((yield* call(`/api/meetings/${id}/share`, credentials, undefined, headers)).status, 200)
        }
      })
    )

    it.effect("there is no authorization server to discover", () =>
      Effect.gen(function* () {
        for (const probe of ["oauth-protected-resource", "oauth-authorization-server", "openid-configuration"]) {
          const answer = yield* call(`/.well-known/${probe}`)
          assert.deepStrictEqual([answer.status, answer.json().error], [404, "not_found"])
        }
      })
    )
  }
)
