import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { AccountExportDocument } from "../../schema/account-export.ts"
import { UserClipId } from "../../schema/primitives.ts"
import { AgencyMerge } from "../../src/services/directory/agency-merge.ts"
import { userClipKey } from "../../src/services/meetings/media-tier.ts"
import { type Credentials, nobody, reader } from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { agency, meetingId, putOnRecord } from "../support/builders.ts"
import { call } from "../support/call.ts"
import { fullRecord } from "../support/full-record.ts"
import { newestCode, readOutbox } from "../support/outbox.ts"
import { outbox, serviceAddress, TestService } from "../support/service.ts"

const refusal = (answer: { readonly status: number; readonly json: () => Record<string, unknown> }) => [
  answer.status,
  answer.json().error
]

const codeFor = Effect.fnUntraced(function* (email: string) {
  const folder = yield* outbox
  return yield* Effect.promise(() => newestCode(folder, email))
})

/** Six digits that differ from the code. */
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0")

const start = (who: Credentials, email: string) => call("POST", "/api/me/account/email/start", who, { email })
const confirm = (who: Credentials, email: string, code: string) =>
  call("POST", "/api/me/account/email/confirm", who, { email, code })

const good = "lantern orchard gravel tide"

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "an account over HTTP",
  (it) => {
    it.effect("is its reader's alone: private, not stored, and changed from this origin only", () =>
      Effect.gen(function* () {
        const { credentials, accountId } = yield* reader("own@example.org")
        const mine = yield* call("GET", "/api/me/account", credentials)
        assert.strictEqual(mine.headers.get("cache-control"), "private, no-store")
        assert.isNull(mine.headers.get("access-control-allow-origin"))
        const { created_at, ...rest } = mine.json()
        assert.deepStrictEqual(rest, { id: accountId, email: "own@example.org", has_password: false })
        assert.approximately(Date.parse(String(created_at)), Date.now(), 60_000)
        const writes = [
          ["PATCH", "/api/me/account", { name: "Mallory" }],
          ["DELETE", "/api/me/account", undefined],
          ["POST", "/api/me/account/email/start", { email: "mallory@example.org" }],
          ["POST", "/api/me/account/email/confirm", { email: "mallory@example.org", code: "000000" }],
          ["PUT", "/api/me/account/password", { password: good }],
          ["PUT", "/api/me/account/phone", { phone: "+12175550123" }],
          ["DELETE", "/api/me/account/phone", undefined],
          ["PUT", "/api/me/follows", { agencies: [], places: [] }]
        ] as const
        for (const [method, path, body] of writes) {
          for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "same-site" }]) {
            const answer = yield* call(method, path, credentials, body, headers)
            assert.deepStrictEqual(refusal(answer), [403, "cross_origin"], `${method} ${path}`)
          }
          assert.deepStrictEqual(refusal(yield* call(method, path, nobody, body)), [401, "sign_in_required"])
        }
        assert.deepStrictEqual((yield* call("GET", "/api/me/account", credentials)).json(), mine.json())
      })
    )

    it.effect("takes a body of JSON, of 64 KB at most", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader("bodies@example.org")
        const large = yield* call("PATCH", "/api/me/account", credentials, { name: "x".repeat(65_536) })
        assert.deepStrictEqual(refusal(large), [413, "body_too_large"])
        const form = yield* ask(`${yield* serviceAddress}/api/me/account`, {
          method: "PATCH",
          headers: { ...credentials.headers, "content-type": "text/plain" },
          body: '{"name":"x"}'
        })
        assert.deepStrictEqual(refusal(form), [415, "unsupported_media_type"])
      })
    )

    it.effect("has a name, trimmed, which an empty value removes", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader("named@example.org")
        const rename = (name: unknown) => call("PATCH", "/api/me/account", credentials, { name })
        assert.strictEqual((yield* rename("  Zoë Vale \n".replace("\n", ""))).json().name, "Zoë Vale")
        assert.strictEqual((yield* call("GET", "/api/me/account", credentials)).json().name, "Zoë Vale")
        for (const bad of ["a\u0000b", "a\nb", "x".repeat(121), 7, null]) {
          const answer = yield* rename(bad)
          assert.deepStrictEqual(refusal(answer), [400, "invalid_request"], JSON.stringify(bad))
          assert.match(String(answer.json().message), /^name /)
        }
        assert.notProperty((yield* rename("   ")).json(), "name")
      })
    )

    it.effect("has a telephone number that is possible, in E.164 form", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader("phone@example.org")
        const put = (phone: string) => call("PUT", "/api/me/account/phone", credentials, { phone })
        assert.strictEqual((yield* put("+12175550123")).json().phone, "+12175550123")
        assert.strictEqual((yield* put("+442071838750")).json().phone, "+442071838750")
        for (const bad of [
          "",
          "2175550123",
          "+1 217 555 0123",
          "+1217555012",
          "+10000000000",
          "+12175550123x5",
          "+999"
        ]) {
          assert.deepStrictEqual(refusal(yield* put(bad)), [422, "phone_invalid"], bad)
        }
        const long = yield* put(`+${"1".repeat(32)}`)
        assert.deepStrictEqual(refusal(long), [400, "invalid_request"])
        assert.strictEqual((yield* call("GET", "/api/me/account", credentials)).json().phone, "+442071838750")
        assert.strictEqual((yield* call("DELETE", "/api/me/account/phone", credentials)).status, 204)
        assert.notProperty((yield* call("GET", "/api/me/account", credentials)).json(), "phone")
        assert.deepStrictEqual(refusal(yield* call("DELETE", "/api/me/account/phone", credentials)), [404, "not_found"])
      })
    )

    it.effect("changes its e-mail address by a code to the new one, and notifies the old one", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader("old@example.org")
        const begun = yield* start(credentials, "New@example.org")
        assert.deepStrictEqual([begun.status, begun.text], [202, ""])
        const code = yield* codeFor("New@example.org")
        const wrong = yield* confirm(credentials, "New@example.org", otherThan(code))
        assert.deepStrictEqual(refusal(wrong), [422, "code_incorrect"])
        assert.deepStrictEqual(refusal(yield* confirm(credentials, "other@example.org", code)), [422, "code_expired"])
        const done = yield* confirm(credentials, "new@example.org", code)
        assert.strictEqual(done.status, 200)
        assert.strictEqual(done.json().email, "New@example.org", "as it was given when the code was asked for")
        assert.deepStrictEqual(refusal(yield* confirm(credentials, "new@example.org", code)), [422, "code_expired"])
        const folder = yield* outbox
        const mails = yield* Effect.promise(() => readOutbox(folder))
        const told = mails.filter((mail) => mail.to?.some(({ address }) => address === "old@example.org"))
        assert.deepStrictEqual(
          told.map(({ subject }) => subject),
          ["Your e-mail address was changed"]
        )
        assert.notInclude(`${told[0]?.text}${told[0]?.html}`, "New@")
        const db = yield* Db
        assert.deepStrictEqual(yield* db`select from email_change where email_key = 'new@example.org'`, [])
      })
    )

    it.effect("reveals who has an address only to those who read its mail", () =>
      Effect.gen(function* () {
        yield* reader("taken@example.org")
        const { credentials } = yield* reader("curious@example.org")
        const free = yield* start(credentials, "free@example.org")
        const taken = yield* start(credentials, "TAKEN@example.org")
        assert.deepStrictEqual([taken.status, taken.text], [free.status, free.text])
        const names = (headers: Headers) => [...headers.keys()].filter((name) => name !== "date")
        assert.deepStrictEqual(names(taken.headers), names(free.headers))
        const code = yield* codeFor("TAKEN@example.org")
        const guessed = yield* confirm(credentials, "TAKEN@example.org", otherThan(code))
        assert.deepStrictEqual(refusal(guessed), [422, "code_incorrect"])
        const answer = yield* confirm(credentials, "TAKEN@example.org", code)
        assert.deepStrictEqual(refusal(answer), [422, "email_in_use"])
        assert.strictEqual((yield* call("GET", "/api/me/account", credentials)).json().email, "curious@example.org")
        assert.deepStrictEqual(refusal(yield* confirm(credentials, "TAKEN@example.org", code)), [422, "code_expired"])
      })
    )

    it.effect("gives an address to one of two who confirm it at the same instant", () =>
      Effect.gen(function* () {
        const begun = yield* Effect.forEach(["first", "second"], (name) =>
          Effect.gen(function* () {
            const { credentials } = yield* reader(`${name}-racer@example.org`)
            yield* start(credentials, "finish@example.org")
            return { credentials, code: yield* codeFor("finish@example.org") }
          })
        )
        const answers = yield* Effect.all(
          begun.map(({ credentials, code }) => confirm(credentials, "finish@example.org", code)),
          { concurrency: "unbounded" }
        )
        const outcomes = answers.map((answer) => (answer.status === 200 ? "200" : refusal(answer).join(" ")))
        assert.deepStrictEqual(outcomes.sort(), ["200", "422 email_in_use"])
      })
    )

    it.effect("lets a code be guessed five times, even by many at once, and accepts it for ten minutes", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const { credentials } = yield* reader("guessed@example.org")
        yield* start(credentials, "aim@example.org")
        const code = yield* codeFor("aim@example.org")
        const guesses = yield* Effect.all(
          Array.from({ length: 8 }, (_, at) =>
            confirm(credentials, "aim@example.org", String((Number(code) + 1 + at) % 1_000_000).padStart(6, "0"))
          ),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(guesses.map((answer) => answer.json().error).sort(), [
          ...Array.from({ length: 3 }, () => "code_expired"),
          ...Array.from({ length: 5 }, () => "code_incorrect")
        ])
        const spent = yield* confirm(credentials, "aim@example.org", code)
        assert.deepStrictEqual(refusal(spent), [422, "code_expired"], "the right one is worth nothing now")

        yield* start(credentials, "aim@example.org")
        yield* db`update email_change set expires_at = now() - interval '1 second'`
        const late = yield* confirm(credentials, "aim@example.org", yield* codeFor("aim@example.org"))
        assert.deepStrictEqual(refusal(late), [422, "code_expired"])
        const [kept] = yield* db<{ hash: Uint8Array }>`select code_hash as hash from email_change`
        assert.strictEqual(kept?.hash.length, 32)
      })
    )

    it.effect("limits the codes that are requested, by account and by mailbox, and the tries", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader("many@example.org")
        for (let at = 0; at < 5; at++) {
          assert.strictEqual((yield* start(credentials, `many-${at}@example.org`)).status, 202)
        }
        const refused = yield* start(credentials, "many-5@example.org")
        assert.deepStrictEqual(refusal(refused), [429, "rate_limited"])
        assert.strictEqual(refused.headers.get("ratelimit-policy"), '"email-change-account";q=5;w=900')
        const wait = Number(refused.headers.get("retry-after"))
        assert.isTrue(wait > 0 && wait <= 900, String(wait))

        // Five accounts of one attacker, all after one mailbox.
        const db = yield* Db
        const codes = yield* Effect.forEach(Array.from({ length: 6 }), (_, at) =>
          Effect.gen(function* () {
            const { credentials } = yield* reader(`attacker-${at}@example.org`)
            return (yield* start(credentials, at % 2 === 0 ? "target@example.org" : "TARGET@example.org")).status
          })
        )
        assert.deepStrictEqual(codes, [202, 202, 202, 202, 202, 429])
        assert.strictEqual((yield* db`select from email_change where email_key = 'target@example.org'`).length, 5)

        const guesser = yield* reader("attacker-0@example.org")
        const guesses = yield* Effect.forEach(Array.from({ length: 16 }), () =>
          Effect.map(confirm(guesser.credentials, "target@example.org", "12345".padEnd(6, "6")), ({ status }) => status)
        )
        assert.strictEqual(guesses.at(-1), 429)
        assert.strictEqual(guesses.filter((status) => status === 429).length, 1)
      })
    )

    it.effect("has a password that is hard to guess; changing it needs the old one and ends other sessions", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const here = yield* reader("secret.keeper@example.org")
        const there = yield* reader("secret.keeper@example.org")
        const put = (body: unknown) => call("PUT", "/api/me/account/password", here.credentials, body)
        for (const weak of [
          "password",
          "secret.keeper",
          "civic record",
          "aaaaaaaaaaaaaaaa",
          "q7Zk2pXv",
          "Passw0rd1!"
        ]) {
          const answer = yield* put({ password: weak })
          assert.deepStrictEqual(refusal(answer), [422, "password_too_weak"], weak)
        }
        const advised = yield* put({ password: "Passw0rd1!" })
        assert.notInclude(advised.text, "Passw0rd1!")
        assert.strictEqual(
          advised.json().message,
          [
            "password is too easy to guess. This is similar to a commonly used password.",
            "Add more words that are less common. Capitalize more than the first letter.",
            "Avoid predictable letter substitutions like '@' for 'a'."
          ].join(" ")
        )
        assert.isFalse((yield* call("GET", "/api/me/account", here.credentials)).json().has_password)
        assert.strictEqual((yield* call("GET", "/api/me/account", there.credentials)).status, 200)

        const set = yield* put({ password: good })
        assert.deepStrictEqual([set.status, set.json().has_password], [200, true])
        assert.notInclude(set.text, "argon2")
        assert.strictEqual((yield* call("GET", "/api/me/account", there.credentials)).status, 401, "the other ended")
        assert.strictEqual((yield* call("GET", "/api/me/account", here.credentials)).status, 200, "this one goes on")
        const [kept] = yield* db<{ hash: string }>`
          select password_hash as hash from account where id = ${here.accountId}`
        assert.match(kept?.hash ?? "", /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)

        const next = "harbor violin cactus meadow"
        assert.deepStrictEqual(refusal(yield* put({ password: next })), [422, "password_incorrect"])
        const wrong = yield* put({ password: next, current_password: `${good}r` })
        assert.deepStrictEqual(refusal(wrong), [422, "password_incorrect"])
        assert.strictEqual((yield* put({ password: next, current_password: good })).status, 200)
        const guesses = yield* Effect.forEach(Array.from({ length: 10 }), () =>
          Effect.map(put({ password: good, current_password: "a guess" }), ({ status }) => status)
        )
        assert.deepStrictEqual(guesses.slice(-2), [422, 429], "20 in a quarter of an hour")
      })
    )

    it.effect("follows bodies and places, by any current or former slug", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader("follower@example.org")
        const put = (agencies: unknown, places: unknown) =>
          call("PUT", "/api/me/follows", credentials, { agencies, places })
        const first = yield* call("GET", "/api/me/follows", credentials)
        assert.deepStrictEqual(first.json(), { agencies: [], places: [] })
        const set = yield* put(["parks-b", "old-council", "springfield-council"], ["springfield", "sangamon-county"])
        assert.deepStrictEqual(set.json(), {
          agencies: ["parks-b", "springfield-council"],
          places: ["sangamon-county", "springfield"]
        })
        const unknown = yield* put(["parks-a", "atlantis-council", "lemuria-board"], [])
        assert.deepStrictEqual(refusal(unknown), [400, "invalid_request"])
        assert.strictEqual(
          unknown.json().message,
          "agencies lists slugs that are not on record: atlantis-council, lemuria-board."
        )
        assert.match(
          String((yield* put([], ["atlantis"])).json().message),
          /^places lists slugs that are not on record: atlantis/
        )
        assert.deepStrictEqual(refusal(yield* put(["No Slug"], [])), [400, "invalid_request"])
        assert.deepStrictEqual(
          refusal(
            yield* put(
              Array.from({ length: 501 }, () => "parks-a"),
              []
            )
          ),
          [400, "invalid_request"]
        )
        assert.deepStrictEqual((yield* call("GET", "/api/me/follows", credentials)).json(), set.json())
        // Of several simultaneous writes, one is stored as a whole.
        yield* Effect.all(
          Array.from({ length: 6 }, (_, at) => put(at % 2 ? ["parks-a"] : ["parks-b"], at % 2 ? [] : ["springfield"])),
          { concurrency: "unbounded" }
        )
        const { agencies, places } = (yield* call("GET", "/api/me/follows", credentials)).json()
        assert.include(
          [JSON.stringify([["parks-a"], []]), JSON.stringify([["parks-b"], ["springfield"]])],
          JSON.stringify([agencies, places])
        )
        assert.deepStrictEqual((yield* put([], [])).json(), { agencies: [], places: [] })
      })
    )

    it.effect("goes on following a body that is merged into another", () =>
      Effect.gen(function* () {
        yield* putOnRecord(agency("zoning-old", ["springfield"]), agency("zoning", ["springfield"]))
        const one = yield* reader("one@example.org")
        const both = yield* reader("both-zonings@example.org")
        const put = (who: Credentials, agencies: ReadonlyArray<string>) =>
          call("PUT", "/api/me/follows", who, { agencies, places: [] })
        yield* put(one.credentials, ["zoning-old"])
        yield* put(both.credentials, ["zoning-old", "zoning"])
        yield* AgencyMerge.use((service) => service.merge("zoning-old", "zoning")).pipe(
          Effect.provide(AgencyMerge.layer)
        )
        for (const { credentials } of [one, both]) {
          assert.deepStrictEqual((yield* call("GET", "/api/me/follows", credentials)).json().agencies, ["zoning"])
        }
        assert.deepStrictEqual((yield* put(one.credentials, ["zoning-old"])).json().agencies, ["zoning"])
      })
    )

    it.effect("is exported whole, without a secret, and deleted whole", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const store = yield* ObjectStore
        const email = "whole.person@example.org"
        const { accountId, credentials, token } = yield* reader(email)
        const bystander = yield* reader("bystander@example.org")
        const clip = UserClipId.make(yield* ownEverything(accountId, email))
        yield* ownEverything(bystander.accountId, "bystander@example.org")
        yield* call("PATCH", "/api/me/account", credentials, { name: "Whole Person" })
        yield* call("PUT", "/api/me/account/password", credentials, { password: good })
        yield* call("PUT", "/api/me/account/phone", credentials, { phone: "+12175550123" })
        yield* call("PUT", "/api/me/follows", credentials, { agencies: ["old-council"], places: ["springfield"] })
        yield* start(credentials, "whole.new@example.org")
        yield* call("GET", `/api/meetings/${meetingId("full")}/share`, credentials)
        yield* ask(`${yield* serviceAddress}/`, { headers: { ...credentials.headers, accept: "text/html" } })
        yield* call("POST", "/api/mistake-reports", credentials, {
          meeting_id: meetingId("full"),
          said: "It is bands."
        })

        const answer = yield* call("GET", "/api/me/export", credentials)
        assert.strictEqual(answer.headers.get("cache-control"), "private, no-store")
        const today = new Date().toISOString().slice(0, 10)
        assert.strictEqual(
          answer.headers.get("content-disposition"),
          `attachment; filename="civic-record-account-${today}.json"`
        )
        const document = yield* Schema.decodeUnknownEffect(AccountExportDocument, { onExcessProperty: "error" })(
          answer.json()
        )
        assert.deepInclude(document.account, { email, name: "Whole Person", phone: "+12175550123", has_password: true })
        assert.deepStrictEqual(
          document.identities.map(({ issuer }) => issuer),
          ["https://id.example.gov"]
        )
        assert.strictEqual(document.email_change?.email, "whole.new@example.org")
        assert.deepStrictEqual(document.follows, { agencies: ["springfield-council"], places: ["springfield"] })
        assert.deepStrictEqual(document.email_prefs, { recaps: "weekly", saved_searches: "daily" })
        assert.deepStrictEqual(
          [
            document.sessions.length,
            document.reader_tokens.length,
            document.saved_searches.length,
            document.mails.length,
            document.user_clips.length,
            document.share_grants.length,
            document.recorded_shares.length,
            document.mistake_reports.length
          ],
          [1, 1, 1, 1, 1, 1, 1, 1]
        )
        assert.deepInclude(document.user_clips[0] ?? {}, { title: "Mine", start: 1.5, end: 9, state: "ready" })
        for (const secret of [token, "argon2", "subject-of", "hash"]) assert.notInclude(answer.text, secret)

        const tables = yield* db<{ name: string }>`
          select table_name as name from information_schema.tables
          where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`
        /** The tables with a row that contains the account or its address, in any column. */
        const naming = (needles: ReadonlyArray<string>) =>
          Effect.filter(tables, ({ name }) =>
            Effect.map(
              db`select from ${db(name)} t where t::text ilike any(${needles.map((needle) => `%${needle}%`)}) limit 1`,
              (rows) => rows.length > 0
            )
          ).pipe(Effect.map((found) => found.map(({ name }) => name)))
        const owning = [
          "account",
          "account_visit",
          "email_change",
          "email_pref",
          "followed_body",
          "followed_place",
          "identity",
          "mailed",
          "mistake_report",
          "outgoing_mail",
          "reader_token",
          "recap_owed",
          "recorded_share",
          "saved_search",
          "session",
          "share_grant",
          "user_clip"
        ]
        const needles = [accountId, email, "whole.new@example.org", "Whole Person", "+12175550123", clip]
        assert.deepStrictEqual(yield* naming(needles), owning, "so that every one of them is tried")
        assert.isTrue((yield* store.head(userClipKey(clip)))._tag === "Some")

        const deleted = yield* call("DELETE", "/api/me/account", credentials)
        assert.strictEqual(deleted.status, 204)
        assert.match(deleted.headers.get("set-cookie") ?? "", /^cr_session=; Max-Age=0; Path=\/;/)
        assert.deepStrictEqual(yield* naming(needles), [])
        assert.isTrue((yield* store.head(userClipKey(clip)))._tag === "None")
        for (const path of ["/api/me/account", "/api/me/export", "/api/me/follows"]) {
          assert.deepStrictEqual(refusal(yield* call("GET", path, credentials)), [401, "sign_in_required"], path)
        }
        const again = yield* call("DELETE", "/api/me/account", credentials)
        assert.deepStrictEqual(refusal(again), [401, "sign_in_required"])
        const others = yield* naming([bystander.accountId])
        assert.deepStrictEqual(
          others,
          owning.filter((name) => !["account_visit", "email_change", "mistake_report", "share_grant"].includes(name)),
          "nobody else's"
        )
      })
    )
  }
)

