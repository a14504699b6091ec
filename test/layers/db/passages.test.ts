import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { migrate } from "../../../layers/db/migrate.ts"
import { agency, meeting, place, putOnRecord, said, transcript } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"

/** Three blocks of passages, the last of one passage; the words of the second segment are no lexemes. */
const record = [
  place("springfield"),
  agency("council", ["springfield"]),
  meeting("long", "council"),
  transcript(
    "long",
    said(Array.from({ length: 33 * 10 }, (_, at) => (at === 1 ? "the of" : Array(10).fill(`w${at}`).join(" "))))
  ),
  meeting("short", "council"),
  transcript("short", said(["…"]))
]

const whole = Effect.gen(function* () {
  const db = yield* Db
  return yield* db<{ starts: ReadonlyArray<number> }>`
    select meeting_id, position, text, starts, words::text from passage order by meeting_id, position`
})

const stored = Effect.gen(function* () {
  const db = yield* Db
  return [
    yield* db`select meeting_id, position, words::text from passage_vector order by meeting_id, position`,
    yield* db`select * from passage_text order by meeting_id, block`
  ]
})

/** The table as it was before migration 140, with these passages. */
const older = Effect.gen(function* () {
  const db = yield* Db
  yield* db`create temporary table kept as select * from passage`
  yield* db`drop view passage`
  yield* db`drop table passage_vector, passage_text`
  yield* db`create table passage (meeting_id uuid not null references meeting on delete cascade, position int not null,
    text text not null, starts real[] not null, words tsvector not null, primary key (meeting_id, position))`
  yield* db`insert into passage select * from kept`
  yield* db`delete from migration where migration_id = 140`
})

describe("the passages of transcripts", () => {
  it.effect("stay as they are when they are taken apart", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* putOnRecord(...record)
      const before = [yield* whole, yield* stored]
      assert.isAbove(before[0]?.length ?? 0, 33)
      yield* db.withTransaction(older)
      assert.lengthOf(yield* migrate(), 1)
      assert.deepStrictEqual([yield* whole, yield* stored], before)
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("are replaced by a build that knows one table of them", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* putOnRecord(...record)
      const before = yield* stored
      yield* db`create table kept as select * from passage`
      yield* db`delete from passage where meeting_id in (select id from meeting)`
      assert.deepStrictEqual(yield* stored, [[], []])
      yield* db`
        insert into passage (meeting_id, position, text, starts, words)
        select meeting_id, position, text, starts, words from kept order by meeting_id, position`
      assert.deepStrictEqual(yield* stored, before)
    }).pipe(Effect.provide(TestDb))
  )
})
