import { createHash } from "node:crypto"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import { fingerprint } from "../../src/record/write/entity.ts"
import { passagesOf, plainWord } from "../../src/services/meetings/passages.ts"
import { meeting, said, transcript } from "../support/builders.ts"
import { deployment, directory, importPath, writeLines } from "./importing.ts"

/** A transcript of this many segments of ten words each, with no word in common. */
const long = (segments: number) =>
  transcript("long", said(Array.from({ length: segments }, (_, at) => Array(10).fill(`w${at}`).join(" "))))

describe("a long transcript", () => {
  it.live("is indexed a few passages per statement, as one list", () =>
    Effect.gen(function* () {
      const { folder, on } = yield* deployment
      const rows = yield* on(
        Effect.gen(function* () {
          const db = yield* Db
          yield* db`create table statement_size (rows int not null)`
          yield* db`
            create function note_size() returns trigger language plpgsql as $$
            begin
              insert into statement_size select count(*)::int from added;
              return null;
            end $$`
          yield* db`
            create trigger note_size after insert on passage_block referencing new table as added
            for each statement execute function note_size()`
          const file = path.join(folder, "long.ndjson")
          const { notices } = yield* importPath(
            writeLines(file, [...directory, meeting("long", "council"), long(5010)])
          )
          assert.deepStrictEqual(notices, [])
          assert.deepStrictEqual(
            (yield* db<{ rows: number }>`select rows from statement_size`).map(({ rows }) => rows),
            [7, 7, 2]
          )
          return yield* db<{ position: number; text: string; starts: ReadonlyArray<number> }>`
            select position, text, starts from passage order by position`
        })
      )
      assert.deepStrictEqual(
        rows.map(({ position }) => position),
        Array.from({ length: 501 }, (_, at) => at + 1)
      )
      // A passage repeats twelve words of the one before.
      const second = rows[1]?.text.split(" ") ?? []
      assert.deepStrictEqual([second.length, second[0], second[2], second.at(-1)], [112, "w8", "w9", "w19"])
      // A letter and a number are two positions of the vector.
      assert.deepStrictEqual([rows[1]?.starts.length, rows[1]?.starts[23], rows[1]?.starts[24]], [224, 45, 50])
    })
  )

  it("is cut into passages lazily, as it is iterated", () => {
    let walked = 0
    const segments = long(1000).segments.map((segment) => ({
      ...segment,
      get text() {
        walked++
        return segment.text
      }
    }))
    const passages = passagesOf(segments, plainWord)[Symbol.iterator]()
    passages.next()
    assert.strictEqual(walked, 10)
  })

  it("has the fingerprint of its JSON, even though that is made in pieces", () => {
    const entity = long(2500)
    const { segments } = entity
    assert.strictEqual(fingerprint({ ...entity, segments: [...segments] }), fingerprint(entity))
    assert.notStrictEqual(fingerprint({ ...entity, segments: segments.slice(0, -1) }), fingerprint(entity))
    const whole = JSON.stringify(Object.entries(entity).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    assert.strictEqual(fingerprint(entity), createHash("sha256").update("1").update(whole).digest("base64url"))
  })

  it.live("with one bad segment is skipped, and the report names it", () =>
    Effect.gen(function* () {
      const { folder, on } = yield* deployment
      const { segments, ...rest } = long(3)
      const bad = (segment: unknown) => ({ ...rest, segments: [...segments, segment] })
      const { notices } = yield* on(
        importPath(
          writeLines(path.join(folder, "bad.ndjson"), [
            ...directory,
            meeting("long", "council"),
            bad({ start: -1, end: 2, text: "a" }),
            bad("a"),
            { ...rest, segments: "a" }
          ])
        )
      )
      assert.deepStrictEqual(notices, [
        "rejected 4 segments.3.start: must be a value greater than or equal to 0",
        "rejected 5 segments.3: must be an object",
        "rejected 6 segments: must be a list"
      ])
    })
  )
})
