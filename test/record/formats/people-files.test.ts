import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { scratch } from "../../support/rendering.ts"
import { zipped } from "../../support/zipped.ts"
import { eachItem, itemsOf, noticesOf, those } from "./reading.ts"

const meeting = {
  ...{ body: "Marlow City Council", place: "Marlow", state: "IL", county: "Tamarack County" },
  date: "2026-02-10"
}

/** Who says what, when. */
const saidIn = Effect.fnUntraced(function* (file: string, facts: object = {}) {
  const items = yield* itemsOf(file, { facts })
  const [transcript] = those(items, "transcript")
  return (transcript?.segments ?? []).map(({ start, end, speaker, text }) =>
    speaker === undefined ? [start, end, text] : [start, end, text, speaker]
  )
})

const example = (file: string) => `docs/examples/${file}`

/** The text of a file of a name, with facts of its meeting. */
const written = Effect.fnUntraced(function* (name: string, content: string | Uint8Array) {
  const file = path.join(yield* scratch, name)
  fs.writeFileSync(file, content)
  return file
})

const two = (first: string | undefined, second: string | undefined) => [
  [1, 2.6, "The bridge is closed.", ...(first === undefined ? [] : [first])],
  [2.9, 3.6, "Until when?", ...(second === undefined ? [] : [second])]
]

describe("the JSON of a speech service", () => {
  for (const [file, as, said] of [
    [
      "youtube.json3",
      "speech",
      [
        [1, 3.01, "the bridge is"],
        [3.01, 5.51, "closed until May"]
      ]
    ],
    ["assemblyai.json", "speech", two("Speaker A", "Speaker B")],
    ["deepgram.json", "speech", two("Speaker 0", "Speaker 1")],
    ["amazon.json", "speech", two("spk_0", "spk_1")],
    ["google.json", "speech", two("Speaker 1", "Speaker 2")],
    ["azure.json", "speech", two("Speaker 1", "Speaker 2")],
    ["whisper-cpp.json", "speech", two(undefined, undefined)],
    ["podcast.json", "speech", two("Mayor Pruitt", "Iris Calder")],
    ["openai-diarized.json", "whisper", two("A", "Reporter")]
  ] as const) {
    it.effect(`${file} is recognized, with its seconds and voices`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* eachItem(example(`speech/${file}`), {}, () => undefined), as)
        assert.deepStrictEqual(yield* saidIn(example(`speech/${file}`)), said)
      })
    )
  }

  it.effect("keeps the times of its words, and says which service it was", () =>
    Effect.gen(function* () {
      const [transcript] = those(yield* itemsOf(example("speech/amazon.json")), "transcript")
      assert.deepInclude(transcript, { version: "raw", generator: "Amazon Transcribe", language: "en-US" })
      assert.deepStrictEqual(transcript?.segments[0]?.words?.at(-1), { start: 2, end: 2.6, text: "closed." })
    })
  )

  it.effect("is recognized when the beginning does not show the end, and in a compressed file", () =>
    Effect.gen(function* () {
      const words = Array.from({ length: 3000 }, (_, at) => ({ word: "so", start: at, end: at + 0.5, confidence: 0.5 }))
      const long = {
        metadata: { request_id: "a", channels: 1 },
        results: { channels: [{ alternatives: [{ words }] }] }
      }
      const file = yield* written("long.json", JSON.stringify(long))
      assert.strictEqual(yield* eachItem(file, { facts: meeting }, () => undefined), "speech")
      const { gzipSync } = yield* Effect.promise(() => import("node:zlib"))
      const packed = yield* written("deepgram.json.gz", gzipSync(fs.readFileSync(example("speech/deepgram.json"))))
      assert.deepStrictEqual(yield* saidIn(packed, meeting), two("Speaker 0", "Speaker 1"))
    })
  )

  it.effect("puts times in order, and leaves out those of no meeting", () =>
    Effect.gen(function* () {
      const segments = [
        { startTime: 9, endTime: 10, body: "Third." },
        { startTime: -5, endTime: 1, body: "First." },
        { startTime: 5, endTime: 2, body: "Second." },
        { startTime: 1e12, endTime: 1e12, body: "Never." }
      ]
      const file = yield* written("odd.json", JSON.stringify({ version: "1.0.0", segments }))
      const items = yield* itemsOf(file, { facts: meeting })
      assert.deepStrictEqual(
        those(items, "transcript")[0]?.segments.map(({ start, end, text }) => [start, end, text]),
        [
          [0, 1, "First."],
          [5, 5, "Second."],
          [9, 10, "Third."]
        ]
      )
      assert.deepStrictEqual(noticesOf(items), ["Warning 1: 1 lines are at no time of a meeting; they are left out"])
    })
  )
})

