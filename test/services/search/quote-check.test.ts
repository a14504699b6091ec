import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { AccountId } from "../../../schema/primitives.ts"
import { anonymous, type Viewer } from "../../../schema/viewer.ts"
import { Transcripts } from "../../../src/services/meetings/transcripts.ts"
import { QuoteChecks } from "../../../src/services/search/quotes/quote-check.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import { agency, documentId, meeting, meetingId, place, putOnRecord, said, transcript } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"
import { TestEnvironment } from "../../support/environment.ts"
import { setupOf } from "../../support/service.ts"

const filler = (seed: string) =>
  Array.from(
    { length: 60 },
    (_, at) => `and then the clerk called ${seed} item number ${at} on the agenda this evening`
  )

/** Sentences of a meeting, each with a word that can be misheard and what it is taken for. */
const sentences: ReadonlyArray<readonly [sentence: string, word: string, misheard: string]> = [
  ["we will not approve the storage permit until the drainage study is complete", "drainage", "drainages"],
  ["the contractor was paid 45000 dollars for the pedestrian bridge repairs", "repairs", "repair"],
  ["residents have not been told about the closure of the northern landfill", "closure", "closer"],
  ["our reserve covers 17 weeks of payroll and nothing more than that", "payroll", "payrolls"],
  ["the orchard parcel should never have been rezoned for warehouse storage", "parcel", "parcels"],
  ["this ordinance limits short term rentals to 90 nights in any calendar year", "rentals", "rental"],
  ["I do not believe the traffic consultant counted the school buses at all", "consultant", "consultants"],
  ["staff expects the water main replacement to take 14 months and two winters", "replacement", "replacements"]
]

/** Meetings whose minutes have every sentence, which nobody says there. */
const printed = Array.from({ length: 7 }, (_, at) => `printed ${at}`)

const record = Effect.fnUntraced(function* () {
  yield* putOnRecord(
    place("springfield"),
    place("decatur"),
    agency("council", ["springfield"]),
    agency("schools", ["decatur"]),
    meeting("storage", "council", { date: "2026-03-10" }),
    meeting("other", "council", { date: "2026-02-10" }),
    meeting("silent", "council", { date: "2026-01-10" }),
    meeting("school", "schools", { date: "2025-03-10" }),
    transcript(
      "storage",
      said([...filler("first"), ...sentences.flatMap(([sentence]) => [sentence, ...filler("next").slice(0, 6)])]).map(
        (segment) => ({ ...segment, speaker: "Ada Marsh" })
      )
    ),
    transcript("other", said([...filler("other"), "the drainage study and the storage permit are on the table"])),
    ...printed.flatMap((name) => [
      meeting(name, "council", { date: "2026-04-10" }),
      transcript(name, said(filler(name))),
      {
        type: "document" as const,
        meeting_id: meetingId(name),
        id: documentId(name),
        kind: "minutes" as const,
        title: "Minutes",
        media_type: "application/pdf",
        fetched_at: "2026-05-01T00:00:00.000Z",
        pages: [{ text: sentences.map(([sentence]) => sentence).join(". ") }]
      }
    ]),
    transcript("school", said([...filler("school"), "the bus drivers asked for a later first bell in the fall"]))
  )
})

const TestLayer = Layer.effectDiscard(record()).pipe(
  Layer.provideMerge(QuoteChecks.layer.pipe(Layer.provide([SearchIndex.none, Transcripts.layer]))),
  Layer.provideMerge(TestDb),
  Layer.provide(TestEnvironment)
)

const reader: Viewer = { _tag: "Reader", accountId: AccountId.make("5d0c3c8e-95a0-4b5c-9d9e-2f6c5b0f7a11") }

const check = (text: string, more: object = {}, viewer = anonymous) =>
  Effect.flatMap(QuoteChecks, (quotes) => quotes.check({ text, ...more }, viewer))

