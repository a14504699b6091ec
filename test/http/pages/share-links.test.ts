import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type Credentials, grantTo, nobody, reader, shareCookie, shareToken } from "../../support/actors.ts"
import { ask } from "../../support/asked.ts"
import { meetingId } from "../../support/builders.ts"
import { call, requestOf } from "../../support/call.ts"
import { fullRecord } from "../../support/full-record.ts"
import { TestService } from "../../support/service.ts"

const at = (name: string) => `/in/springfield/council/2026-03-10-${meetingId(name).slice(0, 8)}`

const html = (target: string, who: Credentials) => call("GET", target, who, undefined, { accept: "text/html" })

const browserAgent = "Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0"
const visit = { "user-agent": browserAgent, "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" }

const open = (target: string, who: Credentials, headers: Record<string, string> = visit, method = "GET") =>
  Effect.gen(function* () {
    const { url, init } = yield* requestOf(method, target, who, undefined, { accept: "text/html", ...headers })
    return yield* ask(url, { ...init, redirect: "manual" })
  })

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "a meeting that is opened with a share link",
  (it) => {
    it.effect("is redeemed by a person's browser, which is redirected to the address without the token", () =>
      Effect.gen(function* () {
        const token = yield* grantTo(meetingId("full"))
        const first = yield* open(`${at("full")}?t=62&st=${token}`, nobody)
        assert.strictEqual(first.status, 303)
        assert.strictEqual(first.headers.get("location"), `${at("full")}?t=62`)
        assert.strictEqual(first.headers.get("cache-control"), "private, no-store")
        assert.strictEqual(first.headers.get("referrer-policy"), "no-referrer")
        const cookie = /^cr_share=([\w-]{43});.*HttpOnly/.exec(first.headers.get("set-cookie") ?? "")?.[1] ?? ""
        assert.include((yield* html(at("full"), shareCookie(cookie))).text, "Sentence number 99")
        // The same address again, in the same browser and in another one.
        const back = yield* open(`${at("full")}?st=${token}`, shareCookie(cookie))
        assert.deepStrictEqual([back.status, back.headers.get("location")], [303, at("full")])
        assert.isNull(back.headers.get("set-cookie"))
        const elsewhere = yield* open(`${at("full")}?st=${token}`, nobody)
        assert.strictEqual(elsewhere.status, 200)
        assert.include(elsewhere.text, "A link works once, in one browser, within 14 days.")
      })
    )

    it.effect("is read without redeeming it by anything that is not a person's visit", () =>
      Effect.gen(function* () {
        const token = yield* grantTo(meetingId("full"))
        const target = `${at("full")}?st=${token}`
        const others: ReadonlyArray<readonly [method: string, headers: Record<string, string>]> = [
          ["HEAD", visit],
          ["GET", { ...visit, accept: "text/markdown" }],
          ["GET", { ...visit, accept: "*/*" }],
          ["GET", { ...visit, "user-agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" }],
          ["GET", { ...visit, "sec-purpose": "prefetch;prerender" }],
          ["GET", { ...visit, "sec-fetch-dest": "empty" }]
        ]
        for (const [method, headers] of others) {
          const answer = yield* open(target, nobody, headers, method)
          assert.strictEqual(answer.status, 200, JSON.stringify(headers))
          assert.isNull(answer.headers.get("set-cookie"))
          assert.strictEqual(answer.headers.get("cache-control"), "private, no-store")
          assert.strictEqual(answer.headers.get("referrer-policy"), "no-referrer")
          if (method === "GET") assert.include(answer.text, "Sentence number 99")
        }
        assert.include((yield* call("GET", `/md${at("full")}`, shareToken(token))).text, "Sentence number 99")
        assert.strictEqual((yield* open(target, nobody)).status, 303)
      })
    )

    it.effect("is not used up by a reader, who needs none, but left for somebody else", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const token = yield* grantTo(meetingId("full"))
        const own = yield* open(`${at("full")}?st=${token}`, credentials)
        assert.deepStrictEqual([own.status, own.headers.get("location")], [303, at("full")])
        assert.match((yield* open(`${at("full")}?st=${token}`, nobody)).headers.get("set-cookie") ?? "", /^cr_share=/)
      })
    )

    it.effect("shows the teaser and the reason if the link is forged, for another meeting, or expired", () =>
      Effect.gen(function* () {
        const other = yield* grantTo(meetingId("bare"))
        const cases = [
          [`${at("full")}?st=forged`, nobody, "This share link does not open the meeting."],
          [`${at("full")}?st=${other}`, nobody, "This share link is for another meeting."],
          [at("full"), shareCookie("worn-out"), "The share link that opened a meeting for you has run out"]
        ] as const
        for (const [target, who, words] of cases) {
          const answer = yield* open(target, who)
          assert.strictEqual(answer.status, 200)
          assert.include(answer.text, words)
          assert.notInclude(answer.text, "Sentence number 99")
          assert.strictEqual(answer.headers.get("cache-control"), "private, no-store")
          assert.isNull(answer.headers.get("set-cookie"))
          assert.notInclude(answer.text, "st=")
        }
        // The other meeting's token is still good for the other meeting.
        assert.strictEqual((yield* open(`${at("bare")}?st=${other}`, nobody)).status, 303)
        assert.strictEqual((yield* open("/in/springfield/council/2026-03-10-ffffffff?st=x", nobody)).status, 404)
      })
    )
  }
)