/** One row in every table that others write for an account, and a clip with its media; returns the clip's id. */
const ownEverything = Effect.fnUntraced(function* (accountId: string, email: string) {
  const db = yield* Db
  const store = yield* ObjectStore
  const clip = crypto.randomUUID()
  yield* db`
    insert into identity (issuer, subject, account_id, created_at)
    values ('https://id.example.gov', ${`subject-of-${email}`}, ${accountId}, now())`
  yield* db`
    insert into reader_token (account_id, name, token_hash, created_at)
    values (${accountId}, 'Assistant', sha256(${email}::bytea), now())`
  yield* db`insert into email_pref (account_id, recaps, saved_searches) values (${accountId}, 'weekly', 'daily')`
  yield* db`
    insert into saved_search (id, account_id, name, query, created_at, seen_until)
    values (${crypto.randomUUID()}, ${accountId}, 'Greenway', 'q=greenway', now(), now())`
  yield* db`
    insert into mailed (account_id, kind, subject, meeting_id, mailed_at)
    values (${accountId}, 'recap', ${crypto.randomUUID()}, ${meetingId("full")}, now())`
  yield* db`insert into recap_ready (meeting_id, ready_at) values (${meetingId("full")}, now()) on conflict do nothing`
  yield* db`insert into recap_owed (account_id, meeting_id) values (${accountId}, ${meetingId("full")})`
  yield* db`
    insert into outgoing_mail (id, account_id, list, content, created_at, next_try_at)
    values (${crypto.randomUUID()}, ${accountId}, 'recaps', '{}', now(), now())`
  yield* db`
    insert into recorded_share (account_id, meeting_id, channel, created_at)
    values (${accountId}, ${meetingId("full")}, 'link', now())`
  yield* db`
    insert into user_clip (id, slug, account_id, meeting_id, title, start, "end", state, created_at, ready_at)
    values (${clip}, ${`mine-${clip}`}, ${accountId}, ${meetingId("full")}, 'Mine', 1.5, 9, 'ready', now(), now())`
  yield* db`insert into followed_body select ${accountId}, id from body where slug = 'parks-a'`
  yield* db`insert into followed_place select ${accountId}, id from place where slug = 'springfield'`
  yield* store.put(userClipKey(UserClipId.make(clip)), import.meta.filename, "video/mp4")
  return clip
})
