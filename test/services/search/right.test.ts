import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { BundleMeeting } from "../../../schema/bundle.ts"
import { Browse } from "../../../src/services/search/browse.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import {
  agency,
  agendaItemId,
  meeting,
  meetingId,
  place,
  putOnRecord,
  said,
  transcript
} from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"
import { TestEnvironment } from "../../support/environment.ts"

/** Sentences of eight words, five seconds each, around the words that a test is about. */
const filler = (count: number) =>
  Array.from({ length: count }, (_, at) => `and then somebody talked on about item ${at}`)

const council = (name: string, date: string, over: Partial<BundleMeeting> = {}) =>
  meeting(name, "marlow-council", { date, ...over })

const item = (name: string, over: Omit<BundleMeeting["agenda_items"][number], "id">) => ({
  id: agendaItemId(name),
  ...over
})

const record = putOnRecord(
  place("marlow", { county: "Knox County" }),
  agency("marlow-council", ["marlow"]),
  council("introduced", "2023-01-10", {
    agenda_items: [
      item("a", { number: "Int 0117-2023", title: "A local law on greenways", outcome: "Introduced by Council" })
    ]
  }),
  council("passed", "2023-06-20", {
    agenda_items: [item("b", { number: "Int 0117-2023", title: "A local law on greenways", outcome: "Approved" })]
  }),
  council("mentioned", "2024-02-01", {
    agenda_items: [item("c", { title: "Parks report", description: "Progress under Int. No. 117-2023" })]
  }),
  council("said", "2024-03-01"),
  transcript(
    "said",
    said([
      ...filler(20),
      "the bid was $1,450,000 for sidewalk repairs",
      ...filler(60),
      "call it at 7 p.m. on I-40",
      ...filler(60),
      "again sidewalk repairs",
      "and sidewalk repairs once more"
    ])
  ),
  council("apart", "2024-04-01"),
  transcript("apart", said(["the sidewalk is broken", ...filler(8), "and repairs are due"])),
  council("titled", "2020-01-01", { title: "Workshop on annexation" }),
  council("spoken", "2024-05-01"),
  transcript(
    "spoken",
    said(["annexation annexation", ...filler(30), "annexation", "Mayor Kincannon voted for rezoning"])
  ),
  council("typed", "2024-05-03"),
  transcript(
    "typed",
    said([
      "must changed policies",
      ...filler(30),
      "our policies will have to be changed",
      ...filler(30),
      "policies must be changed"
    ])
  ),
  council("alike", "2024-05-01"),
  transcript("alike", [
    ...said(["Commissioner Kay Wood", ...filler(30), "thank you Kaye Wood for that"]),
    { start: 170, end: 172, speaker: "Kay Wood", text: "here" }
  ]),
  council("typed otherwise", "2009-05-04"),
  transcript(
    "typed otherwise",
    said(["companies are coming in", "a company that comes in", "companies coming upon in companies came in"])
  ),
  council("typed so", "2008-05-04"),
  transcript("typed so", said([...filler(20), "there are companies coming in", "Mr. O'Brien asked for 5G"])),
  agency("marlow-council-committee", ["marlow"], { name: "Marlow Council Committee" }),
  meeting("committee", "marlow-council-committee", { date: "2011-01-01" }),
  transcript("committee", said(["a stormwater drain"])),
  council("named", "2024-05-02"),
  transcript("named", [{ start: 3, end: 5, speaker: "Ada Marsh", text: "the stormwater fee" }])
)

const TestLayer = Layer.effectDiscard(record).pipe(
  Layer.provideMerge(Browse.layer.pipe(Layer.provide(SearchIndex.none))),
  Layer.provideMerge(TestDb),
  Layer.provide(TestEnvironment)
)

