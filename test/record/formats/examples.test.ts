import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Asked, eachItem, itemsOf, noticesOf, tally, those } from "./reading.ts"

const examples = "docs/examples"

/** The place, which Legistar's responses leave out. */
const marlow = { place: "Marlow", state: "IL", county: "Tamarack County" }

interface Example {
  readonly path: string
  /** The format that it is recognized as; undefined for a folder that is read file by file. */
  readonly as: string | undefined
  readonly counts: Readonly<Record<string, number>>
  readonly facts?: Asked["facts"]
}

const bundle = { place: 1, agency: 1, meeting: 1, "transcript refined": 1, briefing: 1, claims: 1, clip: 1 }
const manifest = {
  place: 2,
  agency: 3,
  meeting: 4,
  "transcript refined": 2,
  "transcript raw": 1,
  Repeated: 1,
  Warning: 1
}
const recording = { place: 1, agency: 1, meeting: 1, "transcript refined": 1 }
const raw = { place: 1, agency: 1, meeting: 1, "transcript raw": 1 }
const places = { place: 3, Warning: 1 }

const read: ReadonlyArray<Example> = [
  { path: "bundle", as: "bundle", counts: bundle },
  { path: "bundle/record.ndjson", as: "bundle", counts: bundle },
  { path: "manifest", as: "manifest", counts: manifest },
  { path: "manifest/meetings.ndjson", as: "manifest", counts: manifest },
  {
    path: "manifest/captions/city-council-2026-03-10.vtt",
    as: "captions",
    counts: { ...recording, "transcript raw": 1 },
    facts: { ...marlow, body: "City Council", date: "2026-03-10" }
  },
  {
    path: "manifest/captions/county-board-2026-03-17.srt",
    as: "captions",
    counts: recording,
    facts: { ...marlow, body: "County Board", date: "2026-03-17" }
  },
  {
    path: "legistar-events.ndjson",
    as: "legistar",
    counts: { place: 1, agency: 2, meeting: 3, Warning: 1 },
    facts: marlow
  },
  { path: "legistar-api", as: undefined, counts: { place: 1, agency: 1, meeting: 1 }, facts: marlow },
  { path: "legistar-api/events.json", as: "legistar", counts: { place: 1, agency: 1, meeting: 1 }, facts: marlow },
  { path: "legistar-api/event_77_items.json", as: "legistar", counts: { Rejected: 1 }, facts: marlow },
  { path: "cdp", as: undefined, counts: { ...recording, "transcript raw": 1 } },
  { path: "cdp/ground-truth.json", as: "cdp", counts: recording },
  { path: "cdp/gsr.json", as: "cdp", counts: raw, facts: { date: "2022-04-05" } },
  { path: "whisper", as: undefined, counts: raw },
  { path: "whisper/board.whisperx.json", as: "whisper", counts: raw },
  { path: "captions", as: undefined, counts: recording },
  { path: "captions/workshop.vtt", as: "captions", counts: recording },
  { path: "agendas.json", as: "agendas", counts: { place: 1, agency: 1, meeting: 1 } },
  { path: "places", as: undefined, counts: places },
  { path: "places/us_census_places.csv", as: "places", counts: places }
]

const at = (path: string) => `${examples}/${path}`

describe("the examples", () => {
  for (const { path, as, counts, facts = {} } of read) {
    it.effect(`${path} is read ${as === undefined ? "file by file" : `as ${as}`}, whole`, () =>
      Effect.gen(function* () {
        const found = tally()
        assert.strictEqual(yield* eachItem(at(path), { facts }, found.take), as)
        assert.deepStrictEqual(found.counts, counts)
      })
    )
  }
})

