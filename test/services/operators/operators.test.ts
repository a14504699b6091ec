import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { ObjectStore, ObjectStoreError } from "../../../layers/object-store/object-store.ts"
import type { AgentMeetingQuery } from "../../../schema/agent/meeting.ts"
import { explain } from "../../../src/failures/failures.ts"
import { Operator } from "../../../src/services/history.ts"
import { Costs } from "../../../src/services/making/costs.ts"
import { Issues } from "../../../src/services/operators/issues.ts"
import { MeetingList } from "../../../src/services/operators/meeting-list.ts"
import { Retention } from "../../../src/services/operators/retention.ts"
import { PipelineLog } from "../../../src/services/queue/pipeline-log.ts"
import { Work } from "../../../src/services/queue/work.ts"
import { SettingFamilies } from "../../../src/services/settings/setting-families.ts"
import { Settings } from "../../../src/services/settings/settings.ts"
import { agency, meeting, meetingId, place, putOnRecord, said, transcript } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"
import { discovered, failedTask, source } from "../../support/operators.ts"
import { TestSetup } from "../../support/service.ts"

/** A store that does not answer. */
const awayStore = Layer.mock(ObjectStore)({
  head: (key) => Effect.fail(new ObjectStoreError({ key, reason: "unavailable", detail: "no answer" }))
})

const Operating = Layer.mergeAll(
  Issues.layer.pipe(Layer.provide(awayStore)),
  MeetingList.layer,
  PipelineLog.layer,
  Retention.layer,
  SettingFamilies.layer,
  Work.layer
).pipe(
  Layer.provideMerge(Costs.layer),
  Layer.provideMerge(Settings.layer),
  Layer.provideMerge(TestSetup),
  Layer.provideMerge(TestDb)
)

