import fc from "fast-check"
import type { Conjunction, IndexQuery, Phrase } from "../../src/search-engine/types.ts"
import { type IndexRow, indexRow } from "./copy-rows.ts"

/** Few words, so that queries meet documents; the first two are stop words to `vectorOf`. */
const words = ["the", "of", "water", "main", "city", "council", "budget", "naïve", "路"]
const lexemes = [...words.slice(2), "unheard"]

/** The keys of bodies in random records. The last one is far beyond the others. */
export const bodyKeys = [0, 1, 2, 3, 70]
const days = { min: 8_000, max: 9_500 }

const idOf = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`

const text = (maxLength: number) => fc.array(fc.constantFrom(...words), { maxLength }).map((some) => some.join(" "))

export const meetingId = (most: number) => fc.integer({ min: 0, max: most - 1 }).map(idOf)

const rowOf = (id: string) =>
  fc
    .record({
      body: fc.constantFrom(...bodyKeys),
      // Many on one day, so that ids decide.
      day: fc.oneof(fc.integer(days), fc.constantFrom(8_100, 8_101)),
      title: text(4),
      items: text(6),
      said: fc.array(text(8), { maxLength: 3 }),
      read: fc.array(text(8), { maxLength: 2 })
    })
    .map(({ body, day, ...texts }) => indexRow({ id, body, day }, texts))

/** Meetings with distinct ids out of the first `most`. */
export const rows = (most: number, maxLength: number): fc.Arbitrary<ReadonlyArray<IndexRow>> =>
  fc.uniqueArray(meetingId(most), { maxLength }).chain((ids) => fc.tuple(...ids.map(rowOf)))

const phrase: fc.Arbitrary<Phrase> = fc
  .array(fc.tuple(fc.constantFrom(...lexemes.slice(0, 5)), fc.integer({ min: 1, max: 2 })), { maxLength: 3 })
  .map((placed) =>
    placed.map(([lexeme], i) => ({ lexeme, at: placed.slice(0, i + 1).reduce((at, [, gap]) => at + gap, 0) }))
  )

const some = <A>(one: fc.Arbitrary<A>, maxLength: number) => fc.array(one, { maxLength })
const flags = fc.array(fc.constantFrom(0, 1), { maxLength: 72, minLength: 2 }).map((all) => Uint8Array.from(all))

const conjunction = (most: number): fc.Arbitrary<Conjunction> =>
  fc.record(
    {
      lexemes: some(fc.constantFrom(...lexemes), 2),
      marks: some(fc.constantFrom(...lexemes), 2),
      phrases: some(phrase, 1),
      notWords: some(some(fc.constantFrom(...lexemes), 2), 2),
      notPhrases: some(phrase, 1),
      bodies: flags,
      fromDay: fc.integer(days),
      beforeDay: fc.integer(days),
      ids: some(some(meetingId(most), 30), 1),
      notIds: some(some(meetingId(most), 5), 2)
    },
    { requiredKeys: [] }
  )

export const query = (most: number): fc.Arbitrary<IndexQuery> =>
  fc.record({ either: fc.array(conjunction(most), { maxLength: 3 }) })

export const filters = fc.record(
  { bodies: flags, years: fc.uniqueArray(fc.integer({ min: 2021, max: 2026 }), { maxLength: 4 }) },
  { requiredKeys: [] }
)
