import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { QuoteCheck } from "../../schema/quote.ts"
import { grantTo, nobody, reader, shareToken } from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { agency, meeting, meetingId, place, putOnRecord, said, transcript } from "../support/builders.ts"
import { call } from "../support/call.ts"
import { calling } from "../support/mcp-client.ts"
import { serviceAddress, TestService } from "../support/service.ts"

const record = putOnRecord(
  place("springfield"),
  agency("council", ["springfield"]),
  meeting("vote", "council", { date: "2026-03-10" }),
  transcript(
    "vote",
    said([
      "good evening and welcome to the meeting",
      "the levee needs 300 new pumps before the river rises again",
      "thank you for coming tonight"
    ])
  )
)

const quote = "the levee needs 300 new pumps before the river rises"
const changed = quote.replace("300", "400")

const check = (text: string, who = nobody, more: object = {}) =>
  Effect.map(call("POST", "/api/quotes/check", who, { text, ...more }), (answer) => {
    assert.strictEqual(answer.status, 200, answer.text)
    return { headers: answer.headers, ...Schema.decodeUnknownSync(QuoteCheck)(answer.json()) }
  })

const page = (query: Record<string, string>, who = nobody, path = "/quote") =>
  call("GET", `${path}?${new URLSearchParams(query)}`, who)

layer(Layer.provideMerge(Layer.effectDiscard(record), TestService), { excludeTestServices: true })(
  "a quote, checked over HTTP",
  (it) => {
    it.effect("is found at its second by anybody, and in its words by readers and holders of a grant", () =>
      Effect.gen(function* () {
        const told = yield* check(quote)
        assert.strictEqual(told.headers.get("ratelimit-policy"), '"quote-check";q=30;w=60')
        assert.strictEqual(told.verdict, "exact")
        assert.deepInclude(told.hits[0], { start: 5, exact: true })
        assert.notProperty(told.hits[0], "words")
        assert.match(told.hits[0]?.path ?? "", /\?t=5$/)
        const wrong = yield* check(changed)
        assert.strictEqual(wrong.verdict, "parts")
        assert.notInclude(JSON.stringify(wrong), "300")
        const { credentials } = yield* reader()
        for (const who of [credentials, shareToken(yield* grantTo(meetingId("vote")))]) {
          const [hit] = (yield* check(changed, who)).hits
          assert.deepInclude(hit?.words ?? [], { quoted: "400", said: "300", how: "changed" })
        }
      })
    )

    it.effect("is refused if it is too short or too long to be one", () =>
      Effect.gen(function* () {
        for (const text of ["the levee needs 300", "x", `${"a ".repeat(249)}bcd`]) {
          const answer = yield* call("POST", "/api/quotes/check", nobody, { text })
          assert.deepStrictEqual([answer.status, answer.json().error], [400, "invalid_request"], text)
          assert.match(String(answer.json().message), /^text must have/)
        }
      })
    )

    it.effect("has a page that works without script, as Markdown too", () =>
      Effect.gen(function* () {
        const form = yield* page({})
        assert.strictEqual(form.status, 200)
        assert.include(form.text, '<form class="quote-form" action="/quote" method="get"')
        const told = yield* page({ text: quote })
        assert.include(told.text, "Said word for word")
        assert.include(told.text, "?t=5")
        const wrong = yield* page({ text: changed })
        assert.include(wrong.text, "Only in parts")
        assert.notInclude(wrong.text, "300")
        assert.include(wrong.text, "Sign in")
        const { credentials } = yield* reader()
        assert.include((yield* page({ text: changed }, credentials)).text, "<mark>300</mark>")
        const none = yield* page(
          { text: "nobody ever mentioned purple elephants here", to: "2026-12-31" },
          nobody,
          "/md/quote"
        )
        assert.include(none.text, "Not found in")
        assert.strictEqual((yield* page({ text: "too short" })).status, 400)
      })
    )

    it.effect("is a tool, and all its doors share one limit", () =>
      Effect.gen(function* () {
        const { told, text } = yield* calling("check_quote", { text: changed })
        assert.strictEqual(told.verdict, "parts")
        assert.notInclude(JSON.stringify(told), "300")
        assert.match(text, /number, a name/)
        const base = yield* serviceAddress
        let left = 30
        while (left-- > 0) {
          const answer = yield* ask(`${base}/quote?text=${encodeURIComponent(quote)}`)
          if (answer.status === 429) break
          assert.strictEqual(answer.status, 200)
        }
        assert.isAbove(left, 0)
        const refused = yield* call("POST", "/api/quotes/check", nobody, { text: quote })
        assert.deepStrictEqual([refused.status, refused.json().error], [429, "rate_limited"])
        assert.match((yield* calling("check_quote", { text: quote })).text, /requests/)
        assert.strictEqual((yield* page({})).status, 200)
        const { credentials } = yield* reader("seldom@example.org")
        assert.strictEqual((yield* check(quote, credentials)).verdict, "exact")
      })
    )
  }
)