describe("captions of other forms", () => {
  const closed = "The bridge is closed, as it was."
  for (const [file, said] of [
    [
      "council.sbv",
      [
        [1, 2.6, closed],
        [2.9, 3.6, "Until when?"]
      ]
    ],
    [
      "council.ttml",
      [
        [1, 2.6, closed, "Mayor Pruitt"],
        [2.88, 3.6, "Until when?"]
      ]
    ],
    [
      "council.ass",
      [
        [1, 2.6, closed, "Mayor Pruitt"],
        [2.9, 3.6, "Until when?"]
      ]
    ],
    [
      "council.scc",
      [
        [2, 3.501, closed],
        [4.2, 5.501, "Until when?"],
        [5.634, 6.634, "Until May."]
      ]
    ],
    [
      "youtube.srv3",
      [
        [1, 3.01, "the bridge is"],
        [3.01, 5.51, "closed until May '26"]
      ]
    ],
    [
      "youtube.srv1",
      [
        [1, 2.6, "The bridge is closed"],
        [2.9, 3.6, "It's closed, we're told"]
      ]
    ]
  ] as const) {
    it.effect(`${file} is read, with the times of its cues`, () =>
      Effect.gen(function* () {
        const found: ReadonlyArray<unknown> = yield* saidIn(example(`captions-more/${file}`))
        assert.deepStrictEqual(found, said)
      })
    )
  }

  it.effect("are recognized by how they begin, in UTF-16 or Latin-1, too", () =>
    Effect.gen(function* () {
      const sbv = "0:00:01.000,0:00:02.600\nThe café is closed.\n"
      const wide = yield* written("a.txt", Buffer.from(`\uFEFF${sbv}`, "utf16le"))
      assert.deepStrictEqual(yield* saidIn(wide, meeting), [[1, 2.6, "The café is closed."]])
      const latin = yield* written("b.sbv", Buffer.from(sbv, "latin1"))
      assert.deepStrictEqual(yield* saidIn(latin, meeting), [[1, 2.6, "The café is closed."]])
      const ttml = fs.readFileSync(example("captions-more/council.ttml"), "utf8")
      const xml = yield* written("c.xml", ttml)
      assert.strictEqual(yield* eachItem(xml, { facts: meeting }, () => undefined), "captions")
    })
  )

  it.effect("grow by none of their own entities, and end where they are no XML", () =>
    Effect.gen(function* () {
      const lol = Array.from({ length: 12 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join("")
      const bomb = `<?xml version="1.0"?><!DOCTYPE tt [<!ENTITY l0 "lol">${lol}]>
        <tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="2s">&l12; said</p></div></body></tt>`
      assert.deepStrictEqual(yield* saidIn(yield* written("bomb.ttml", bomb), meeting), [[1, 2, "&l12; said"]])
      const outside = `<!DOCTYPE tt [<!ENTITY x SYSTEM "file:///etc/passwd">]>
        <tt><body><p begin="1s" end="2s">&x; said</p></body></tt>`
      assert.deepStrictEqual(yield* saidIn(yield* written("x.ttml", outside), meeting), [[1, 2, "&x; said"]])
      const deep = `<tt>${"<div>".repeat(100_000)}`
      const broken = `<tt><body><p begin="1s" end="2s">Said</p><p begin="3s"`
      assert.deepStrictEqual(noticesOf(yield* itemsOf(yield* written("d.ttml", deep), { facts: meeting })), [
        "Warning 1: 1 unreadable cues are left out",
        "Rejected 1: has no words"
      ])
      assert.deepStrictEqual(yield* saidIn(yield* written("e.ttml", broken), meeting), [[1, 2, "Said"]])
    })
  )
})

describe("a transcript that people wrote", () => {
  const said = [
    [1, 5, "The bridge is closed, as it was.", "MAYOR PRUITT"],
    [5, 7, "Until when?", "Iris Calder"]
  ]

  it.effect("as text or Word has the time of each turn, and who speaks", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* saidIn(example("text/council.txt")), [...said, [8, 10, "(inaudible)"]])
      assert.deepStrictEqual(yield* saidIn(example("text/council.docx")), [
        [1, 5, "The bridge is closed, as it was.", "Mayor Pruitt"],
        [5, 7, "Until when?", "Iris Calder"],
        [8, 10, "Until May.", "Mayor Pruitt"]
      ])
    })
  )

  it.effect("may be written in other ways; minutes and plain text are not taken for one", () =>
    Effect.gen(function* () {
      for (const text of [
        "0:01 - 0:02 Mayor Pruitt: The bridge is closed.\n0:05 - 0:06 Iris Calder: Until when?\n0:09 - 0:10 Mayor: May.\n",
        "00:00:01,000\tTHE BRIDGE\n00:00:05,000\tIS CLOSED\n00:00:09,500\tUNTIL MAY\n",
        "00:00:01\nMayor Pruitt: The bridge\n\n00:00:05\nIris Calder: When?\n\n00:00:09\nMayor: May.\n"
      ]) {
        const found = yield* saidIn(yield* written("a.txt", text), meeting)
        assert.deepStrictEqual(found.length, 3, text)
        assert.strictEqual(found[1]?.[0], 5)
      }
      const minutes =
        "The meeting was called to order at 6:30 p.m.\n6:35 p.m. Roll call\n6:40 PM Item 1\n7:01 PM Adjourned\n"
      const failure = yield* Effect.flip(itemsOf(yield* written("minutes.txt", minutes), { facts: meeting }))
      assert.match(String(failure), /looks like text without times; a transcript has one before each turn/)
    })
  )

  it.effect("in a document that is too large, or none, is reported", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(itemsOf(yield* written("a.docx", "PK no zip"), { facts: meeting }))
      assert.match(String(failure), /a\.docx: cannot be opened: .*; save it again, or as text/)
      const { notices, bomb } = yield* Effect.gen(function* () {
        const file = yield* written("bomb.docx", yield* zipped("word/document.xml", Buffer.alloc(70_000_000, 0x20)))
        return { bomb: fs.statSync(file).size, notices: yield* Effect.flip(itemsOf(file, { facts: meeting })) }
      })
      assert.isBelow(bomb, 200_000)
      assert.match(String(notices), /its part word\/document\.xml is too large/)
    })
  )
})

