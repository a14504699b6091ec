import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { opened, posted } from "../../support/account-forms.ts"
import { type Credentials, nobody, reader } from "../../support/actors.ts"
import { ask } from "../../support/asked.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
import { serviceAddress, TestService } from "../../support/service.ts"

const record = putOnRecord(
  place("springfield"),
  agency("council", ["springfield"], { segment: "council" }),
  agency("schools", ["springfield"], { kind: "school_board", segment: "schools" }),
  meeting("old", "council"),
  meeting("budget", "council"),
  meeting("buses", "schools")
)

const newMark = '<strong class="new">New</strong>'
const marks = (text: string) => text.split(newMark).length - 1

layer(Layer.provideMerge(Layer.effectDiscard(record), TestService), { excludeTestServices: true })(
  "what is new since the last visit",
  (it) => {
    /** As if the account had last been here so many minutes ago. */
    const away = (minutes: number) =>
      Db.use((db) => db`update account_visit set seen_at = now() - ${minutes}::int * interval '1 minute'`)
    /** The rows of visits as they were written, each by its transaction. */
    const written = Db.use(
      (db) => db<{ xmin: string; new_since: Date | null }>`select xmin::text as xmin, new_since from account_visit`
    )
    const changed = (name: string) =>
      Db.use((db) => db`update meeting set updated_at = now() where id = ${meetingId(name)}`)
    const page = (path: string, who: Credentials) => Effect.map(opened(path, who), ({ text }) => text)

    it.effect("is marked and counted on home and on followed pages, on every device, until the next visit", () =>
      Effect.gen(function* () {
        const db = yield* Db
        yield* db`update meeting set updated_at = now() - interval '2 days'`
        const { credentials } = yield* reader("back@example.org")
        const first = yield* page("/", credentials)
        assert.notInclude(first, "New in what you follow")
        assert.strictEqual(marks(first), 0)

        yield* posted("/account/follows", credentials, { do: "follow", agency: "council" })
        yield* away(31)
        yield* changed("budget")
        yield* changed("buses")
        const home = yield* page("/", credentials)
        assert.include(home, "1 meeting new or changed since your last visit on <time datetime=")
        // What is followed once above, and both meetings in the list of what is on record.
        assert.isAtLeast(marks(home), 2)
        const { credentials: elsewhere } = yield* reader("back@example.org")
        const other = yield* page("/in/springfield/council", elsewhere)
        assert.include(other, "1 meeting new or changed since your last visit")
        assert.strictEqual(marks(other), 1)
        assert.include(yield* page("/in/springfield", elsewhere), "2 meetings new or changed since your last visit")
        assert.include(yield* page("/account/follows", elsewhere), '<strong class="new">1 new</strong>')

        yield* away(29)
        assert.include(yield* page("/", elsewhere), "1 meeting new or changed since")
        yield* away(31)
        const next = yield* page("/", elsewhere)
        assert.include(next, "1 meeting new or changed since")
        yield* db`update meeting set updated_at = now() - interval '1 hour'`
        assert.include(yield* page("/", elsewhere), "Nothing is new or changed since")
      })
    )

    it.effect("is written once in five minutes, and only for a page that a browser opens", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader("back@example.org")
        const before = yield* written
        for (const path of ["/", "/upcoming", "/in/springfield"]) yield* page(path, credentials)
        assert.deepStrictEqual(yield* written, before)
        yield* away(31)
        const quiet = yield* written
        const base = yield* serviceAddress
        const html = { ...credentials.headers, accept: "text/html" }
        yield* ask(base, { headers: html, method: "HEAD" })
        yield* ask(base, { headers: { ...html, "sec-purpose": "prefetch" } })
        yield* ask(base, { headers: { ...html, "sec-fetch-dest": "empty" } })
        yield* ask(`${base}/md`, { headers: html })
        assert.deepStrictEqual(yield* written, quiet)
        yield* Effect.all([page("/", credentials), page("/upcoming", credentials)], { concurrency: "unbounded" })
        const [after] = yield* written
        assert.isAbove(after?.new_since?.getTime() ?? 0, quiet[0]?.new_since?.getTime() ?? 0)
      })
    )

    it.effect("is nothing to anybody who is not signed in, whose page is everybody's", () =>
      Effect.gen(function* () {
        yield* changed("budget")
        const { text, headers } = yield* opened("/", nobody)
        assert.strictEqual(marks(text), 0)
        assert.notInclude(text, "last visit")
        assert.match(headers.get("cache-control") ?? "", /^public/)
      })
    )
  }
)