describe("the meaning of an example", () => {
  it.effect("bundle: a transcript with its timed words, and a sentence with the claim it makes", () =>
    Effect.gen(function* () {
      const items = yield* itemsOf(at("bundle"))
      const [transcript] = those(items, "transcript")
      assert.deepStrictEqual(transcript?.segments[0], {
        start: 0.4,
        end: 3.1,
        speaker: "Mayor Ansel Pruitt",
        text: "Good evening, everyone.",
        words: [
          { start: 0.4, end: 0.7, text: "Good" },
          { start: 0.7, end: 1.2, text: "evening," },
          { start: 1.2, end: 1.9, text: "everyone." }
        ]
      })
      assert.isUndefined(transcript?.segments[1]?.words)
      const sentence = those(items, "briefing")[0]?.topics[0]?.sentences[0]
      assert.strictEqual(sentence?.claim, those(items, "claims")[0]?.claims[0]?.id)
    })
  )

  it.effect(
    "manifest: of two rows the richer one, stutter folded in the refined transcript and kept in the raw one",
    () =>
      Effect.gen(function* () {
        const items = yield* itemsOf(at("manifest"))
        const [council] = those(items, "meeting")
        assert.deepInclude(council, {
          agency: "marlow-city-council",
          title: "City Council 260310",
          source_url: "https://video.example/marlow-260310",
          timezone: "America/Chicago",
          status: "held"
        })
        const of = (version: string) =>
          those(items, "transcript").find((one) => one.meeting_id === council?.id && one.version === version)
        assert.deepStrictEqual(of("refined")?.segments, [
          {
            start: 1,
            end: 4,
            speaker: "Mayor Ansel Pruitt",
            text: "Good evening, and welcome & thank you for coming."
          },
          { start: 4, end: 6, text: "Madam clerk, please call the roll." },
          { start: 6, end: 14, text: "Thank you." },
          { start: 14, end: 19.5, text: "First is the easement for the Mill Creek greenway." }
        ])
        assert.strictEqual(of("raw")?.segments.length, 7)
        assert.deepStrictEqual(
          those(items, "agency").map(({ slug, places }) => [slug, places]),
          [
            ["marlow-city-council", ["marlow"]],
            ["tamarack-county-board", ["tamarack-county"]],
            ["marlow-tamarack-county-planning-commission", ["tamarack-county", "marlow"]]
          ]
        )
        assert.deepStrictEqual(noticesOf(items), [
          "Repeated 1: repeats the meeting of line 2, which says as much or more",
          'Warning 5 date: is missing; 2026-04-07 is read from the title "Planning Apr 0726 Workshop"'
        ])
      })
  )

  it.effect("legistar: one renamed body, a joint meeting, one cancelled by its text, and one at an unknown time", () =>
    Effect.gen(function* () {
      const items = yield* itemsOf(at("legistar-events.ndjson"), { facts: marlow })
      assert.deepStrictEqual(
        those(items, "agency").map(({ slug, name, retired_slugs }) => [slug, name, retired_slugs]),
        [
          ["marlow-city-council", "Marlow City Council", undefined],
          [
            "marlow-committee-on-streets-and-sidewalks",
            "Committee on Streets and Sidewalks",
            ["marlow-committee-on-streets"]
          ]
        ]
      )
      assert.deepStrictEqual(
        those(items, "meeting").map(({ title, date, starts_at, status }) => [title, date, starts_at, status]),
        [
          ["Marlow City Council Meeting", "2019-05-07", "2019-05-07T23:30:00Z", "held"],
          [
            "Committee on Streets and Sidewalks Meeting, jointly with the Committee on Finance",
            "2019-05-14",
            "2019-05-14T22:00:00Z",
            "held"
          ],
          ["Committee on Streets and Sidewalks: Cancelled Due To Snow", "2020-01-14", undefined, "cancelled"]
        ]
      )
      const [roll, ordinance] = those(items, "meeting")[0]?.agenda_items ?? []
      assert.strictEqual(roll?.title, "Roll Call")
      assert.deepInclude(ordinance, {
        number: "ORD 19-11",
        title: "Rezoning, Halyard Road",
        description:
          "An ordinance to rezone 14 acres at Halyard Road from agricultural to general business. The Planning Commission recommends approval.",
        outcome: "Adopted by Council: Pass"
      })
      assert.deepStrictEqual(noticesOf(items), ['Warning 3 Items: 3 have no text; each is kept as "Item"'])
    })
  )

  it.effect("legistar, from the Web API: a local time beside the date, and items in a file of their own", () =>
    Effect.gen(function* () {
      const [meeting] = those(yield* itemsOf(at("legistar-api"), { facts: marlow }), "meeting")
      assert.strictEqual(meeting?.starts_at, "2021-07-12T23:30:00Z")
      assert.deepStrictEqual(
        meeting?.agenda_items.map(({ number, title, description }) => [number, title, description]),
        [["1.", "Capital budget, first look", "6:30 p.m. to 7:00 p.m."]]
      )
    })
  )

  it.effect("legistar: items whose event is in none of the files are reported, not dropped silently", () =>
    Effect.gen(function* () {
      const items = yield* itemsOf(at("legistar-api/event_77_items.json"), { facts: marlow })
      assert.deepStrictEqual(noticesOf(items), [
        "Rejected 1 EventItemEventId: event 77 is in none of the files beside it"
      ])
    })
  )

  it.effect("legistar without a place: names the flags that supply it", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(itemsOf(at("legistar-events.ndjson")))
      assert.match(
        message,
        /^docs\/examples\/legistar-events\.ndjson: .* do not name their place; give it with --place and --state/
      )
    })
  )

  it.effect("cdp: the corrected transcript and the recognizer's own, each with its word times", () =>
    Effect.gen(function* () {
      const items = yield* itemsOf(at("cdp"))
      assert.deepInclude(those(items, "meeting")[0], {
        agency: "marlow-city-council",
        title: "Special Session",
        date: "2022-04-05",
        starts_at: "2022-04-05T23:30:00Z"
      })
      assert.deepStrictEqual(
        those(items, "transcript").map(({ version, generator, segments }) => [version, generator, segments]),
        [
          [
            "refined",
            "CDP WebVTT Conversion",
            [
              {
                start: 2,
                end: 4.5,
                text: "The council convenes.",
                words: [
                  { start: 2, end: 2.6, text: "the" },
                  { start: 2.6, end: 3.2, text: "council" },
                  { start: 3.2, end: 4.5, text: "convenes" }
                ]
              }
            ]
          ],
          [
            "raw",
            "A recognizer",
            [
              {
                start: 2.1,
                end: 4.4,
                text: "The counsel.",
                words: [
                  { start: 2.1, end: 2.5, text: "the" },
                  { start: 2.5, end: 4.4, text: "counsel" }
                ]
              }
            ]
          ]
        ]
      )
    })
  )

  it.effect("whisper: an unaligned word stays in the text, without an invented time", () =>
    Effect.gen(function* () {
      const [transcript] = those(yield* itemsOf(at("whisper")), "transcript")
      const [first, second] = transcript?.segments ?? []
      assert.strictEqual(first?.speaker, "SPEAKER_01")
      assert.strictEqual(first?.text, "Item 13 is the bus contract.")
      assert.deepStrictEqual(
        first?.words?.map(({ text, start }) => [text, start]),
        [
          ["Item", 0.3],
          ["is", 1.1],
          ["the", 1.3],
          ["bus", 1.5],
          ["contract.", 1.9]
        ]
      )
      assert.deepStrictEqual(second, { start: 4, end: 5, text: "2026." })
    })
  )

  it.effect("captions: the meeting described by `<name>.meeting.json`", () =>
    Effect.gen(function* () {
      const items = yield* itemsOf(at("captions"))
      assert.deepInclude(those(items, "meeting")[0], {
        agency: "marlow-city-council",
        title: "Workshop",
        date: "2026-01-20",
        status: "held"
      })
      assert.deepStrictEqual(those(items, "transcript")[0]?.segments, [
        { start: 1, end: 3.5, text: "Let us begin the workshop." }
      ])
    })
  )

  it.effect("agendas: the items in their order, with their outcomes", () =>
    Effect.gen(function* () {
      const [meeting] = those(yield* itemsOf(at("agendas.json")), "meeting")
      assert.deepInclude(meeting, {
        starts_at: "2026-04-14T23:30:00Z",
        agenda_url: "https://marlow.example/agendas/2026-04-14.pdf"
      })
      assert.deepStrictEqual(
        meeting?.agenda_items.map(({ id: _, ...item }) => item),
        [
          { number: "1", title: "Minutes of March 10", outcome: "Approved" },
          {
            number: "2",
            title: "Beer permit, Halyard Tap",
            description: "A new on-premises permit at 12 Halyard Road."
          }
        ]
      )
    })
  )

  it.effect("places: counties, cities and a town within its county, and no district", () =>
    Effect.gen(function* () {
      const items = yield* itemsOf(at("places"))
      assert.deepStrictEqual(
        those(items, "place").map(({ slug, name, kind, county }) => [slug, name, kind, county]),
        [
          ["tamarack-county-il", "Tamarack County", "county", "Tamarack County"],
          ["lake-tamarack-county-il", "Lake Township", "city", "Tamarack County"],
          ["marlow-il", "Marlow", "city", undefined]
        ]
      )
      assert.deepStrictEqual(noticesOf(items), [
        "Warning 5: 1 rows from here on are districts, which are not places of their own"
      ])
    })
  )
})

describe("a source that cannot be read", () => {
  it.effect("is named, with the fault and the next step", () =>
    Effect.gen(function* () {
      const complaint = (path: string, asked?: Asked) => Effect.map(Effect.flip(itemsOf(path, asked)), String)
      assert.match(yield* complaint("docs/examples/nowhere.vtt"), /docs\/examples\/nowhere\.vtt: does not exist/)
      assert.match(
        yield* complaint("package.json"),
        /package\.json: is in no known format: it looks like JSON of a shape that is not known; [^;]+; say which with --format: bundle, manifest/
      )
    })
  )
})
