import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { OperatorAddress } from "../../../src/http/operator/server.ts"
import { ask } from "../../support/asked.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
import { ConsoleService, look, send } from "../../support/console.ts"
import { serviceAddress } from "../../support/service.ts"

const aMeeting = Effect.fnUntraced(function* (name: string) {
  yield* putOnRecord(place("springfield"), agency("council", ["springfield"]), meeting(name, "council"))
  return { id: meetingId(name), page: `/meetings/${meetingId(name)}/recording` }
})

/** Asks as the script of the page does. */
const asked = Effect.fnUntraced(function* (
  method: "PATCH" | "POST",
  path: string,
  body?: RequestInit["body"],
  headers: Readonly<Record<string, string>> = {}
) {
  const address = yield* OperatorAddress
  return yield* ask(address + path, { method, headers: { origin: address, ...headers }, body: body ?? null })
})

const beginning = (id: string, form: Readonly<Record<string, string>>) =>
  asked("POST", `/meetings/${id}/uploads`, new URLSearchParams(form))

const adding = (upload: string, offset: number | string, body: Uint8Array<ArrayBuffer>) =>
  asked("PATCH", `/uploads/${upload}`, body, {
    "content-type": "application/octet-stream",
    "upload-offset": String(offset)
  })

layer(ConsoleService)("uploads on the operators' console", (it) => {
  it.effect("take a file piece by piece from operators alone, and keep a line of history", () =>
    Effect.gen(function* () {
      const { id, page } = yield* aMeeting("pieces")
      const db = yield* Db
      const film = { name: "film.mp4", bytes: "10", modified: "1700000000000" }
      const begun = yield* beginning(id, film)
      assert.deepInclude(begun.json(), { meeting: id, received: 0, bytes: 10, next: 10 })
      const upload = String(begun.json().id)
      yield* db`update given_recording set piece_bytes = 100000, bytes = 150000 where id = ${upload}`
      // A piece may be larger than what else is sent to the console.
      const piece = new Uint8Array(100_000)
      const wrong = yield* adding(upload, 5, piece)
      assert.deepStrictEqual([wrong.status, wrong.json().message], [409, "The upload stands at byte 0 of 150000."])
      assert.strictEqual((yield* adding(upload, "x", piece)).status, 422)
      assert.strictEqual((yield* adding(upload, 0, new Uint8Array(100_001))).status, 409)
      assert.deepInclude((yield* adding(upload, 0, piece)).json(), { received: 100_000, next: 50_000 })
      assert.strictEqual((yield* asked("POST", `/uploads/${upload}/finish`)).status, 409)
      assert.include((yield* look(page)).text, "film.mp4")
      assert.deepInclude((yield* adding(upload, 100_000, piece.slice(50_000))).json(), { received: 150_000, next: 0 })
      assert.strictEqual((yield* asked("POST", `/uploads/${upload}/finish`)).status, 200)
      assert.include((yield* look(`/meetings/${id}`)).text, "receive")
      const lines = yield* db<{ operator: string; detail: unknown }>`
        select operator, detail from operator_action where action = 'recording.add'`
      assert.deepStrictEqual(lines, [{ operator: "the console", detail: { file: "film.mp4", bytes: 150_000 } }])

      const evil = { origin: "https://evil.example" }
      assert.strictEqual((yield* asked("PATCH", `/uploads/${upload}`, piece, evil)).status, 403)
      assert.strictEqual((yield* asked("POST", `/meetings/${id}/uploads`, "", evil)).status, 403)
      const base = yield* serviceAddress
      assert.strictEqual((yield* ask(`${base}/uploads/${upload}`, { method: "PATCH" })).status, 404)
    })
  )

  it.effect("are refused with the field that is wrong, discarded, and sent whole by a plain form", () =>
    Effect.gen(function* () {
      const { id, page } = yield* aMeeting("whole")
      const db = yield* Db
      const huge = yield* beginning(id, { name: "a.mp4", bytes: "20000000001", modified: "1" })
      assert.deepStrictEqual(
        [huge.status, huge.json().message],
        [422, "bytes must be at most 20000 MB (setting pipeline.LargestUploadMB)."]
      )
      assert.include((yield* beginning(id, { name: "a/b", bytes: "1", modified: "1" })).json().message, "name must be")
      assert.strictEqual(
        (yield* beginning(id, { name: "a", bytes: "1" })).json().message,
        "modified must be a whole number."
      )
      const gone = yield* beginning(id, { name: "gone.mp4", bytes: "10", modified: "1" })
      const upload = String(gone.json().id)
      assert.include((yield* send(`/uploads/${upload}/discard`)).text, "What had arrived of gone.mp4 is forgotten.")
      assert.strictEqual((yield* adding(upload, 0, new Uint8Array(10))).status, 404)

      assert.include((yield* send(page, { url: "ftp://x" })).text, "address must be an http or https address.")
      assert.include((yield* send(page, { url: "https://city.example.gov/film.mp4" })).text, "is fetched next")

      const form = new FormData()
      form.set("file", new File([new Uint8Array(200_000)], "whole.mp4"))
      const whole = yield* asked("POST", `${page}/file`, form)
      assert.include(whole.text, "whole.mp4 has arrived")
      const [kept] = yield* db`select name, bytes::int as bytes, received::int as received from given_recording
        where finished_at is not null and taken_at is null and meeting_id = ${id}`
      assert.deepStrictEqual(kept, { name: "whole.mp4", bytes: 200_000, received: 200_000 })
      const lines = yield* db`select detail from operator_action where detail ->> 'file' = 'whole.mp4'`
      assert.deepStrictEqual(lines, [{ detail: { file: "whole.mp4", bytes: 200_000 } }])
      const none = new FormData()
      none.set("file", new File([], ""))
      assert.include((yield* asked("POST", `${page}/file`, none)).text, "bytes must be the length of the file.")
    })
  )
})
