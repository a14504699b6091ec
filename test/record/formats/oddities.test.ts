import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { itemsOf, noticesOf, those } from "./reading.ts"

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-test-"))
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }))

/** Writes files to a folder of their own; lists are written as NDJSON. */
const folderOf = (name: string, files: Readonly<Record<string, string | ReadonlyArray<unknown>>>): string => {
  const folder = path.join(scratch, name)
  for (const [file, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    const text = typeof content === "string" ? content : content.map((line) => JSON.stringify(line)).join("\n")
    fs.writeFileSync(path.join(folder, file), text)
  }
  return folder
}

const facts = { place: "Marlow", state: "IL" }

describe("legistar", () => {
  const event = (ID: number, over: object) => ({
    ID,
    GUID: `0000000${ID}-0000-4000-8000-000000000000`,
    BodyID: 1,
    BodyName: "City Council",
    Date: "2020-05-05T18:30:00-05:00",
    Items: [],
    ...over
  })

  it.effect("keeps a renamed body under its newest name, and merges two numbers with one name", () =>
    Effect.gen(function* () {
      const folder = folderOf("renamed", {
        "events.ndjson": [
          event(1, { BodyID: 7, BodyName: "Committee on Streets and Walks", Date: "2021-03-01T18:00:00-06:00" }),
          event(2, { BodyID: 7, BodyName: "Committee on Streets", Date: "2019-03-01T18:00:00-06:00" }),
          event(3, { BodyID: 8, BodyName: "Committee on Finance", Date: "2019-03-01T18:00:00-06:00" }),
          event(4, { BodyID: 9, BodyName: "Committee on  Finance ", Date: "2020-03-01T18:00:00-06:00" })
        ]
      })
      const items = yield* itemsOf(folder, { facts })
      assert.deepStrictEqual(
        those(items, "agency").map(({ slug, retired_slugs }) => [slug, retired_slugs]),
        [
          ["marlow-committee-on-streets-and-walks", ["marlow-committee-on-streets"]],
          ["marlow-committee-on-finance", undefined]
        ]
      )
      assert.deepStrictEqual(
        those(items, "meeting").map(({ agency }) => agency),
        [
          "marlow-committee-on-streets-and-walks",
          "marlow-committee-on-streets-and-walks",
          "marlow-committee-on-finance",
          "marlow-committee-on-finance"
        ]
      )
    })
  )

  it.effect("does not retire a name that another body now has", () =>
    Effect.gen(function* () {
      const folder = folderOf("taken", {
        "events.ndjson": [
          event(1, { BodyID: 7, BodyName: "Committee on Streets", Date: "2019-03-01T18:00:00-06:00" }),
          event(2, { BodyID: 7, BodyName: "Committee on Roads", Date: "2020-03-01T18:00:00-06:00" }),
          event(3, { BodyID: 8, BodyName: "Committee on Streets", Date: "2021-03-01T18:00:00-06:00" })
        ]
      })
      assert.deepStrictEqual(
        those(yield* itemsOf(folder, { facts }), "agency").map(({ slug, retired_slugs }) => [slug, retired_slugs]),
        [
          ["marlow-committee-on-roads", undefined],
          ["marlow-committee-on-streets", undefined]
        ]
      )
    })
  )

  it.effect("reports a repeated event, one without a day and a line that is not an event, and keeps the rest", () =>
    Effect.gen(function* () {
      const folder = folderOf("bad-lines", {
        "events.ndjson": [
          event(1, {}),
          event(1, {}),
          event(2, { Date: "0001-01-01T00:00:00Z" }),
          event(3, { Date: "2020-05-06T00:00:00", Location: "Meeting cancelled" }),
          event(4, { BodyName: " " }),
          "no event",
          event(5, { Items: [{ ID: "x" }] })
        ]
      })
      const items = yield* itemsOf(folder, { facts })
      assert.deepStrictEqual(
        those(items, "meeting").map(({ date, starts_at, status }) => [date, starts_at, status]),
        [
          ["2020-05-05", "2020-05-05T23:30:00Z", "held"],
          ["2020-05-06", undefined, "cancelled"]
        ]
      )
      assert.deepStrictEqual(noticesOf(items), [
        "Repeated 2: repeats the event of line 1 of events.ndjson",
        "Rejected 3 Date: is missing",
        "Rejected 5 BodyName: must not be empty",
        "Rejected 6: must be an object",
        "Rejected 7 Items.0.ID: must be an integer"
      ])
    })
  )
})

describe("the Web API of Legistar", () => {
  const event = (over: object) => ({
    EventId: 5,
    EventBodyId: 1,
    EventBodyName: "City Council",
    EventDate: "2020-05-05T00:00:00",
    EventTime: "6:30 PM",
    EventItems: [],
    ...over
  })

  it.effect("needs no EventInSiteURL where a file, meeting.json, the folder or the flags give the place", () =>
    Effect.gen(function* () {
      const EventAgendaFile = "http://legistar2.granicus.com/seattle/meetings/5_A.pdf"
      const sources: ReadonlyArray<readonly [string, Parameters<typeof folderOf>[1], typeof facts | undefined]> = [
        ["by-file", { "events.json": [[event({ EventAgendaFile })]] }, undefined],
        [
          "by-sidecar",
          { "events.json": [[event({})]], "meeting.json": [{ place: "Seattle", state: "WA" }] },
          undefined
        ],
        ["seattle-wa", { "events.json": [[event({ EventInSiteURL: null })]] }, undefined],
        ["by-flags", { "events.json": [[event({})]] }, { place: "Seattle", state: "WA" }]
      ]
      for (const [name, files, flags] of sources) {
        const items = yield* itemsOf(folderOf(name, files), flags === undefined ? {} : { facts: flags })
        assert.deepStrictEqual(
          those(items, "meeting").map(({ agency, starts_at }) => [agency, starts_at]),
          [["seattle-city-council", "2020-05-06T01:30:00Z"]],
          name
        )
      }
    })
  )

  it.effect("keeps where a meeting takes place, how to join it, its recording, minutes and attachments", () =>
    Effect.gen(function* () {
      const folder = folderOf("details", {
        "events.json": [
          [
            event({
              EventLocation: "Council Chambers\r\n12 Mill Street",
              EventComment: "Join at https://us02web.zoom.us/j/123?pwd=abc",
              EventVideoPath: "https://video.example/5.mp4",
              EventMinutesFile: "https://marlow.example/minutes.pdf",
              EventItems: [
                {
                  EventItemId: 1,
                  EventItemTitle: "Budget",
                  EventItemMatterAttachments: [
                    { MatterAttachmentName: "Staff report", MatterAttachmentHyperlink: "https://marlow.example/1.pdf" },
                    { MatterAttachmentName: null, MatterAttachmentHyperlink: "https://marlow.example/2.pdf" },
                    { MatterAttachmentName: "Nowhere", MatterAttachmentHyperlink: null }
                  ]
                }
              ]
            }),
            event({ EventId: 6, EventLocation: "- Meeting cancelled -", EventVideoPath: "archive/6.mp4" })
          ]
        ]
      })
      const [first, second] = those(yield* itemsOf(folder, { facts }), "meeting")
      assert.deepInclude(first, {
        location: "Council Chambers, 12 Mill Street",
        join_url: "https://us02web.zoom.us/j/123?pwd=abc",
        video_url: "https://video.example/5.mp4",
        minutes_url: "https://marlow.example/minutes.pdf",
        attachments: [
          { title: "Staff report", url: "https://marlow.example/1.pdf" },
          { title: "Attachment", url: "https://marlow.example/2.pdf" }
        ]
      })
      assert.notProperty(second, "location")
      assert.notProperty(second, "video_url")
    })
  )
})

describe("a manifest", () => {
  const row = (over: object) => ({
    body: "City Council",
    place: "Marlow",
    state: "IL",
    title: "Regular Meeting",
    date: "2026-03-10",
    ...over
  })

  it.effect("keeps its meetings whose captions are missing, unreadable, empty or outside its folder", () =>
    Effect.gen(function* () {
      const folder = folderOf("captions", {
        "meetings.ndjson": [
          row({ title: "One", captions: "none.vtt" }),
          row({ title: "Two", captions: "sub" }),
          row({ title: "Three", captions: "sub/empty.vtt" }),
          row({ title: "Four", captions: "../../etc/passwd" }),
          row({ title: "Five", captions: "sub/broken.vtt.gz" }),
          row({ title: "Six", captions: "sub/good.vtt" })
        ],
        "sub/empty.vtt": "WEBVTT\n",
        "sub/broken.vtt.gz": "this is no gzip",
        "sub/good.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\nGood evening.\n"
      })
      const items = yield* itemsOf(folder)
      assert.deepStrictEqual(
        those(items, "meeting").map(({ title }) => title),
        ["One", "Two", "Three", "Four", "Five", "Six"]
      )
      assert.strictEqual(those(items, "transcript").length, 1)
      const notices = noticesOf(items)
      assert.strictEqual(notices.length, 5)
      const expected = [
        /^Warning 1 captions: none\.vtt does not exist; the meeting has no transcript$/,
        /^Warning 2 captions: sub cannot be read: /,
        /^Warning 3 captions: sub\/empty\.vtt has no words$/,
        /^Warning 4 captions: is outside the manifest's folder; move it there$/,
        /^Warning 5 captions: sub\/broken\.vtt\.gz cannot be read: /
      ]
      for (const [at, pattern] of expected.entries()) assert.match(notices[at] ?? "", pattern)
    })
  )

  it.effect("names the line and the field of a row that is not a meeting", () =>
    Effect.gen(function* () {
      const folder = folderOf("rows", {
        "meetings.ndjson": `${JSON.stringify(row({}))}\n\n{"body":\n${[
          row({ state: "Illinois" }),
          row({ date: "2026-02-30" }),
          row({ date: undefined, title: "Regular Meeting" }),
          row({ title: null }),
          row({ state: "ZZ" })
        ]
          .map((line) => JSON.stringify(line))
          .join("\n")}\n`
      })
      assert.deepStrictEqual(noticesOf(yield* itemsOf(folder)), [
        "Rejected 3: is not JSON",
        "Rejected 4 state: must be the two capital letters of a state",
        "Rejected 5 date: must be a day that exists",
        "Rejected 6 date: is missing, and the title does not state exactly one; write it as YYYY-MM-DD",
        "Rejected 7 title: is null; leave the field out instead",
        "Rejected 8 state: is not a state or territory of the United States; write two letters such as IL"
      ])
    })
  )

  it.effect("makes two meetings of two recordings with one day and title, with ids that never change", () =>
    Effect.gen(function* () {
      const rows = [
        row({ source_url: "https://video.example/a" }),
        row({ source_url: "https://video.example/b" }),
        row({ source_url: "https://video.example/b" }),
        row({})
      ]
      const ids = (folder: string) =>
        Effect.map(itemsOf(folder), (items) => those(items, "meeting").map(({ id }) => id))
      const first = yield* ids(folderOf("two-recordings", { "meetings.ndjson": rows }))
      assert.strictEqual(new Set(first).size, 2)
      const again = yield* ids(
        folderOf("two-recordings-later", { "meetings.ndjson": [...rows, row({ title: "New" })] })
      )
      assert.deepStrictEqual(again.slice(0, 2), first)
    })
  )
})

describe("a recording", () => {
  it.effect("transcribed twice, once with word times, is one meeting", () =>
    Effect.gen(function* () {
      const folder = folderOf("whisper", {
        "board.diarized.json": [{ language: "en", sentenceMetadata: [["1", 0, 0.5, 2.5]] }],
        "board.sentences.tsv": "1\tGood evening.\n",
        "board.whisperx.json": [{ segments: [{ start: 0.5, end: 2.5, text: "Good evening.", words: [] }] }],
        "other.diarized.json": [{ language: "en", sentenceMetadata: [["1", 3, 1, 2]] }],
        "other.sentences.tsv": "1\tGood night.\n"
      })
      const items = yield* itemsOf(folder, { facts: { ...facts, body: "School Board", date: "2026-02-12" } })
      assert.strictEqual(those(items, "meeting").length, 2)
      assert.deepStrictEqual(
        those(items, "transcript").map(({ segments }) => segments),
        [
          [{ start: 0.5, end: 2.5, text: "Good evening." }],
          [{ start: 1, end: 2, speaker: "SPEAKER_03", text: "Good night." }]
        ]
      )
      assert.deepStrictEqual(noticesOf(items), ["Repeated 1: is the recording of board.whisperx.json, which says more"])
    })
  )
})

describe("recordings in several folders", () => {
  const captions = (text: string) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`
  const meetingJson = (over: object) => [{ body: "City Council", place: "Marlow", state: "IL", ...over }]

  it.effect("are meetings of their own, even with the same name, body and day", () =>
    Effect.gen(function* () {
      const folder = folderOf("one-name", {
        "morning/talk.vtt": captions("Good morning."),
        "morning/meeting.json": meetingJson({ date: "2026-02-12", title: "Workshop" }),
        "evening/talk.vtt": captions("Good evening."),
        "evening/meeting.json": meetingJson({ date: "2026-02-12", title: "Regular Meeting" }),
        "later/talk.vtt": captions("Good night."),
        "later/meeting.json": meetingJson({ date: "2026-02-12", title: "Regular Meeting" })
      })
      const items = yield* itemsOf(folder)
      assert.deepStrictEqual(noticesOf(items), [])
      const meetings = those(items, "meeting")
      assert.strictEqual(new Set(meetings.map(({ id }) => id)).size, 3)
      assert.deepStrictEqual(
        those(items, "transcript").map(({ meeting_id, segments }) => [
          meetings.find(({ id }) => id === meeting_id)?.title,
          segments[0]?.text
        ]),
        [
          ["Regular Meeting", "Good evening."],
          ["Regular Meeting", "Good night."],
          ["Workshop", "Good morning."]
        ]
      )
    })
  )

  it.effect("are raw where a recognizer wrote them, unless meeting.json says that they were corrected", () =>
    Effect.gen(function* () {
      const whisper = JSON.stringify({ segments: [{ start: 1, end: 2, text: "Good evening." }] })
      const folder = folderOf("machine", {
        "meeting.json": meetingJson({ date: "2026-02-12", title: "Regular Meeting" }),
        "a.auto.vtt": captions("Good evening."),
        "b.vtt": captions("Good evening."),
        "c.json": whisper,
        "corrected/a.auto.vtt": captions("Good evening."),
        "corrected/c.json": whisper,
        "corrected/meeting.json": [{ transcript_version: "refined" }]
      })
      const items = yield* itemsOf(folder)
      assert.deepStrictEqual(
        items.flatMap(({ file, result }) =>
          result._tag === "Entity" && result.entity.type === "transcript" ? [[file, result.entity.version]] : []
        ),
        [
          ["a.auto.vtt", "raw"],
          ["b.vtt", "refined"],
          ["c.json", "raw"],
          ["corrected/a.auto.vtt", "refined"],
          ["corrected/c.json", "refined"]
        ]
      )
    })
  )

  it.effect("have the facts of every meeting.json above them, the nearest one first", () =>
    Effect.gen(function* () {
      const folder = folderOf("above", {
        "meeting.json": meetingJson({ date: "2026-02-12", title: "Regular Meeting" }),
        "captions/talk.vtt": captions("Good evening."),
        "captions/2026/more.vtt": captions("Good night."),
        "captions/2026/meeting.json": [{ date: "2026-03-12" }],
        "captions/2026/more.meeting.json": [{ title: "Workshop" }]
      })
      assert.deepStrictEqual(
        those(yield* itemsOf(folder), "meeting").map(({ agency, date, title }) => [agency, date, title]),
        [
          ["marlow-city-council", "2026-02-12", "Regular Meeting"],
          ["marlow-city-council", "2026-03-12", "Workshop"]
        ]
      )
    })
  )

  it.effect("are reported, naming the first one, where two files would become one meeting", () =>
    Effect.gen(function* () {
      const agenda = (over: object) => meetingJson({ date: "2026-02-12", title: "Regular Meeting", ...over })
      const folder = folderOf("folded", {
        "a/agendas.ndjson": agenda({ items: [{ title: "Roll call" }] }),
        "b/agendas.ndjson": agenda({ items: [{ title: "Adjournment" }] })
      })
      const items = yield* itemsOf(folder)
      assert.deepStrictEqual(
        those(items, "meeting").map(({ agenda_items }) => agenda_items.map(({ title }) => title)),
        [["Roll call"]]
      )
      assert.deepStrictEqual(noticesOf(items), ["Repeated 1: repeats the meeting of line 1 of a/agendas.ndjson"])
    })
  )
})

describe("a bundle", () => {
  it.effect("leaves out fields that the format does not have, and reports them", () =>
    Effect.gen(function* () {
      const place = { type: "place", slug: "marlow", name: "Marlow", kind: "city", state: "IL" }
      const folder = folderOf("unknown", {
        "record.ndjson": [
          { ...place, mayor: "Ansel Pruitt" },
          { ...place, county: null },
          { ...place, zips: ["6289"] },
          { ...place, type: "planet" },
          [place],
          {
            type: "media",
            meeting_id: "5d0c3c8e-95a0-5b5c-9d9e-2f6c5b0f7a11",
            role: "source",
            path: "../a",
            media_type: "x"
          }
        ]
      })
      const items = yield* itemsOf(folder)
      assert.deepStrictEqual(those(items, "place"), [{ ...place, type: "place", kind: "city" }])
      assert.deepStrictEqual(noticesOf(items), [
        "Warning 1 mayor: is not a field of place and is left out",
        "Rejected 2 county: is null; leave the field out instead",
        "Rejected 3 zips.0: must be a ZIP code of 5 digits",
        "Rejected 4 type: must be one of place, agency, meeting, transcript, briefing, claims, recap, agenda_summary, clip, figure, media",
        "Rejected 5: must be a JSON object",
        "Rejected 6 path: must be a path inside the bundle"
      ])
    })
  )
})
