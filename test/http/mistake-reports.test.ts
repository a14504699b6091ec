import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import { MistakeReports } from "../../src/services/accounts/mistake-reports.ts"
import { Retention } from "../../src/services/operators/retention.ts"
import { fieldValue, followed, opened, posted } from "../support/account-forms.ts"
import { nobody, reader } from "../support/actors.ts"
import { call } from "../support/call.ts"
import { ConsoleService, look, send } from "../support/console.ts"
import { fullRecord } from "../support/full-record.ts"
import { operated } from "../support/operators.ts"
import { id } from "../wire/calls.ts"

const record = "http://record.example.gov"
const textIn = (html: string, name: string) =>
  new RegExp(`<textarea id="${name}"[^>]*>([^<]*)</textarea>`).exec(html)?.[1]

const Service = Layer.provideMerge(Retention.layer, ConsoleService)

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), Service), { excludeTestServices: true })(
  "a mistake that a reader reports",
  (it) => {
    const meetingPath = Effect.map(call("GET", `/api/meetings/${id}`), (one) => String(one.json().path))

    it.effect("is reported by a form on the meeting's page, at its second, and received", () =>
      Effect.gen(function* () {
        const path = yield* meetingPath
        const { credentials } = yield* reader("listener@example.org")
        const page = yield* opened(`${path}?t=12`, credentials)
        assert.include(page.text, `<a href="${path}/report?t=12" rel="nofollow" data-mistake>Report a mistake</a>`)

        const signIn = yield* opened(`${path}/report?t=12&words=Bonds`, nobody)
        assert.deepStrictEqual(
          [signIn.status, signIn.headers.get("location")],
          [303, `/signin?return_to=${encodeURIComponent(`${path}/report?t=12&words=Bonds`)}`]
        )
        const form = yield* opened(`${path}/report?t=12&words=${encodeURIComponent('Bonds "& <b>')}`, credentials)
        assert.strictEqual(form.status, 200)
        assert.strictEqual(form.headers.get("cache-control"), "private, no-store")
        assert.strictEqual(fieldValue(form.text, "start"), "0:12")
        assert.strictEqual(textIn(form.text, "quote"), "Bonds &quot;&amp; &lt;b&gt;")
        const without = yield* opened(`${path}/report?t=12`, credentials)
        assert.match(textIn(without.text, "quote") ?? "", /\w/)

        const typed = { said: "", wording: "Bands\r\nof brass", quote: "Bonds", start: "soon" }
        const refused = yield* posted(`${path}/report`, credentials, typed)
        assert.strictEqual(refused.status, 422)
        assert.include(refused.text, '<a href="#start">Enter when it is said')
        assert.strictEqual(textIn(refused.text, "wording"), "Bands\r\nof brass")
        assert.strictEqual(fieldValue(refused.text, "start"), "soon")
        const empty = yield* posted(`${path}/report`, credentials, { ...typed, start: "1:02:03" })
        assert.strictEqual(empty.status, 400)
        assert.include(empty.text, '<a href="#said">Say what is wrong')

        const sent = yield* posted(`${path}/report`, credentials, { ...typed, start: "1:02:03", said: "It is bands." })
        const { to, page: done } = yield* followed(sent, credentials)
        assert.strictEqual(to, `${path}/report?t=3723`)
        assert.include(done.text, "Your report was received. Thank you.")
        assert.include(done.text, `<a href="${path}?t=3723">Back to the meeting at 1:02:03</a>`)
        assert.notInclude(done.text, "<textarea")
        const [report, ...others] = yield* MistakeReports.use(({ open }) => open)
        assert.deepStrictEqual(others, [])
        assert.deepInclude(report, {
          said: "It is bands.",
          wording: "Bands\nof brass",
          quote: "Bonds",
          start: 3723,
          url: `${record}${path}?t=3723`,
          email: "listener@example.org"
        })
        assert.strictEqual((yield* posted("/in/a/b/2026-01-01-00000000/report", credentials, typed)).status, 404)
        assert.strictEqual((yield* opened("/in/a/b/2026-01-01-00000000/report", credentials)).status, 404)
      })
    )

    it.effect("is an issue of its own until an operator settles it, and names its reader to operators alone", () =>
      Effect.gen(function* () {
        const { readOnly: agent } = yield* operated
        const found = Effect.gen(function* () {
          const { text, json } = yield* call("GET", "/api/agent/issues", agent)
          const { issues } = json() as unknown as { issues: ReadonlyArray<{ kind: string; [name: string]: unknown }> }
          return { text, issues: issues.filter(({ kind }) => kind === "mistake_reported") }
        })
        const { text, issues } = yield* found
        const [issue] = issues
        assert.strictEqual(issues.length, 1)
        assert.include(String(issue?.message), "It is bands.")
        assert.strictEqual(issue?.link, `${record}${yield* meetingPath}?t=3723`)
        assert.match(JSON.stringify(issue?.subject), /"name":"[^"]+, \d{4}-\d{2}-\d{2}"/)
        assert.notInclude(text, "listener@example.org")

        const console = yield* look("/")
        for (const shown of [
          "It is bands.",
          "About: “Bonds”",
          "Listen at 1:02:03",
          "Reported by listener@example.org"
        ]) {
          assert.include(console.text, shown)
        }
        const [report] = yield* MistakeReports.use(({ open }) => open)
        const settle = `/mistakes/${report?.id}/settle`
        assert.include(console.text, `action="${settle}"`)
        assert.strictEqual((yield* send(settle, { as: "whatever" })).status, 422)
        const done = yield* send(settle, { as: "no_fault" })
        assert.include(done.text, "The report is settled: the record was right.")
        assert.notInclude(done.text, "It is bands.")
        assert.deepStrictEqual((yield* found).issues, [])
        assert.strictEqual((yield* send(settle, { as: "corrected" })).status, 404)
        assert.include((yield* look("/history")).text, "mistake.settle")
      })
    )

    it.effect("is sent by a program with a session too, in bounds, and at most twenty times a day", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader("program@example.org")
        const report = (body: object, who = credentials) => call("POST", "/api/mistake-reports", who, body)
        const good = { meeting_id: id, said: "Line one.\nLine two." }
        assert.strictEqual((yield* report(good, nobody)).status, 401)
        const sent = yield* report(good)
        assert.deepStrictEqual([sent.status, sent.json().state, sent.json().start], [201, "open", undefined])
        for (const bad of [
          { said: "x".repeat(1001) },
          { said: "bell \u0007" },
          { wording: " " },
          { start: -1 },
          { start: 1e6 },
          { page: 1 }
        ]) {
          assert.strictEqual((yield* report({ ...good, ...bad })).status, 400, JSON.stringify(bad))
        }
        assert.strictEqual((yield* report({ ...good, meeting_id: "00000000-0000-4000-8000-000000000000" })).status, 404)
        for (let sends = 1; sends < 20; sends += 1) assert.strictEqual((yield* report(good)).status, 201)
        const over = yield* report(good)
        assert.deepStrictEqual([over.status, over.json().error], [429, "rate_limited"])
        const exported = yield* call("GET", "/api/me/export", credentials)
        assert.lengthOf(exported.json().mistake_reports as ReadonlyArray<unknown>, 20)
      })
    )

    it.effect("is deleted with its account, and some time after it was settled", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const count = Effect.map(
          db<{ reports: number }>`select count(*)::int as reports from mistake_report`,
          ([row]) => row?.reports
        )
        const { credentials, accountId } = yield* reader("leaving@example.org")
        yield* db`delete from account where email = 'program@example.org'`
        yield* call("POST", "/api/mistake-reports", credentials, { meeting_id: id, said: "Wrong." })
        assert.strictEqual(yield* count, 2)
        yield* db`update mistake_report set settled_at = now() - interval '91 days' where state = 'no_fault'`
        yield* Retention.use(({ prune }) => prune)
        assert.strictEqual(yield* count, 1)
        yield* db`delete from account where id = ${accountId}`
        assert.strictEqual(yield* count, 0)
      })
    )
  }
)
