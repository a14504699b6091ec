import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeFolders } from "./folders.ts"
import { itemsOf, noticesOf, those } from "./reading.ts"

const { folderOf, remove } = makeFolders()
afterAll(remove)

const facts = { place: "Marlow", state: "IL" }

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

  it.effect("are separate meetings, even with the same name, body and day", () =>
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

  it.effect("are raw if a recognizer wrote them, unless meeting.json says that they were corrected", () =>
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

  it.effect("lose a field of meeting.json that has the wrong shape, with one note, and no meeting", () =>
    Effect.gen(function* () {
      const folder = folderOf("odd-sidecar", {
        "meeting.json": meetingJson({ date: "2026-02-12", title: "Regular Meeting", status: { is: "held" } }),
        "one.vtt": captions("Good evening."),
        "two.vtt": captions("Good night.")
      })
      const items = yield* itemsOf(folder)
      assert.strictEqual(those(items, "meeting").length, 2)
      assert.deepStrictEqual(noticesOf(items), [
        "Warning 1 status: must be one of upcoming, held, cancelled; it is left out of meeting.json"
      ])
    })
  )

  it.effect("take facts from every meeting.json above them, the nearest one first", () =>
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
