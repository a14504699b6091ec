import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { MistakeReports } from "../../../src/services/accounts/mistake-reports.ts"
import { reader } from "../../support/actors.ts"
import { agency, clipId, meeting, meetingId, place, putOnRecord, said } from "../../support/builders.ts"
import { ConsoleService, send } from "../../support/console.ts"
import { fullRecord } from "../../support/full-record.ts"
import { failedTask, machine, operated, source } from "../../support/operators.ts"
import { refinedHere } from "../../support/refined-here.ts"

/** A form that an operator sends twice. */
interface Act {
  /** The names in its path. */
  readonly in?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  /** The line that it adds. */
  readonly leaves: string
  /** It adds the same line again: it changes something again, or the audit of a run records that it did not. */
  readonly again?: true
}

/** A form with a file in it: its line is looked at where files are uploaded (uploads.test.ts). */
const withFile = "/meetings/:id/recording/file"

/** The paths of the console's actions, as the console declares them. */
const declared = [...readFileSync("src/http/operator/console.ts", "utf8").matchAll(/\baction\("([^"]+)"/g)]
  .map(([, path = ""]) => path)
  .filter((path) => path !== withFile)

layer(ConsoleService)("the history of what operators did", (it) => {
  it.effect("has one line for every action of the console, and none if nothing changed", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* fullRecord
      const { run, task, mapped, alike, ...known } = yield* operated
      yield* putOnRecord(
        place("lincoln"),
        agency("board", ["lincoln"]),
        agency("bord", ["lincoln"]),
        meeting("typo", "board", { title: "Regulr Meeting" }),
        meeting("wrong", "board"),
        { type: "person", slug: "springfield-b-ortiz", place: "springfield", name: "Ben C. Ortiz" },
        {
          type: "clip",
          id: clipId("a"),
          meeting_id: meetingId("typo"),
          title: "Levee",
          start: 0,
          end: 9,
          state: "proposal"
        }
      )
      const [failed, uncrawled, token] = [yield* failedTask("full"), yield* source("lincoln"), (yield* machine()).id]
      const [unwanted, past] = [yield* source("lincoln"), yield* source("lincoln")]
      yield* db`update source set kind = 'legistar', url = 'https://webapi.legistar.com/v1/past' where id = ${past}`
      const calendar = {
        kind: "ical",
        url: "https://lincoln.example.gov/a.ics",
        place: "lincoln",
        hours: "12",
        anyway: "yes"
      }
      const [kept] = yield* db<{ id: string }>`
        insert into reversal (at, operator, kind, from_slug, into_slug) values (now(), 'x', 'move', 'a', 'b') returning id`
      const [removal] = yield* refinedHere("bare", said(["I live at 12 Elm Street.", "The levee holds."]))
      yield* db`insert into source_body (source_id, source_body) values (${known.source}, 'Court')`
      const film = "https://www.youtube.com/watch?v=aaaaaaaaaaa"
      yield* db`
        insert into discovered (source_id, source_body, external_id, title, date, timezone, video_url)
        values (${known.source}, 'Court', 'film', 'Court', '2026-02-03', 'America/Chicago', ${film})`
      const [upload] = yield* db<{ id: string }>`
        insert into given_recording
          (meeting_id, operator, name, bytes, modified, received, piece_bytes, pieces, created_at, touched_at)
        values (${meetingId("typo")}, 'x', 'film.mp4', 10, 1, 0, 10, 'pieces', now(), now()) returning id`
      const { accountId } = yield* reader()
      const mistake = yield* MistakeReports.use(({ report }) =>
        report({ meeting_id: meetingId("full"), said: "The name is wrong." }, accountId)
      )
      const [title, reason] = ["Regular Meeting", "It was never public."]
      const acts: Readonly<Record<string, Act>> = {
        "/tasks/:id/retry": { in: { id: task }, leaves: "task.retry" },
        "/tasks/:id/cancel": { in: { id: task }, leaves: "task.cancel" },
        "/tasks/:id/rerun": { in: { id: task }, leaves: "task.rerun" },
        "/settings/change": { form: { name: "lanes.web", value: "3" }, leaves: "setting.set" },
        "/sources": { form: calendar, leaves: "source.add" },
        "/sources/:id": {
          in: { id: known.source },
          form: { url: "https://springfield.example.gov/b.json", place: "springfield", hours: "1", anyway: "yes" },
          leaves: "source.edit"
        },
        "/sources/:id/crawl": { in: { id: uncrawled }, leaves: "source.crawl" },
        "/sources/:id/pause": { in: { id: uncrawled }, leaves: "source.pause" },
        "/sources/:id/resume": { in: { id: uncrawled }, leaves: "source.resume" },
        "/sources/:id/bodies": {
          in: { id: known.source },
          form: { source_body: "Zoning", agency_slug: "parks-a" },
          leaves: "source.map"
        },
        "/sources/:id/remove": { in: { id: unwanted }, leaves: "source.remove" },
        "/sources/:id/recordings": { in: { id: known.source }, form: { recording: film }, leaves: "source.pair" },
        "/sources/:id/found": { in: { id: known.source }, form: { source_body: "Court" }, leaves: "source.found" },
        "/sources/:id/permission": {
          in: { id: known.source },
          form: { why: "It is our own site." },
          leaves: "source.permit",
          again: true
        },
        "/sources/:id/permission/withdraw": { in: { id: known.source }, leaves: "source.withdraw" },
        "/sources/:id/past": {
          in: { id: past },
          form: { from: "2020-01-01", to: "2020-12-31" },
          leaves: "source.past",
          again: true
        },
        "/sources/:id/past/stop": { in: { id: past }, leaves: "task.cancel" },
        "/meetings/:id": { in: { id: meetingId("typo") }, form: { title }, leaves: "meeting.correct" },
        "/meetings/:id/takedown": { in: { id: meetingId("wrong") }, form: { reason }, leaves: "meeting.remove" },
        "/meetings/:id/recording": {
          in: { id: meetingId("full") },
          form: { url: "https://city.example.gov/film.mp4" },
          leaves: "recording.add",
          again: true
        },
        "/uploads/:id/discard": { in: { id: upload?.id ?? "" }, leaves: "recording.discard" },
        "/clips/:id/publish": { in: { id: clipId("a") }, leaves: "clip.publish" },
        "/clips/:id/dismiss": { in: { id: clipId("a") }, leaves: "clip.dismiss" },
        "/removals": {
          form: { meeting: meetingId("bare"), second: "6", words: "levee", taken: "other" },
          leaves: "removal.take-out"
        },
        "/removals/:id/restore": { in: { id: removal ?? "" }, leaves: "removal.restore" },
        "/mistakes/:id/settle": { in: { id: mistake.id }, form: { as: "corrected" }, leaves: "mistake.settle" },
        "/bodies/merge": { form: { from: "bord", into: "board" }, leaves: "agency.merge" },
        "/bodies/moves/:id/undo": { in: { id: kept?.id ?? "" }, leaves: "move.undo" },
        "/people/merge": {
          form: { from: "springfield-b-ortiz", into: "springfield-ben-ortiz" },
          leaves: "person.merge"
        },
        "/people/:slug/split": { in: { slug: "springfield-b-ortiz" }, leaves: "person.split" },
        "/tokens": { form: { machine: "night-build", run: "" }, leaves: "token.mint", again: true },
        "/tokens/:id/revoke": { in: { id: token }, leaves: "token.revoke" },
        "/runs": { form: { place: "lincoln" }, leaves: "run.start" },
        "/runs/:run/discovered/:id/same-body": { in: { run, id: alike }, leaves: "run.same-body", again: true },
        "/runs/:run/discovered/:id/import": { in: { run, id: mapped }, leaves: "run.import", again: true },
        "/runs/:run/meetings/:id/rerun/:stage": {
          in: { run, id: meetingId("bare"), stage: "publish" },
          leaves: "run.rerun",
          again: true
        },
        "/runs/:run/tasks/:id/retry": { in: { run, id: failed }, leaves: "run.retry", again: true },
        "/runs/:run/end": { in: { run }, leaves: "run.end" }
      }
      assert.deepStrictEqual(Object.keys(acts).toSorted(), declared.toSorted())
      for (const [path, { in: names = {}, form, leaves, again }] of Object.entries(acts)) {
        const to = path.replace(/:(\w+)/g, (_, name: string) => names[name] ?? "")
        const lines = Effect.fnUntraced(function* () {
          const [last] = yield* db<{ id: number }>`select coalesce(max(id), 0)::float8 as id from operator_action`
          yield* send(to, form)
          return yield* db`select action, operator from operator_action where id > ${last?.id ?? 0} order by id`
        })
        const line = { action: leaves, operator: "the console" }
        assert.deepStrictEqual(yield* lines(), [line], path)
        assert.deepStrictEqual(yield* lines(), again ? [line] : [], `${path}, sent again`)
      }
    })
  )
})
