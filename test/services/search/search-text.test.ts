import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { Db } from "../../../layers/db/db.ts"
import { saysAny } from "../../../src/services/search/query/search-sql.ts"
import { TestDb } from "../../support/database.ts"

/** Spellings of the same thing: a text with one is found by each of the others. */
const alike = [
  ["Ordinance No. 24-117", "Ord. 24-117", "ord 24-117", "ordinance #24-117", "Ordinance 24 117"],
  ["Res 0088-2023", "Res. No. 88-2023", "Resolution 88-2023", "reso 0088-2023"],
  ["Int. No. 0012-2018", "intro 12-2018", "Introduction 12-2018"],
  ["$1,450,000", "1450000", "$1,450,000.00", "$1450000"],
  ["on-street parking", "on street parking", "On–Street parking"],
  ["Q&A", "q & a"],
  ["AT&T", "AT & T"],
  ["7 p.m.", "7 pm", "7pm", "7:00 P.M."],
  ["7 a.m.", "7 am", "7am", "7:00 A.M."],
  ["H.B. 123", "HB123", "HB 0123", "hb-123"],
  ["I-40", "I40", "I 40"],
  ["990218 ZSK", "990218ZSK"],
  ["COVID-19", "Covid19", "covid 19"],
  ["U.S.A.", "USA"]
]

/** Spellings of different things. */
const apart = [
  ["24-117", "24-118"],
  ["Res 88", "Ordinance 88"],
  ["1.05", "1.5"],
  ["I-40", "I-75"],
  ["$1,450,000", "$1,450,001"],
  ["7 p.m.", "7 a.m."],
  ["AT&T", "R&D"]
]

/** Words as people write them, most of them containing something that search spells differently. */
const pieces =
  "Ordinance No. 24-117 Ord. Res Res. 0088-2023 $1,450,000.00 on-street Q&A AT & T me you 7 p.m. 7pm a.m. am 7:00 I-40 I 40 I40 a A1 5 HB123 H.B. #12 U.S.A. 990218ZSK Covid-19 yes no 0 00 1.05 12:30 and/or § 12-3 city’s don't R&D greenway 3/5/2026 St. x.y 100% (see) “quoted” –"
const text = fc.array(fc.constantFrom(...pieces.split(" ")), { minLength: 1, maxLength: 12 })

layer(TestDb)("search_text", (it) => {
  it.effect("spells equal things the same way, in texts and in queries", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const pairs = alike.flatMap((spellings) => spellings.flatMap((a) => spellings.map((b) => [a, b] as const)))
      const missed = yield* db<{ text: string; query: string }>`
        select text, query
        from unnest(${pairs.map(([a]) => `before ${a} after`)}::text[], ${pairs.map(([, b]) => b)}::text[]) pair (text, query)
        where not search_vector(text) @@ search_phrase(query)`
      assert.deepStrictEqual(missed, [])
    })
  )

  it.effect("keeps different things apart", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const mixed = yield* db<{ a: string; b: string }>`
        select a, b from unnest(${apart.map(([a]) => a ?? "")}::text[], ${apart.map(([, b]) => b ?? "")}::text[]) pair (a, b)
        where search_vector(a) @@ search_phrase(b)`
      assert.deepStrictEqual(mixed, [])
    })
  )

  it.effect("lets a text be found by each of its words and phrases as they are in it", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const sampled = fc
        .sample(fc.tuple(text, fc.nat(), fc.nat()), 1500)
        .map(([words, from, length]): readonly [string, string] => {
          const first = from % words.length
          return [words.join(" "), words.slice(first, first + 1 + (length % 4)).join(" ")]
        })
      const parts = [...sampled, ["yes or & R&D me", "R&D"], ["A & B & C & D", "B & C"]] as const
      const lost = yield* db<{ text: string; part: string }>`
        select text, part from unnest(${parts.map(([whole]) => whole)}::text[], ${parts.map(([, part]) => part)}::text[]) given (text, part)
        where numnode(search_phrase(part)) > 0
          and not (search_vector(text) @@ search_phrase(part) and search_vector(text) @@ search_words(part))`
      assert.deepStrictEqual(lost, [])
    })
  )

  it.effect("keeps a word on its line, so that its moment can be found", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const texts = fc.sample(text, 500).map((words) => words.join("\n"))
      const moved = yield* db<{ text: string }>`
        select text from unnest(${texts}::text[]) given (text)
        where array_length(string_to_array(search_text(text), chr(10)), 1) <> array_length(string_to_array(text, chr(10)), 1)
          or to_tsvector('public.civic', search_text(text)) <> search_vector(replace(text, chr(10), ' '))`
      assert.deepStrictEqual(moved, [])
    })
  )
})

layer(TestDb)("saysAny", (it) => {
  it.effect("recognizes a text with the words as typed, whatever marks are between them", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const said = [
        ["The City Council, which met", "city council"],
        ["city — council", "“City” Council!"],
        ["O’Brien's PARK.", "o'brien’s park"],
        ["100% (one_hundred) percent", "100 one hundred"],
        ["Élan Vital", "élan vital"],
        ["a.b", "a (b"],
        ["north, then south", "east west", "then south"]
      ] as const
      const otherwise = [
        ["the cities' council", "city council"],
        ["city councils", "city council"],
        ["a velocity council", "city council"],
        ["city of council", "city council"],
        ["council city", "city council"],
        ["Elan Vital", "élan vital"],
        ["", "city council"]
      ] as const
      for (const [text, ...typed] of [...said, ...otherwise]) {
        const [row] = yield* db<{ says: boolean }>`select ${saysAny(db, db`${text}::text`, typed)} as says`
        assert.strictEqual(
          row?.says,
          said.some(([one]) => one === text),
          text
        )
      }
      const [none] = yield* db<{ says: boolean }>`select ${saysAny(db, db`null::text`, ["city council"])} as says`
      assert.strictEqual(none?.says, false)
    })
  )
})
