import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { meetingsChanged } from "../../../src/services/feed/changed.ts"
import { meetingMerged } from "../../../src/services/feed/meeting-merge.ts"
import { MeetingRemoval } from "../../../src/services/feed/meeting-removal.ts"
import { nobody } from "../../support/actors.ts"
import { ask } from "../../support/asked.ts"
import { agency, agendaItemId, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
import { call, requestOf } from "../../support/call.ts"
import { TestService } from "../../support/service.ts"

const pathOf = (name: string) => `/in/springfield/council/2026-03-10-${meetingId(name).slice(0, 8)}`

const merge = (from: string, into: string) =>
  Effect.flatMap(Db, (db) =>
    db.withTransaction(
      Effect.andThen(meetingMerged(db, meetingId(from), meetingId(into)), meetingsChanged(db, [meetingId(into)]))
    )
  )

layer(Layer.provideMerge(MeetingRemoval.layer, TestService), { excludeTestServices: true })(
  "a merged meeting",
  (it) => {
    it.effect("leads to the other wherever it is named, also when that one is merged, and goes with it", () =>
      Effect.gen(function* () {
        const items = { agenda_items: [], chapters: [] }
        yield* putOnRecord(
          place("springfield"),
          agency("council", ["springfield"], { segment: "council" }),
          meeting("lesser", "council", {
            agenda_items: [{ id: agendaItemId("budget"), title: "Budget" }],
            location: "Room 1"
          }),
          meeting("kept", "council", items),
          meeting("last", "council", items)
        )
        yield* merge("lesser", "kept")
        const api = (name: string) => call("GET", `/api/meetings/${meetingId(name)}`, nobody)
        const answer = yield* api("lesser")
        assert.strictEqual(answer.status, 200)
        assert.deepInclude(JSON.parse(answer.text), { id: meetingId("kept"), location: "Room 1" })
        assert.include(answer.text, "Budget")
        for (const prefix of ["", "/md"]) {
          const { url, init } = yield* requestOf("GET", prefix + pathOf("lesser"))
          const page = yield* ask(url, { ...init, redirect: "manual" })
          assert.deepStrictEqual([page.status, page.headers.get("location")], [308, prefix + pathOf("kept")])
        }
        const listed = yield* call("GET", "/api/meetings/browse?updated_since=2020-01-01T00:00:00Z", nobody)
        assert.deepInclude(JSON.parse(listed.text).removed[0], {
          id: meetingId("lesser"),
          merged_into: meetingId("kept")
        })

        yield* merge("kept", "last")
        assert.deepInclude(JSON.parse((yield* api("lesser")).text), { id: meetingId("last"), location: "Room 1" })
        yield* MeetingRemoval.use(({ remove }) => remove(meetingId("last"), "A mistake."))
        for (const name of ["lesser", "kept", "last"]) {
          const gone = yield* api(name)
          assert.strictEqual(gone.status, 410, name)
          assert.include(gone.text, "A mistake.", name)
        }
      })
    )
  }
)
