import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import fc from "fast-check"
import type { Sql } from "../../../layers/db/db.ts"
import { Db } from "../../../layers/db/db.ts"
import { tsvectors } from "../../../layers/db/tsvector.ts"
import { passageVectors } from "../../../src/services/meetings/passage-vectors.ts"
import { passagesOf, plainWord } from "../../../src/services/meetings/passages.ts"
import { writtenWords } from "../../../src/services/meetings/written-words.ts"
import { TestDb } from "../../support/database.ts"
import { areThere, realTranscripts } from "../../support/real-transcripts.ts"

/** Words that search splits, joins with a neighbor or ignores, and plain ones between them. */
const words =
  "the Mayor, mayor. don't it's can’t city's Ord. ord Res intro 24-117 0088-2023 $1,450,000.00 5 5, 5th 1.05 1.50 7:00 7:00, am am, a.m. AM pm 7pm p.m. 7am a A I i S t T s' (a) -s 40 I-40 I40 A1 No. no no, No: #12 # #0012 & AT T AT& &T Q&A R & D H.B. HB123 U.S. 990218ZSK x.y end.Next a@b.org http://x.org/y?z=1 /a/b C:\\d \\ ' '' \"q\" <b> < > >> [Music] naïve café ÉCOLE 100% 3/5/2026 12:30:15 -5 +5 1e5 e5 ½ ² .. ... ./x .5 ../y … – — “so” § _x_ x_y zq zzz 0 00 and/or ________ 日本 ٣".split(
    " "
  )
/** Accents that stand alone, letters that fold to several, digits and blanks that a parser does not accept as such. */
const odd =
  "e\u0301a\u0308 \u0301 İstanbul ıİ ẞtraße ﬁscal ǆ Ⅷ ①② ٣٤ ½th x² １２３ ａｂｃ \u200bzero\u200bwidth soft\u00adhyphen \u0085next a\u0085b no\u2060break \u202eabc 👩\u200d👩\u200d👧 🇺🇸 𝒜𝒷 𐐀𐐁 \ud7ff\ue000 日本語 한국어 ไทย עברית العربية हिन्दी Ω≈ç √2 x\u0000 \u001fa".split(
    " "
  )

/** As in a passage: words with single spaces between them, without characters that PostgreSQL cannot store. */
const passageOf = (others: fc.Arbitrary<string>) =>
  fc
    .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...words) }, { weight: 1, arbitrary: others }), {
      minLength: 1,
      maxLength: 40
    })
    .map((parts) =>
      parts
        .join(" ")
        .replaceAll("\0", "")
        .toWellFormed()
        .split(/\s+/)
        .filter((word) => word !== "")
        .join(" ")
    )

const vectorsOf = (db: Sql, texts: ReadonlyArray<string>) => {
  const known = writtenWords(db)
  return passageVectors(
    db,
    known,
    texts.map((text) => ({ words: text.split(" ").map((word) => known.wordAt(word, 0)), text, vector: undefined }))
  )
}

/** The texts for which the process makes another vector, or other positions, than PostgreSQL: none. */
const wronglyRead = Effect.fnUntraced(function* (db: Sql, texts: ReadonlyArray<string>) {
  const vectors = yield* vectorsOf(db, texts)
  return yield* db`
    select text, given::text, search_vector(text)::text as made, positions, word_positions(text)
    from unnest(${texts}::text[], ${tsvectors(vectors.map(({ words }) => words))}::tsvector[],
      ${vectors.map(({ positions }) => positions.map((word) => word + 1).join())}::text[]) passage (text, given, positions)
    where given <> search_vector(text) or positions <> array_to_string(word_positions(text), ',') limit 5`
})

layer(TestDb)("passageVectors", (it) => {
  it.effect("makes the same vector of any text as search_vector", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* wronglyRead(yield* Db, fc.sample(passageOf(fc.string()), 4000)), [])
    })
  )

  it.effect("makes it of characters of any script, and of those in no script", () =>
    Effect.gen(function* () {
      const character = fc.oneof(fc.string({ unit: "binary", minLength: 1, maxLength: 6 }), fc.constantFrom(...odd))
      assert.deepStrictEqual(yield* wronglyRead(yield* Db, fc.sample(passageOf(character), 3000)), [])
    })
  )

  it.effect("reads dots at the beginning of a text as PostgreSQL does, which leaves them out elsewhere", () =>
    Effect.gen(function* () {
      const texts = [".. passed", "passed ..", "passed .. ../y", "../y passed", "./x .. 7", "No. .. 8"]
      assert.deepStrictEqual(yield* wronglyRead(yield* Db, texts), [])
    })
  )

  if (!areThere) it("needs ../shared/data", ({ skip }) => skip("../shared/data is not there"))
  else {
    it.effect("makes it of speech in real meetings", () =>
      Effect.gen(function* () {
        let seen = 0
        const meetings = yield* Effect.promise(() => realTranscripts(() => seen++ % 250 === 0))
        assert.isAbove(meetings.size, 5)
        for (const said of meetings.values()) {
          const passages = passagesOf(said, plainWord)
          const texts = [...passages].map(({ words }) => words.map(({ text }) => text).join(" "))
          assert.deepStrictEqual(yield* wronglyRead(yield* Db, texts), [])
        }
      })
    )
  }

  it.effect("maps each position to its word, however many a word has", () =>
    Effect.gen(function* () {
      const [vector] = yield* vectorsOf(yield* Db, ["Ord. 24-117 -- and Smith v. I 40 passed"])
      assert.deepStrictEqual(vector?.positions, [0, 1, 1, 3, 4, 5, 6, 6, 7, 8])
    })
  )

  it.effect("looks a word up in the database once, and a passage if its words may be read together", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const odd = ["a <b and more> c", "x".repeat(200)]
      yield* vectorsOf(db, ["an ordinance of the council"])
      yield* db`alter function search_text rename to away`
      const known = yield* vectorsOf(db, ["ordinance council the of"])
      const unknown = yield* Effect.exit(vectorsOf(db, ["a quokkamole"]))
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
