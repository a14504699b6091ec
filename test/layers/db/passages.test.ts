import { globSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { migrate, newestMigration } from "../../../layers/db/migrate.ts"
import { agency, meeting, place, putOnRecord, said, transcript } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"

/** A block of passages and one passage more; the words of the second segment are no lexemes. */
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
  return yield* db`
    select meeting_id, block, words::text[] as words, texts, starts, ends from passage_block order by meeting_id, block`
})

/** The passages in temporary tables as build 140 had them: words by passage, texts in blocks of sixteen. */
const copied = Effect.gen(function* () {
  const db = yield* Db
  yield* db`create temporary table vectors as select meeting_id, position, words from passage_vector`
  yield* db`
    create temporary table texts as
    select meeting_id, sixteen as block, array_agg(text order by position) as texts,
      array(select s.second from passage q cross join unnest(q.starts) with ordinality s (second, at)
        where q.meeting_id = p.meeting_id and (q.position - 1) / 16 = p.sixteen order by q.position, s.at) as starts,
      array_agg(counted order by position) as ends
    from (
      select *, sum(cardinality(starts)) over (partition by meeting_id, sixteen order by position)::int as counted
      from (select *, (position - 1) / 16 as sixteen from passage) numbered
    ) p
    group by 1, 2`
})

/** The schema as it was before migration 141, with these passages. */
const older = Effect.gen(function* () {
  const db = yield* Db
  yield* copied
  yield* db`drop view passage, passage_vector, passage_text`
  yield* db`drop table passage_block`
  yield* db`drop function passage_lexemes(tsvector[])`
  yield* db`create table passage_vector (meeting_id uuid not null references meeting on delete cascade,
    position int not null, words tsvector not null, primary key (meeting_id, position))`
  yield* db`create table passage_text (meeting_id uuid not null references meeting on delete cascade,
    block int not null, texts text[] not null, starts real[] not null, ends int[] not null,
    primary key (meeting_id, block))`
  yield* db`insert into passage_vector select * from vectors`
  yield* db`insert into passage_text select * from texts`
  yield* db`create view passage as select * from passage_vector`
  yield* db`drop index transcript_by_rows`
  yield* db`drop table word_neighbor, neighbor_turn`
  yield* db`delete from migration where migration_id >= 141`
})

describe("the passages of transcripts", () => {
  it.effect("stay as they are when they are put into blocks", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* putOnRecord(...record)
      const before = [yield* whole, yield* stored]
      assert.deepStrictEqual([before[0]?.length, before[1]?.length], [34, 3])
      yield* db.withTransaction(older)
      const ran = (yield* migrate()).map(([id]) => id)
      assert.deepStrictEqual(ran, Arr.range(141, newestMigration()))
      assert.deepStrictEqual([yield* whole, yield* stored], before)
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("are replaced by build 140, which has words apart from texts", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* putOnRecord(...record)
      const before = yield* stored
      yield* copied
      yield* db`delete from passage_vector where meeting_id in (select id from meeting)`
      yield* db`delete from passage_text where meeting_id in (select id from meeting)`
      assert.deepStrictEqual(yield* stored, [])
      yield* db`
        insert into passage_vector (meeting_id, position, words)
        select meeting_id, position, words from vectors order by meeting_id, position`
      yield* db`
        insert into passage_text (meeting_id, block, texts, starts, ends)
        select meeting_id, block, texts, starts, ends from texts`
      assert.deepStrictEqual(yield* stored, before)
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("with a phrase are in the blocks with its words in any order", () =>
    Effect.gen(function* () {
      const db = yield* Db
      for (const text of ["quarry road", "24-117 bond", "o'brien isn't", "the of", "köln straße"]) {
        const [row] = yield* db<{ within: boolean; order: boolean }>`
          select search_vector(${text}) @@ search_phrase(${text}) as order,
            passage_lexemes(array[search_vector('x'), search_vector(${text})]) @@ loosened(search_phrase(${text}))
              as within`
        assert.strictEqual(row?.within, row?.order, text)
        assert.strictEqual(row?.within, text !== "the of")
      }
      const [mixed] = yield* db<{ query: string }>`
        select loosened('a <-> (b | c) <3> d & (e <-> f | g)'::tsquery)::text as query`
      assert.strictEqual(mixed?.query, "'a' & ( 'b' | 'c' ) & 'd' & ( 'e' & 'f' | 'g' )")
    }).pipe(Effect.provide(TestDb))
  )

  it("are read by meeting or by block, or looked for through the index of blocks", () => {
    const root = path.join(import.meta.dirname, "../../../src")
    const reads = globSync("**/*.ts", { cwd: root }).flatMap((file) =>
      [...readFileSync(path.join(root, file), "utf8").matchAll(/(?:from|join) passage(?:_vector)? .{0,160}/gs)].map(
        ([read]) => `${file}: ${read}`
      )
    )
    assert.isAbove(reads.length, 8)
    // A view of all passages unpacks the whole record.
    assert.deepStrictEqual(
      reads.filter((read) => !/\bblock\b|meeting_id = /.test(read)),
      []
    )
  })
})