layer(Operating, { excludeTestServices: true })("the operators' view", (it) => {
  it.effect("has the issues that the state shows, each with the next step, and none once its cause is gone", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const { issues } = yield* Issues
      const settings = yield* Settings
      yield* putOnRecord(place("springfield"), agency("council", ["springfield"]), meeting("failing", "council"))
      const task = yield* failedTask("failing")
      const from = yield* source("springfield")
      yield* discovered(from, "Zoning")
      yield* db`
        update source set outcome = 'failed', crawled_at = now(), failing_since = now(), failure = 'It answered 500.'
        where id = ${from}`
      yield* db`
        insert into worker (id, host, pid, build, stages, jobs, ended_at, ended_how)
        values (${meetingId("worker")}, 'box', 1, '1', '{}', 1, now(), 'silent')`
      yield* db`
        insert into model_usage (at, model, purpose, outcome, input_tokens, output_tokens, duration_ms, cost)
        values (now(), 'a-model', 'briefing', 'ok', 1, 1, 1, 2.5)`
      yield* settings.set("budget.DailyMicros", 2_000_000)
      yield* settings.set("lanes.speech", 0)
      const found = (yield* issues).issues
      assert.deepStrictEqual(
        new Set(found.map(({ kind }) => kind)),
        new Set([
          "task_failed",
          "worker_silent",
          "stage_unserved",
          "lane_paused",
          "source_failing",
          "source_body_unmapped",
          "media_store_away",
          "budget_spent"
        ])
      )
      for (const { message, next_step, kind } of found) {
        assert.match(message, /^[A-Z].*\.$/, kind)
        assert.match(next_step, /civic-record|\/api\/agent\/|setting/, kind)
      }
      assert.include(found.find(({ kind }) => kind === "task_failed")?.next_step, task)
      const [failed, away] = [
        found.find(({ kind }) => kind === "task_failed"),
        found.find(({ kind }) => kind === "source_failing")
      ]
      assert.match(failed?.subject.name ?? "", /^transcribe of Council: Regular Meeting, \d{4}-\d\d-\d\d$/)
      assert.deepInclude(failed, { cause: "It gave no answer.", task_id: task })
      assert.match(away?.subject.name ?? "", /^Springfield, springfield\.example\.gov\//)
      assert.strictEqual(away?.cause, "It answered 500.")
      assert.isTrue(
        found.findLastIndex(({ severity }) => severity === "error") <
          found.findIndex(({ severity }) => severity !== "error")
      )
      // A worker that could do a task which has been due for long, and does not.
      yield* db`
        insert into worker (id, host, pid, build, stages, jobs) values (${meetingId("busy")}, 'box', 2, '1', '{detect}', 1)`
      yield* db`update task set due_at = now() - interval '16 minutes' where stage = 'detect'`
      const stuck = (yield* issues).issues.filter(({ kind }) => kind === "lane_stuck" || kind === "stage_unserved")
      assert.deepStrictEqual(
        stuck.map(({ kind, subject }) => [kind, subject.id]),
        [["lane_stuck", "local"]]
      )
      yield* settings.set("budget.DailyMicros", 3_000_000)
      yield* settings.set("lanes.speech", 2)
      yield* db`update source set outcome = 'ok', failing_since = null, failure = null where id = ${from}`
      yield* db`delete from flow`
      yield* db`update worker set ended_how = 'stopped', ended_at = now()`
      assert.deepStrictEqual(
        (yield* issues).issues.map(({ kind }) => kind),
        ["media_store_away", "source_body_unmapped"]
      )
    })
  )

  it.effect("lists meetings by the parts they have, the parts they lack, and the state of the work", () =>
    Effect.gen(function* () {
      const list = yield* MeetingList
      yield* putOnRecord(
        place("shelbyville", { state: "OH" }),
        agency("board", ["shelbyville"], { kind: "school_board" }),
        meeting("spoken", "board", { title: "Budget hearing" }),
        transcript("spoken", said(["words"])),
        meeting("paper", "board", { agenda_url: "https://board.example.gov/agenda.pdf" }),
        meeting("empty", "board"),
        meeting("coming", "board", { date: "2099-01-01", status: "upcoming" })
      )
      yield* failedTask("paper")
      const names = ["spoken", "paper", "empty", "coming"]
      const found = Effect.fnUntraced(function* (query: AgentMeetingQuery) {
        const { meetings, total } = yield* list.list({ state: ["OH"], ...query })
        assert.strictEqual(total, meetings.length)
        return names.filter((name) => meetings.some((row) => row.meeting.id === meetingId(name)))
      })
      assert.deepStrictEqual(yield* found({}), ["spoken", "paper"])
      assert.deepStrictEqual(yield* found({ include_bare: true, include_upcoming: true }), names)
      assert.deepStrictEqual(yield* found({ status: ["upcoming"] }), ["coming"])
      assert.deepStrictEqual(yield* found({ include_upcoming: true, past: false }), ["coming"])
      assert.deepStrictEqual(yield* found({ gap: ["transcript"] }), ["paper"])
      assert.deepStrictEqual(yield* found({ gap: ["transcript", "recap"] }), ["spoken", "paper"])
      assert.deepStrictEqual(yield* found({ status: ["failed"] }), [])
      assert.deepStrictEqual(yield* found({ status: ["open"] }), ["paper"])
      assert.deepStrictEqual(yield* found({ status: ["held", "none"] }), ["spoken"])
      assert.deepStrictEqual(yield* found({ attachments: ["agenda"] }), ["paper"])
      assert.deepStrictEqual(yield* found({ video: ["rendition"] }), [])
      assert.deepStrictEqual(yield* found({ q: "budget" }), ["spoken"])
      assert.deepStrictEqual(yield* found({ q: meetingId("paper").slice(0, 13) }), ["paper"])
      assert.deepStrictEqual(yield* found({ type: ["city_council"] }), [])
      assert.deepStrictEqual(yield* found({ summary: ["none"], clips: ["none"] }), ["spoken", "paper"])
      const grouped = yield* list.list({ state: ["OH"], group_by: "agency", per_group: 1, include_bare: true })
      assert.deepStrictEqual(
        grouped.groups?.map(({ key, total, meeting_ids }) => [key, total, meeting_ids.length]),
        [["board", 3, 1]]
      )
      assert.strictEqual(grouped.groups_total, 1)
      assert.strictEqual(grouped.meetings.length, 1)
      const missing = (yield* list.gaps).gaps.find(({ gap }) => gap === "transcript")
      assert.isTrue(missing?.newest.includes(meetingId("paper")))
      assert.isFalse(missing?.newest.includes(meetingId("spoken")))
    })
  )

  it.effect("follows the log while several write, without skipping or repeating a line", () =>
    Effect.gen(function* () {
      const log = yield* PipelineLog
      const line = (message: string) => ({
        at: "2026-03-12T08:00:00Z",
        source: "worker",
        level: "info" as const,
        message,
        fields: {}
      })
      yield* log.append([line("before")])
      let { after } = yield* log.read({})
      const writers = [0, 1, 2, 3].map((writer) =>
        Effect.forEach(
          Array.from({ length: 25 }, (_, at) => at),
          (at) => log.append([line(`${writer} ${at}`)])
        )
      )
      const seen: Array<string> = []
      const follow = Effect.gen(function* () {
        while (seen.length < 100) {
          const read = yield* log.read({ after, limit: 7 })
          seen.push(...read.lines.map(({ message }) => message))
          after = read.after
        }
      })
      yield* Effect.all([follow, ...writers], { concurrency: "unbounded" })
      assert.strictEqual(seen.length, 100)
      assert.strictEqual(new Set(seen).size, 100)
      assert.deepStrictEqual((yield* log.read({ after })).lines, [])
      const back: Array<string> = []
      let { before, lines } = yield* log.read({ limit: 9 })
      while (lines.length > 0) {
        back.unshift(...lines.map(({ message }) => message))
        ;({ before, lines } = yield* log.read({ before, limit: 9 }))
      }
      assert.deepStrictEqual(back, ["before", ...seen])
    })
  )

  it.effect("has a setting's history, and shows a secret only as set or unset", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const settings = yield* Settings
      const { family } = yield* SettingFamilies
      for (const value of [3, 3, 5]) {
        yield* Effect.provideService(settings.set("lanes.web", value), Operator, "console")
      }
      const { settings: shown, history } = yield* family("lanes")
      assert.deepInclude(
        shown.find(({ name }) => name === "lanes.web"),
        { value: 5, initial: 8, from: "setting", type: "integer" }
      )
      assert.deepStrictEqual(
        history
          .filter(({ name }) => name === "lanes.web")
          .map(({ before, after, changed_by }) => [before, after, changed_by]),
        [
          [3, 5, "console"],
          [undefined, 3, "console"]
        ]
      )
      // The next claim applies it: nothing has to be restarted.
      const [lane] = yield* db`select at_once from lane where name = 'web'`
      assert.deepStrictEqual(lane, { at_once: 5 })
      const refused = yield* Effect.flip(settings.set("lanes.web", true))
      assert.strictEqual(explain(refused), "lanes.web must be a whole number from 0 to 1000.")
      const server = yield* family("server")
      assert.deepInclude(
        server.settings.find(({ name }) => name === "SIGNING_KEYS"),
        { type: "secret", secret: "unset" }
      )
      assert.deepInclude(yield* Effect.flip(family("mood")), { what: "setting_family" })
    })
  )

  it.effect("starts with lanes as wide as their settings say", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const { family } = yield* SettingFamilies
      const lanes = yield* db<{ name: string; at_once: number }>`select name, at_once from lane`
      const { settings } = yield* family("lanes")
      for (const { name, at_once } of lanes) {
        assert.strictEqual(settings.find((one) => one.name === `lanes.${name}`)?.value, at_once, name)
      }
    })
  )

  it.effect("is bounded: expired rows are removed, and nothing else", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const { prune } = yield* Retention
      const run = meetingId("run")
      for (const days of [1, 800]) {
        yield* db`
          insert into operator_action (at, run_id, operator, action, subject)
          values (now() - ${days}::int * interval '1 day', ${run}, 'box', 'run.retry', 'x')`
        yield* db`
          insert into drill (state, started_by, ended_at)
          values ('passed', 'a test', now() - ${days}::int * interval '1 day')`
        yield* db`
          insert into host_pace (host, next_at, held_since)
          values (${`${days}.example`}, now() - ${days}::int * interval '1 day', now())`
        yield* db`
          insert into stage_piece (task_id, key, value, made_at)
          select id, ${`${days}`}, '{}', now() - ${days}::int * interval '1 day' from task limit 1`
        const [{ id } = { id: "" }] = yield* db<{ id: string }>`
          insert into account (email, email_key, created_at)
          values (${`${days}@example.org`}, ${`${days}@example.org`}, now()) returning id`
        const token = Buffer.alloc(32, days)
        yield* db`
          insert into recorded_share (account_id, meeting_id, channel, created_at)
          select ${id}, id, 'link', now() - ${days}::int * interval '1 day' from meeting limit 1`
        yield* db`
          insert into reader_token (account_id, name, token_hash, created_at, revoked_at)
          values (${id}, 'a program', ${token}, now(), now() - ${days}::int * interval '1 day')`
        yield* db`
          insert into session (token_hash, account_id, created_at, expires_at)
          values (${token}, ${id}, now(), now() + (30 - ${days}::int) * interval '1 day')`
        yield* db`
          insert into share_grant (id, meeting_id, account_id, token_hash, created_at, expires_at)
          select ${id}, id, ${id}, ${token}, now(), now() + (14 - ${days}::int) * interval '1 day' from meeting limit 1`
        yield* db`
          insert into email_change (account_id, email, email_key, code_hash, expires_at)
          values (${id}, 'new@example.org', 'new@example.org', ${token}, now() + (2 - ${days}::int) * interval '1 day')`
      }
      yield* prune
      assert.strictEqual((yield* db`select from operator_action where run_id = ${run}`).length, 1)
      assert.strictEqual((yield* db`select from drill`).length, 1)
      for (const table of [
        "recorded_share",
        "reader_token",
        "session",
        "share_grant",
        "email_change",
        "stage_piece",
        "host_pace"
      ]) {
        assert.strictEqual((yield* db`select from ${db(table)}`).length, 1, table)
      }
    })
  )
})
