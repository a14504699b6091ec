import { spawn } from "node:child_process"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Db } from "../../layers/db/db.ts"
import { segmentsFrom } from "../../src/services/meetings/packed-segments.ts"
import { addFlows } from "../../src/services/queue/add-flows.ts"
import { ableModel } from "../support/able-model.ts"
import { agency, meeting, meetingId, place, putOnRecord, transcript } from "../support/builders.ts"
import { databaseAt, freshDatabase } from "../support/database.ts"
import { behaviours, startModelServer, twoModelsAt } from "../support/model-server.ts"
import { eventually, scratch } from "../support/rendering.ts"

const program = path.join(import.meta.dirname, "..", "..", "src", "main.ts")

const worker = (env: Readonly<Record<string, string | undefined>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, [program, "worker", "--lanes", "model"], {
        env,
        stdio: ["ignore", "ignore", "inherit"]
      })
      return { child, ended: new Promise<number | null>((resolve) => child.on("exit", resolve)) }
    }),
    ({ child, ended }) =>
      Effect.promise(() => {
        child.kill("SIGKILL")
        return ended
      })
  )

/** Two pieces of refining and part of a third. */
const segments = Array.from({ length: 300 }, (_, at) => ({
  ...{ start: at * 5, end: at * 5 + 5 },
  text: `this is line number ${at} and it says nothing else that anybody would want to read`
}))

describe("a worker that is killed in the middle of a stage", () => {
  it.live(
    "leaves the results it has paid for: another one requests only the rest, and the result is whole",
    () =>
      Effect.gen(function* () {
        const [url, model, folder] = [yield* freshDatabase, yield* startModelServer, yield* scratch]
        const env = {
          ...{ PATH: process.env.PATH, DATABASE_URL: Redacted.value(url), DATA_DIR: folder },
          ...twoModelsAt(model.url)
        }
        const refines = behaviours.byName({ refine: ableModel.refine })
        // The second piece is requested, and never answered.
        model.plan(refines, behaviours.silent, refines)
        yield* Effect.gen(function* () {
          const db = yield* Db
          yield* putOnRecord(
            place("springfield"),
            agency("council", ["springfield"]),
            meeting("one", "council"),
            transcript("one", segments, { version: "raw" })
          )
          yield* db.withTransaction(addFlows(db, "meeting", [{ meeting_id: meetingId("one") }], "refine"))
          const first = yield* worker(env)
          yield* eventually(Effect.sync(() => (model.requests.length === 2 ? true : undefined)))
          first.child.kill("SIGKILL")
          yield* Effect.promise(() => first.ended)
          assert.lengthOf(yield* db`select from stage_piece`, 1)

          yield* worker(env)
          const done = db`select from task where stage = 'refine' and state = 'done'`
          yield* eventually(Effect.map(done, (rows) => (rows.length === 1 ? true : undefined)))
          const asked = model.requests
            .filter(({ body }) => body.response_format.json_schema.name === "refine")
            .map(({ body }) => /^(\d+) \[/m.exec(body.messages.at(-1)?.content ?? "")?.[1])
          // The first piece was answered and is not requested again; the second was not.
          assert.strictEqual(asked.filter((line) => line === asked[0]).length, 1)
          assert.strictEqual(asked.filter((line) => line === asked[1]).length, 2)
          const [refined] = yield* db<{ segments: Uint8Array }>`
            select segments from transcript where version = 'refined'`
          assert.deepStrictEqual(
            (yield* segmentsFrom(refined?.segments ?? new Uint8Array())).map(({ text }) => text),
            segments.map(({ text }) => `T${text.slice(1)}.`)
          )
          assert.lengthOf(
            yield* db`select from stage_piece p join task t on t.id = p.task_id where t.stage = 'refine'`,
            0
          )
        }).pipe(Effect.provide(databaseAt(url)))
      }),
    300_000
  )
})