layer(TestLayer)("a quote check", (it) => {
  it.effect("finds every quote as it was said, at the second of its first word", () =>
    Effect.gen(function* () {
      for (const [at, [sentence]] of sentences.entries()) {
        const { verdict, hits } = yield* check(sentence)
        assert.strictEqual(verdict, "exact", sentence)
        assert.strictEqual(hits[0]?.meeting.id, meetingId("storage"))
        assert.strictEqual(hits[0]?.start, (60 + at * 7) * 5, sentence)
        const middle = yield* check(sentence.split(" ").slice(2, 9).join(" ").toUpperCase())
        assert.strictEqual(middle.verdict, "exact", sentence)
      }
    })
  )

  it.effect("calls a misheard word nearly, and a changed number or negation never more than parts", () =>
    Effect.gen(function* () {
      for (const [sentence, word, misheard] of sentences) {
        assert.strictEqual((yield* check(sentence.replace(word, misheard))).verdict, "nearly", misheard)
        const changed = sentence.replace(/\d+/, (number) => String(Number(number) + 10)).replace(/\bnever |\bnot /, "")
        assert.notStrictEqual(changed, sentence)
        const { verdict, hits } = yield* check(changed)
        assert.strictEqual(verdict, "parts", changed)
        assert.strictEqual(hits[0]?.meeting.id, meetingId("storage"), changed)
      }
    })
  )

  it.effect("says where it looked when it finds nothing, and never that it was not said", () =>
    Effect.gen(function* () {
      for (const invented of [
        "the mayor sold the stadium to her cousin for one dollar",
        "nobody here has ever read the comprehensive plan before tonight",
        "zyzzyva quokka wombat narwhal platypus axolotl"
      ]) {
        const { verdict, hits, coverage, hint } = yield* check(invented, { place_slug: "springfield" })
        assert.strictEqual(verdict, "not_found", invented)
        assert.deepStrictEqual(hits, [])
        assert.deepInclude(coverage, { meetings_searched: 9, bodies: 1, without_transcript: 1 })
        assert.include(hint, "of 1 body; 1 meeting of that time has no transcript")
      }
    })
  )

  it.effect("finds the right one of many places with the same words", () =>
    Effect.gen(function* () {
      const { verdict, hits } = yield* check("on the agenda this evening our reserve covers 17 weeks")
      assert.strictEqual(verdict, "exact")
      assert.strictEqual(hits[0]?.meeting.id, meetingId("storage"))
      const motion = "called next item number 4 on the agenda this evening and then the clerk called next item number 5"
      assert.deepInclude((yield* check(motion)).hits[0] ?? {}, { exact: true })
    })
  )

  it.effect("finds what hardly has any words but stop words, and a long quote with one misheard in it", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* check("of payroll and nothing more than that")).verdict, "exact")
      const [[first]] = [sentences[0] ?? [""]]
      const long = `${first} ${filler("next").slice(0, 3).join(" ")}`
      assert.strictEqual((yield* check(long)).verdict, "exact")
      assert.strictEqual((yield* check(long.replace("drainage", "grainage"))).verdict, "nearly")
    })
  )

  it.effect("keeps to the bounds and the speaker", () =>
    Effect.gen(function* () {
      const [[sentence]] = [sentences[0] ?? ["", "", ""]]
      assert.strictEqual((yield* check(sentence, { agency_slug: "schools" })).verdict, "not_found")
      assert.strictEqual((yield* check(sentence, { to: "2026-03-09" })).verdict === "exact", false)
      assert.strictEqual((yield* check(sentence, { from: "2026-03-10", speaker: "marsh" })).verdict, "exact")
      assert.strictEqual((yield* check(sentence, { speaker: "Ben Ochoa" })).verdict, "not_found")
    })
  )

  it.effect("tells the words, the speaker and the likeness to readers alone", () =>
    Effect.gen(function* () {
      const text = "we will approve the storage permit until the drainage study is complete"
      const [told] = (yield* check(text)).hits
      assert.notProperty(told, "similarity")
      assert.notProperty(told, "words")
      assert.notProperty(told, "speaker")
      const [read] = (yield* check(text, {}, reader)).hits
      assert.strictEqual(read?.speaker, "Ada Marsh")
      assert.strictEqual(read?.similarity, 0.92)
      assert.deepInclude(read?.words ?? [], { said: "not", how: "added" })
      const holder: Viewer = { _tag: "ShareHolder", meetingId: meetingId("other") }
      assert.notProperty((yield* check(text, {}, holder)).hits[0], "words")
    })
  )
})

const indexed = Effect.andThen(
  record(),
  Effect.flatMap(SearchIndex, ({ state }) =>
    Effect.repeat(state, {
      until: ({ documents, behind }) => documents > 0 && behind === 0,
      schedule: Schedule.spaced("50 millis")
    })
  )
)

const WithIndex = Layer.effectDiscard(indexed).pipe(
  Layer.provideMerge(QuoteChecks.layer.pipe(Layer.provide(Transcripts.layer))),
  Layer.provideMerge(SearchIndex.layer),
  Layer.provideMerge(TestDb),
  Layer.provide(setupOf({}))
)

layer(WithIndex, { excludeTestServices: true })("a quote check by the search index", (it) => {
  it.effect("finds and tells apart the same", () =>
    Effect.gen(function* () {
      for (const [sentence, word, misheard] of sentences) {
        assert.strictEqual((yield* check(sentence)).verdict, "exact", sentence)
        assert.strictEqual((yield* check(sentence.replace(word, misheard))).verdict, "nearly", misheard)
        assert.strictEqual((yield* check(sentence, { agency_slug: "schools" })).verdict, "not_found", sentence)
      }
      assert.strictEqual((yield* check("nobody mentioned any purple elephant")).verdict, "not_found")
    })
  )
})
