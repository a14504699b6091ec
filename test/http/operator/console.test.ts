import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { AgentTokens } from "../../../src/services/operators/agent-tokens.ts"
import { Settings } from "../../../src/services/settings/settings.ts"
import { ask } from "../../support/asked.ts"
import { agency, clipId, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
import { ConsoleService, look, send } from "../../support/console.ts"
import { fullRecord } from "../../support/full-record.ts"
import { type Operated, operated } from "../../support/operators.ts"
import { serviceAddress } from "../../support/service.ts"

/** Every page of the console, for what the record holds. */
const pagesOf = ({ run, source, task }: Operated) => [
  "/",
  "/tasks",
  "/tasks?state=failed&stage=transcribe",
  `/tasks/${task}`,
  "/workers",
  "/logs",
  "/logs?levels=error&q=none",
  "/costs",
  "/costs?group=stage",
  "/gaps",
  "/drills",
  "/history",
  "/settings",
  "/settings/pipeline",
  "/settings/models",
  "/settings/change?name=lanes.media&value=2",
  "/sources",
  `/sources/${source}`,
  "/meetings?include_bare=true&gap=transcript",
  `/meetings/${meetingId("full")}`,
  `/meetings/${meetingId("full")}/recording`,
  `/meetings/${meetingId("full")}/takedown`,
  "/clips",
  "/removals",
  `/removals?meeting=${meetingId("full")}&kind=home&state=removed`,
  "/bodies",
  "/bodies/merge?from=parks-a&into=parks-b",
  "/people",
  "/people/merge?from=springfield-ada-marsh&into=springfield-ben-ortiz",
  "/tokens",
  "/runs",
  `/runs/${run}`
]

const state = (table: "task" | "clip", id: string) =>
  Effect.flatMap(Db, (db) =>
    Effect.map(db<{ state: string }>`select state from ${db(table)} where id = ${id}`, ([row]) => row?.state)
  )

layer(ConsoleService)("the operators' console", (it) => {
  it.effect("shows every page to operators alone, with no caching and no framing", () =>
    Effect.gen(function* () {
      yield* fullRecord
      const record = yield* operated
      const base = yield* serviceAddress
      for (const path of pagesOf(record)) {
        const { status, headers, text } = yield* look(path)
        assert.strictEqual(status, 200, path)
        assert.strictEqual(headers.get("cache-control"), "private, no-store", path)
        assert.strictEqual(headers.get("x-frame-options"), "DENY", path)
        assert.include(headers.get("content-security-policy"), "frame-ancestors 'none'", path)
        assert.strictEqual(headers.get("x-robots-tag"), "noindex", path)
        assert.match(text, /<h1>[^<]/, path)
        assert.notMatch(text, /cr_agent_|undefined|\[object/, path)
        // On the public listener, these paths never lead to the console.
        const outside = yield* ask(base + path)
        assert.notMatch(outside.text, /· Console ·/, path)
      }
      for (const path of [
        "/tasks/nothing",
        "/settings/nothing",
        `/meetings/${meetingId("none")}`,
        "/runs/x",
        "/sources/x"
      ]) {
        assert.strictEqual((yield* look(path)).status, 404, path)
      }
      assert.strictEqual((yield* look("/logs?before=soon")).status, 400)

      // A page of another site changes nothing, and neither does a name that somebody made resolve to this machine.
      const retry = `/tasks/${record.task}/retry`
      assert.strictEqual((yield* send(retry, {}, { origin: "https://evil.example" })).status, 403)
      assert.strictEqual((yield* send(retry, {}, { origin: "null" })).status, 403)
      assert.strictEqual(yield* state("task", record.task), "failed")
      assert.strictEqual((yield* ask(`${base}${retry}`, { method: "POST" })).status, 404)

      const retried = yield* send(retry)
      assert.include(retried.text, "transcribe will be tried again, with a fresh count.")
      assert.strictEqual(yield* state("task", record.task), "waiting")
      assert.include(
        (yield* send(retry)).text,
        "transcribe is waiting: only a task that failed or waits until later is retried."
      )
      const lines = yield* Db.use((db) => db`select 1 from operator_action where action = 'task.retry'`)
      assert.lengthOf(lines, 1)
      yield* send(`/tasks/${record.task}/cancel`)
      assert.strictEqual(yield* state("task", record.task), "cancelled")
      yield* send(`/tasks/${record.task}/rerun`)
      assert.include(["waiting", "blocked"], yield* state("task", record.task))

      assert.include((yield* send(`/sources/${record.source}/pause`)).text, "It is no longer crawled.")
      assert.include((yield* look(`/sources/${record.source}`)).text, "Resume")
      assert.include((yield* send(`/sources/${record.source}/crawl`)).text, "No running worker does the stage crawl.")
      const mapping = { source_body: "Zoning", agency_slug: "parks-a" }
      assert.include((yield* send(`/sources/${record.source}/bodies`, mapping)).text, "Zoning is parks-a")
      assert.strictEqual(
        (yield* send(`/sources/${record.source}/bodies`, { ...mapping, agency_slug: "no" })).status,
        422
      )
      const added = { kind: "ical", url: "https://springfield.example.gov/all.ics", place: "springfield", hours: "12" }
      assert.include((yield* send("/sources", added)).text, "https://springfield.example.gov/all.ics")
      assert.strictEqual((yield* send("/sources", { ...added, url: "file:///etc/passwd" })).status, 422)

      assert.include((yield* send(`/runs/${record.run}/discovered/${record.mapped}/import`)).text, "on record")
      assert.include((yield* send(`/runs/${record.run}/discovered/${record.mapped}/import`)).text, "been done before")
      assert.strictEqual((yield* send(`/runs/${record.run}/discovered/${record.unlike}/import`)).status, 200)
      assert.include((yield* send("/runs", { place: "springfield" })).text, "open already")
      assert.include((yield* send(`/runs/${record.run}/end`)).text, "The run is over")
    })
  )

  it.effect("publishes and dismisses a clip, corrects a meeting, takes one down and merges two bodies", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      yield* putOnRecord(
        place("lincoln"),
        agency("board", ["lincoln"]),
        agency("bord", ["lincoln"]),
        meeting("typo", "board", { title: "Regulr Meeting", date: "2026-05-05" }),
        meeting("wrong", "board", { date: "2026-05-06" }),
        meeting("twin", "bord", { date: "2026-05-07" }),
        {
          type: "clip",
          id: clipId("typo"),
          meeting_id: meetingId("typo"),
          title: "Levee",
          start: 0,
          end: 9,
          state: "proposal"
        }
      )
      assert.include((yield* look("/clips")).text, "Levee")
      assert.include((yield* look("/clips")).text, "The meeting has no recording.")
      assert.include((yield* send(`/clips/${clipId("typo")}/publish`)).text, "“Levee” is published.")
      assert.strictEqual(yield* state("clip", clipId("typo")), "published")
      assert.include((yield* send(`/clips/${clipId("typo")}/dismiss`)).text, "“Levee” is dismissed.")
      assert.strictEqual(yield* state("clip", clipId("typo")), "dismissed")

      const old = (yield* ask(`${base}/api/meetings/${meetingId("typo")}`)).json()
      const corrected = yield* send(`/meetings/${meetingId("typo")}`, { title: "Regular Meeting", date: "2026-05-15" })
      assert.include(corrected.text, "It is corrected")
      for (const ref of [meetingId("typo"), String(old.slug)]) {
        const { title, date } = (yield* ask(`${base}/api/meetings/${ref}`)).json()
        assert.deepStrictEqual([title, date], ["Regular Meeting", "2026-05-15"])
      }
      assert.strictEqual((yield* ask(base + String(old.path))).status, 200)
      const impossible = yield* send(`/meetings/${meetingId("typo")}`, { date: "2026-02-30" })
      assert.strictEqual(impossible.status, 422)
      assert.include(impossible.text, "a day that exists")

      const [wrong, reason] = [meetingId("wrong"), "It was never public."]
      assert.strictEqual((yield* send(`/meetings/${wrong}/takedown`)).status, 422)
      assert.include((yield* send(`/meetings/${wrong}/takedown`, { reason })).text, "off the record")
      const gone = yield* ask(`${base}/api/meetings/${wrong}`)
      assert.deepStrictEqual([gone.status, gone.json().error], [410, "removed"])
      assert.include(String(gone.json().message), "It was never public")

      assert.match((yield* look("/bodies/merge?from=bord&into=board")).text, /Meetings that move<\/dt><dd>1</)
      assert.include((yield* send("/bodies/merge", { from: "bord", into: "board" })).text, "1 meeting moved")
      assert.strictEqual((yield* ask(`${base}/api/agencies/bord`)).json().slug, "board")
      assert.strictEqual((yield* send("/bodies/merge", { from: "bord", into: "board" })).status, 422)

      const apart = { from: "springfield-b-ortiz", into: "springfield-ben-ortiz" }
      yield* putOnRecord(
        { type: "person", slug: apart.into, place: "springfield", name: "Ben Ortiz" },
        { type: "person", slug: apart.from, place: "springfield", name: "Ben C. Ortiz" }
      )
      const owner = Effect.map(ask(`${base}/api/people/${apart.from}`), (answer) => answer.json().slug)
      assert.match(
        (yield* look("/people")).text,
        /Perhaps one person[\s\S]*from=springfield-b-ortiz&amp;into=springfield/
      )
      assert.include((yield* look(`/people/merge?${new URLSearchParams(apart)}`)).text, "Ben C. Ortiz is Ben Ortiz")
      assert.include((yield* send("/people/merge", apart)).text, "is shown with springfield-ben-ortiz")
      assert.strictEqual(yield* owner, apart.into)
      assert.strictEqual((yield* send("/people/merge", apart)).status, 422)
      assert.strictEqual((yield* send("/people/merge", { ...apart, from: "nobody" })).status, 404)
      assert.include((yield* look("/people")).text, 'action="/people/springfield-b-ortiz/split"')
      assert.include((yield* send("/people/springfield-b-ortiz/split")).text, "stands alone again")
      assert.strictEqual(yield* owner, apart.from)

      const { text } = yield* look("/history")
      for (const action of [
        "clip.publish",
        "clip.dismiss",
        "meeting.correct",
        "meeting.remove",
        "agency.merge",
        "person.merge",
        "person.split"
      ]) {
        assert.include(text, action)
      }
    })
  )

  it.effect("mints a token that is shown once and revokes it, and changes a setting for everyone", () =>
    Effect.gen(function* () {
      const tokens = yield* AgentTokens
      const minted = yield* send("/tokens", { machine: "night-build", run: "" })
      const [token = ""] = /cr_agent_[\w-]{43}/.exec(minted.text) ?? []
      assert.isNotEmpty(token)
      assert.strictEqual((yield* tokens.holder(token))._tag, "Some")
      assert.notInclude((yield* look("/tokens")).text, token)
      assert.notInclude((yield* look("/history")).text, token)
      const { id = "" } = (yield* tokens.list).find(({ machine }) => machine === "night-build") ?? {}
      yield* send(`/tokens/${id}/revoke`)
      assert.strictEqual((yield* tokens.holder(token))._tag, "None")
      assert.strictEqual((yield* send("/tokens", { machine: "", run: "" })).status, 422)

      const settings = yield* Settings
      const changed = yield* send("/settings/change", { name: "pipeline.AutoClips", value: "false" })
      assert.include(changed.text, "pipeline.AutoClips is now false")
      assert.isFalse(yield* settings.get("pipeline.AutoClips"))
      assert.strictEqual((yield* send("/settings/change", { name: "lanes.web", value: "many" })).status, 422)
      assert.strictEqual((yield* send("/settings/change", { name: "BASE_URL", value: "x" })).status, 404)
    })
  )
})
