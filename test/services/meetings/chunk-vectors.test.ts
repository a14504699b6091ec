import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import fc from "fast-check"
import { tsvectors } from "../../../layers/db/tsvector.ts"
import type { Sql } from "../../../layers/db.ts"
import { Db } from "../../../layers/db.ts"
import { chunkVectors } from "../../../src/services/meetings/chunk-vectors.ts"
import { writtenWords } from "../../../src/services/meetings/written-words.ts"
import { TestDb } from "../../support/database.ts"

/** Words that search takes apart, joins with a neighbor or leaves out, and plain ones between them. */
const words =
  "the Mayor, mayor. don't it's can’t city's Ord. ord Res intro 24-117 0088-2023 $1,450,000.00 5 5, 5th 1.05 1.50 7:00 7:00, am am, a.m. AM pm 7pm p.m. 7am a A I i S t T s' (a) -s 40 I-40 I40 A1 No. no no, No: #12 # #0012 & AT T AT& &T Q&A R & D H.B. HB123 U.S. 990218ZSK x.y end.Next a@b.org http://x.org/y?z=1 /a/b C:\\d \\ ' '' \"q\" <b> < > >> [Music] naïve café ÉCOLE 100% 3/5/2026 12:30:15 -5 +5 1e5 e5 ½ ² .. ... ./x .5 ../y … – — “so” § _x_ x_y zq zzz 0 00 and/or ________ 日本 ٣".split(
    " "
  )
const text = fc.array(
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...words) }, { weight: 1, arbitrary: fc.string() }),
  {
    minLength: 1,
    maxLength: 40
  }
)

/** As a stretch is: words with single spaces between them, without what PostgreSQL cannot store. */
const stretch = text.map((parts) =>
  parts
    .join(" ")
    .replaceAll("\0", "")
    .split(/\s+/)
    .filter((word) => word !== "")
    .join(" ")
)

const vectorsOf = (db: Sql, texts: ReadonlyArray<string>) => {
  const known = writtenWords(db)
  return chunkVectors(
    db,
    known,
    texts.map((text) => text.split(" ").map((word) => known.wordIn(word, 0, word.length)))
  )
}

layer(TestDb)("chunkVectors", (it) => {
  it.effect("makes of any text the vector that search_vector makes of it", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const texts = fc.sample(stretch, 4000)
      const vectors = yield* vectorsOf(db, texts)
      const wrong = yield* db`
        select text, given::text, search_vector(text)::text as made, positions, word_positions(text)
        from unnest(${texts}::text[], ${tsvectors(vectors.map(({ words }) => words))}::tsvector[],
          ${vectors.map(({ positions }) => positions.map((word) => word + 1).join())}::text[]) stretch (text, given, positions)
        where given <> search_vector(text) or positions <> array_to_string(word_positions(text), ',') limit 5`
      assert.deepStrictEqual(wrong, [])
    })
  )

  it.effect("tells of each position the word that it is of, however many a word has", () =>
    Effect.gen(function* () {
      const [vector] = yield* vectorsOf(yield* Db, ["Ord. 24-117 -- and Smith v. I 40 passed"])
      assert.deepStrictEqual(vector?.positions, [0, 1, 1, 3, 4, 5, 6, 6, 7, 8])
    })
  )

  it.effect("asks the database about a word once, and about a stretch whose words may be read together", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const odd = ["a <b and more> c", "x".repeat(200)]
      yield* vectorsOf(db, ["an ordinance of the council"])
      yield* db`alter function search_text rename to away`
      const known = yield* vectorsOf(db, ["ordinance council the of"])
      const unknown = yield* Effect.exit(vectorsOf(db, ["a resolution"]))
      const asked = yield* Effect.exit(vectorsOf(db, odd))
      yield* db`alter function away rename to search_text`
      assert.deepStrictEqual(
        known.map(({ positions }) => positions),
        [[0, 1, 2, 3]]
      )
      assert.isTrue(Exit.isFailure(unknown))
      assert.isTrue(Exit.isFailure(asked))
      assert.deepStrictEqual(
        (yield* vectorsOf(db, odd)).map(({ positions }) => positions),
        [[0, 4], [0]]
      )
    })
  )
})