describe("a list of meetings", () => {
  const meetingsIn = Effect.fnUntraced(function* (file: string, facts: object = {}) {
    return those(yield* itemsOf(file, { facts }), "meeting").map(({ agency, title, date, starts_at, status }) => [
      ...[agency, title, date, starts_at, status]
    ])
  })
  const council = "marlow-city-council"

  it.effect("as CSV or Excel has its meetings, with their hours and what is cancelled", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* meetingsIn(example("table/meetings.csv")), [
        [council, "Regular Meeting", "2026-02-10", "2026-02-11T00:30:00Z", "held"],
        [council, 'Budget "Workshop"', "2026-03-03", "2026-03-04T00:30:00Z", "cancelled"]
      ])
      assert.deepStrictEqual(yield* meetingsIn(example("table/park-board.xlsx")), [
        ["marlow-park-board", "Regular Meeting", "2026-02-10", "2026-02-11T00:30:00Z", "held"]
      ])
    })
  )

  it.effect("has its columns guessed, shown, and read only when they are confirmed", () =>
    Effect.gen(function* () {
      const csv = "Date;Board;Subject\n10.02.2026;City Council;Regular\n31/31/2026;City Council;Never\n"
      const file = yield* written("list.csv", csv)
      const facts = { place: "Marlow", state: "IL" }
      const guess = "date=Date; body=Board; title=Subject"
      assert.deepStrictEqual(noticesOf(yield* itemsOf(file, { facts })), [
        `Rejected 1 columns: are guessed, and nothing is imported until you confirm them: --columns "${guess}", or as "columns" in meeting.json beside it`
      ])
      const items = yield* itemsOf(file, { facts: { ...facts, columns: guess } })
      assert.strictEqual(those(items, "meeting").length, 1)
      assert.match(noticesOf(items).join("\n"), /^Rejected 3 date: must be /)
      for (const [columns, fault] of [
        ["day=Date", /names day, which is no field of a meeting; the fields are date, time, body/],
        ["date=When", /names a column that is not in the table; it has Date, Board, Subject/]
      ] as const) {
        assert.match(noticesOf(yield* itemsOf(file, { facts: { ...facts, columns } })).join(), fault)
      }
      const other = yield* written("other.csv", "a,b\n1,2\n")
      assert.match(noticesOf(yield* itemsOf(other, { facts })).join(), /^Warning 1 columns: is left out: no heading/)
      const open = yield* Effect.flip(itemsOf(yield* written("open.csv", 'Date,b\n"never closed,1\n'), { facts }))
      assert.match(String(open), /is not CSV: a quotation is never closed/)
    })
  )

  it.effect("as an iCalendar file has its series, and leaves out what is no meeting", () =>
    Effect.gen(function* () {
      const facts = { place: "Marlow", state: "IL" }
      assert.deepStrictEqual(yield* meetingsIn(example("ical.ics"), facts), [
        [
          "marlow-planning-commission",
          "Planning Commission Regular Meeting",
          "2026-02-10",
          "2026-02-11T00:30:00Z",
          "held"
        ],
        [
          "marlow-planning-commission",
          "Planning Commission Special Meeting",
          "2026-03-12",
          "2026-03-13T00:00:00Z",
          "held"
        ],
        ["marlow-city-council", "City Council Special Meeting", "2026-03-03", "2026-03-04T00:30:00Z", "cancelled"]
      ])
      assert.deepStrictEqual(noticesOf(yield* itemsOf(example("ical.ics"), { facts })), [
        "Warning 1 body: 1 events name no body and are left out; --body says whose they are"
      ])
      const broken = yield* written("a.ics", "BEGIN:VCALENDAR\nnonsense\n")
      assert.deepStrictEqual(noticesOf(yield* itemsOf(broken, { facts })), ["Rejected 1: is not iCalendar (RFC 5545)"])
      // No such day ever comes: the first is read, and none is looked for.
      const never = fs
        .readFileSync(example("ical.ics"), "utf8")
        .replace(/RRULE:.*/, "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30")
      assert.strictEqual((yield* meetingsIn(yield* written("b.ics", never), facts)).length, 2)
    })
  )

  it.effect("of Open Civic Data has its bodies, hours and addresses", () =>
    Effect.gen(function* () {
      const facts = { place: "Marlow", state: "IL" }
      assert.deepStrictEqual(yield* meetingsIn(example("ocd-events.ndjson"), facts), [
        ["marlow-plan-commission", "Regular Meeting", "2026-02-10", "2026-02-11T00:30:00Z", "held"],
        ["marlow-plan-commission", "Special Meeting", "2026-03-03", "2026-03-04T00:30:00Z", "cancelled"]
      ])
      const [first] = those(yield* itemsOf(example("ocd-events.ndjson"), { facts }), "meeting")
      assert.deepInclude(first, {
        source_url: "https://marlow.example/plan-commission",
        agenda_url: "https://marlow.example/agendas/2026-02-10.pdf",
        minutes_url: "https://marlow.example/minutes/2026-02-10.pdf",
        location: "Town Hall, 1 Halyard Road"
      })
    })
  )
})
