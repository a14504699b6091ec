import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Browse } from "../../../src/services/search/browse.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import { agency, meeting, meetingId, place, putOnRecord, said, transcript } from "../../support/builders.ts"
import { Indexed } from "../../support/changing-record.ts"
import { TestDb } from "../../support/database.ts"
import { setupOf } from "../../support/service.ts"

const TestLayer = SearchIndex.layer.pipe(Layer.provideMerge(TestDb), Layer.provideMerge(setupOf({})))

const filler = Array.from({ length: 40 }, (_, at) => `and then somebody talked on about item ${at}`)

/** Each line takes five seconds. */
const meetings: Readonly<Record<string, ReadonlyArray<string>>> = {
  quoted: [...filler, "and so we will pave the", "sidewalk on maple street before school opens", ...filler],
  apart: ["they pave sidewalks", ...filler, "the maple", ...filler, "street and school", ...filler, "the bridge opens"],
  rented: ["short term rentals are a problem here", ...filler],
  voted: ["the motion on the greenway is approved by vote", "greenway"],
  misheard: ["thank you commissioner kincanon"],
  often: Array.from({ length: 150 }, () => "commissioner kincannon and the holt family"),
  again: ["commissioner kincannon is here"]
}

const record = putOnRecord(
  place("marlow"),
  agency("council", ["marlow"]),
  ...Object.entries(meetings).flatMap(([name, lines]) => [
    meeting(name, "council", { date: "2024-03-01" }),
    transcript(name, said([...lines]))
  ])
)

layer(TestLayer, { excludeTestServices: true })("a search that is not what was said", (it) => {
  it.effect("lets go of words, mends, asks and offers, and says so; but not with exact=1", () =>
    Effect.gen(function* () {
      yield* record
      const browse = Context.get(yield* Layer.build(Indexed), Browse)
      const search = Effect.fnUntraced(function* (q: string, exact?: "1") {
        const page = yield* browse.search({ q, ...(exact === undefined ? {} : { exact }) })
        const first = page.meetings[0]
        const name = Object.keys(meetings).find((one) => meetingId(one) === first?.id)
        return { ...page, name, start: first?.matches?.find(({ field }) => field === "transcript")?.start }
      })

      const misquote = "we will pave the sidewalk on maple bridge before school opens"
      const wrong = yield* search(misquote)
      assert.deepStrictEqual([wrong.name, wrong.dropped], ["quoted", ["bridge"]])
      assert.strictEqual(wrong.start, 40 * 5, "where its first word is said, in the caption before")
      assert.strictEqual((yield* search(misquote, "1")).name, "apart")

      const quotation = yield* search('"will pave the sidewalk on elm street"')
      assert.deepStrictEqual(
        [quotation.name, quotation.corrected_query, quotation.dropped],
        ["quoted", "will pave the sidewalk on elm street", ["elm"]]
      )

      const question = yield* search("when did the council vote on the greenway")
      assert.deepStrictEqual([question.name, question.dropped], ["voted", ["council", "vote"]])

      const rented = yield* search("airbnbs")
      assert.deepStrictEqual([rented.name, rented.other_words], ["rented", true])
      assert.deepStrictEqual(rented.also_said, [{ q: '"short term rentals"', total: 1 }])
      assert.strictEqual((yield* search("airbnbs", "1")).total, 0)

      const rare = yield* search("kincanon")
      assert.deepStrictEqual([rare.name, rare.did_you_mean], ["misheard", { q: "kincannon", total: 2 }])
      assert.notProperty(yield* search("kincanon", "1"), "did_you_mean")
      yield* putOnRecord({ type: "person", slug: "marlow-kincanon", place: "marlow", name: "Ada Kincanon" })
      assert.notProperty(yield* search("kincanon"), "did_you_mean", "somebody is called so")
    })
  )
})