layer(TestLayer)("a search", (it) => {
  const search = Effect.fnUntraced(function* (q: string, exact?: "1") {
    const page = yield* Browse.use((browse) => browse.search({ q, ...(exact === undefined ? {} : { exact }) }))
    return { ...page, ids: page.meetings.map(({ id }) => id) }
  })
  const names = (...all: ReadonlyArray<string>) => all.map(meetingId)
  const moments = (page: Effect.Success<ReturnType<typeof search>>) =>
    page.meetings[0]?.matches?.flatMap(({ field, start }) => (field === "transcript" ? [start] : []))

  it.effect(
    "finds names of laws as people write them, the meeting that introduces first, one that mentions it last",
    () =>
      Effect.gen(function* () {
        for (const q of ["Int 0117-2023", "intro 117-2023", "Int. No. 117-2023", "Introduction 117 2023"]) {
          assert.deepStrictEqual((yield* search(q)).ids, names("introduced", "passed", "mentioned"), q)
        }
        assert.deepStrictEqual((yield* search("117-2023 -report")).ids, names("introduced", "passed"))
        assert.deepStrictEqual((yield* search("2023-117")).ids, [])
        assert.deepStrictEqual((yield* search("greenways -117-2023")).ids, [])
      })
  )

  it.effect("finds sums, hours and roads at the second they are spoken, in any notation", () =>
    Effect.gen(function* () {
      for (const q of ["$1,450,000", "1450000", "$1,450,000.00", "$1.45 million", "1.45 million dollars", "$1.45M"])
        assert.deepStrictEqual(moments(yield* search(q)), [100], q)
      for (const q of ["7pm", "7:00 p.m.", '"7 pm on I40"']) assert.deepStrictEqual(moments(yield* search(q)), [405], q)
    })
  )

  it.effect("shows first where the words are spoken as typed, with stop words between them or not", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(moments(yield* search("policies must be changed"))?.[0], 310)
    })
  )

  it.effect("finds first on a page the query letter for letter, and last its other forms", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* search('"companies coming in"')).ids, names("typed so", "typed otherwise"))
    })
  )

  it.effect("finds names and marks of people and networks, joined or not", () =>
    Effect.gen(function* () {
      for (const q of ["OBrien", "O'Brien", "O’Brien", "5G", "5 G", '"for 5 g"', "“asked for 5G”"]) {
        const page = yield* search(q)
        assert.deepStrictEqual([page.ids, page.corrected_query], [names("typed so"), undefined], q)
      }
      assert.strictEqual((yield* search("obrien")).corrected_query, "o'brien")
    })
  )

  it.effect("finds speakers without their title, and a body by its whole name, by parts of it or misspelled", () =>
    Effect.gen(function* () {
      for (const q of ['speaker:"Mayor Marsh"', "speaker: marsh", 'speaker:"Marsh, Ada"', 'speaker:"Ms. Marsh"']) {
        assert.deepStrictEqual((yield* search(q)).ids, names("named"), q)
      }
      const bodies = [
        ['body:"Marlow Council"', ["named"]],
        ['body:"the Council of Marlow"', ["named"]],
        ["body:marlow", ["named", "committee"]],
        ['body:"marlow comm"', ["committee"]],
        ['body:"Marlow Council Cmte."', ["committee"]],
        ['body:"marlow comittee"', ["committee"], 'stormwater body:"marlow committee"']
      ] as const
      for (const [q, found, corrected] of bodies) {
        const page = yield* search(`stormwater ${q}`)
        assert.sameMembers([...page.ids], names(...found), q)
        assert.strictEqual(page.corrected_query, corrected, q)
      }
      // Letters that become marks without their accents are not part of the query's own syntax.
      for (const q of ["body:ʼn", 'body:"½ ŉ"', 'speaker:"ʼn & !"']) assert.strictEqual((yield* search(q)).total, 0, q)
      assert.strictEqual((yield* search("speaker:Marshe")).corrected_query, 'speaker:"Marsh"')
    })
  )

  it.effect("shows the spoken name above another with the same stem", () =>
    Effect.gen(function* () {
      for (const q of ['"Kaye Wood"', "kaye wood"]) assert.deepStrictEqual(moments(yield* search(q))?.[0], 155, q)
      assert.deepStrictEqual(moments(yield* search('"Kay Wood"'))?.[0], 0)
      const spoke = (page: Effect.Success<ReturnType<typeof search>>) =>
        page.meetings[0]?.matches?.some(({ field }) => field === "speaker")
      assert.isTrue(spoke(yield* search('"Kay Wood"')))
      assert.isFalse(spoke(yield* search('"Kaye Wood"')))
    })
  )

  it.effect("returns a speaker by some of the words only if the query has no others", () =>
    Effect.gen(function* () {
      const fields = (page: Effect.Success<ReturnType<typeof search>>) =>
        page.meetings[0]?.matches?.map(({ field }) => field)
      assert.deepStrictEqual(fields(yield* search("marsh stormwater")), ["transcript"])
      assert.deepStrictEqual(fields(yield* search("ada marsh")), ["speaker"])
    })
  )

  it.effect("ranks adjacent words above scattered ones, and shows separate moments, none twice", () =>
    Effect.gen(function* () {
      const page = yield* search("sidewalk repairs")
      assert.deepStrictEqual(page.ids, names("said", "apart"))
      assert.deepStrictEqual(
        moments(page)?.toSorted((a = 0, b = 0) => a - b),
        [100, 710]
      )
    })
  )

  it.effect("ranks a title above speech, and the newest first if all else is equal", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* search("annexation")).ids, names("titled", "spoken"))
      assert.deepStrictEqual((yield* search("marlow")).ids.slice(0, 2), names("typed", "named"))
    })
  )

  it.effect("corrects misspelled words to words of the record, says so, and lets the reader decline", () =>
    Effect.gen(function* () {
      const mends = [
        ["greenwey", "greenways"],
        ["sidewalk reparis", "sidewalk repairs"],
        ["Kincanon", "Kincannon"],
        ["stormwatter", "stormwater"],
        ["marlwo council", "marlow council"],
        ["Ada Marsch", "Ada Marsh"],
        ['"sidewalk reparis"', '"sidewalk repairs"']
      ]
      for (const [q = "", corrected] of mends) {
        const page = yield* search(q)
        assert.strictEqual(page.corrected_query, corrected)
        assert.isAbove(page.total, 0)
        assert.strictEqual((yield* search(q, "1")).total, 0)
      }
    })
  )

  it.effect("finds a misspelled word that has the stem of the right one without correcting it", () =>
    Effect.gen(function* () {
      const page = yield* search("rezonning")
      assert.deepStrictEqual(page.ids, names("spoken"))
      assert.isUndefined(page.corrected_query)
    })
  )

  it.effect(
    "leaves words that any meeting contains, and corrects nothing into words that no meeting contains together",
    () =>
      Effect.gen(function* () {
        // Each is in a meeting, and no meeting has all; "bid" is one letter from "did" and occurs once. A quoted name
        // is meant literally.
        assert.isUndefined((yield* search("kincannon stormwater")).corrected_query)
        assert.isUndefined((yield* search("bid")).corrected_query)
        assert.isUndefined((yield* search("kincanon stormwater")).corrected_query)
        assert.isUndefined((yield* search('"Kay Wode"')).corrected_query)
        assert.isUndefined((yield* search("xyzzyplugh")).corrected_query)
      })
  )
})
