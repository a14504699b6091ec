import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { BundleEntity } from "../../schema/bundle.ts"
import { agency, agendaItemId, clipId, meeting, meetingId, place, said, transcript } from "../support/builders.ts"
import {
  day,
  deployment,
  directory,
  exported,
  importEntities,
  importPath,
  meetingsOnRecord,
  writeLines
} from "./importing.ts"

describe("bad lines", () => {
  it.live("are reported with their number and field, and the good ones are imported", () =>
    Effect.gen(function* () {
      const { folder, on } = yield* deployment
      const clip = { type: "clip", meeting_id: meetingId("good"), id: clipId("a"), title: "A", start: 1, end: 2 }
      const file = writeLines(path.join(folder, "record.ndjson"), [
        place("springfield"),
        { ...place("shelbyville"), kind: "x".repeat(50_000) },
        agency("council", ["springfield"]),
        agency("lost-council", ["atlantis"]),
        "{ this is no JSON",
        "",
        meeting("good", "council", { agenda_items: [{ id: agendaItemId("good"), title: "Roll call" }] }),
        meeting("lost", "no-such-council"),
        { ...meeting("bad", "council"), date: "2026-02-30" },
        transcript("lost", said(["nobody hears this"])),
        transcript("good", said(["Good evening."])),
        { ...clip, end: 0.5, state: "published" },
        { ...clip, agenda_item: agendaItemId("none"), state: "published" },
        { ...clip, id: clipId("b"), state: "published" },
        { ...clip, id: clipId("c"), state: "secret" },
        { type: "media", meeting_id: meetingId("good"), role: "source", path: "not/here.mp4", media_type: "video/mp4" }
      ])
      const { report, notices } = yield* on(importPath(file))
      assert.deepStrictEqual(notices, [
        "rejected 2 kind: must be one of city, county",
        "rejected 5 : is not JSON",
        "rejected 9 date: must be a day that exists",
        "warning 13 : is another line of clip d01eb36f-000f-5f12-b703-236ce3ec9907, after line 12; keep one of them",
        "rejected 15 state: must be one of published, proposal, dismissed, alternate",
        "rejected 4 places: place atlantis is neither on record nor on an earlier line",
        "rejected 8 agency: agency no-such-council is neither on record nor on an earlier line",
        `rejected 10 meeting_id: meeting ${meetingId("lost")} is neither on record nor on an earlier line`,
        "rejected 12 end: is not after start; write the second at which the clip ends",
        "rejected 13 agenda_item: is not on the meeting's agenda; write the id of one of its items or leave the field out",
        "rejected 16 path: not/here.mp4 is not a file of the bundle"
      ])
      assert.deepStrictEqual(report, {
        entities: {
          place: { created: 1, updated: 0, unchanged: 0, rejected: 0 },
          agency: { created: 1, updated: 0, unchanged: 0, rejected: 1 },
          meeting: { created: 1, updated: 0, unchanged: 0, rejected: 1 },
          transcript: { created: 1, updated: 0, unchanged: 0, rejected: 1 },
          clip: { created: 1, updated: 0, unchanged: 0, rejected: 2 },
          media: { created: 0, updated: 0, unchanged: 0, rejected: 1 }
        },
        rejected: 10,
        warnings: 1,
        repeated: 0
      })
      assert.deepStrictEqual(
        (yield* on(exported)).map(({ type }) => type),
        ["place", "agency", "meeting", "transcript", "clip"]
      )
    })
  )

  it.live("with a name as long as a document are refused", () =>
    Effect.gen(function* () {
      const { folder, on } = yield* deployment
      const file = writeLines(path.join(folder, "record.ndjson"), [
        place("springfield"),
        agency("council", ["springfield"]),
        meeting("long", "council", { title: "x".repeat(100_000) }),
        meeting("short", "council", { title: "x".repeat(1000) })
      ])
      const { notices } = yield* on(importPath(file))
      assert.deepStrictEqual(notices, ["rejected 3 title: must have at most 1000 characters"])
    })
  )

  const item = { id: agendaItemId("one"), title: "One" }
  const claim = { id: clipId("x") as never, topic: "A", text: "B", evidence: [] }
  const clip = {
    type: "clip",
    meeting_id: meetingId("good"),
    id: clipId("a"),
    title: "A",
    state: "published"
  } as const
  const media = { type: "media", meeting_id: meetingId("good"), path: "a.mp4", media_type: "video/mp4" } as const
  const week = "is more than 604800 (a week); write seconds from the start of the recording"
  const unstorable: ReadonlyArray<readonly [string, BundleEntity, string]> = [
    [
      "an hour that no day has",
      meeting("bad", "council", { starts_at: "2026-03-10T25:00:00Z" }),
      ": cannot be stored as it is; compare its fields with docs/bundle.md"
    ],
    ["a duration in milliseconds", meeting("bad", "council", { duration: 1e12 }), `duration: ${week}`],
    [
      "an agenda with one id twice",
      meeting("bad", "council", { agenda_items: [item, item] }),
      "agenda_items.1.id: repeats agenda_items.0.id; each must be different"
    ],
    [
      "a chapter that ends before it starts",
      meeting("bad", "council", { chapters: [{ title: "A", start: 2, end: 1 }] }),
      "chapters.0.end: is before start; write the second at which the chapter ends"
    ],
    ["the year 0", meeting("bad", "council", { date: "0000-01-01" }), "date: is before 1600; correct the year"],
    ["the year 1", meeting("bad", "council", { date: "0001-01-01" }), "date: is before 1600; correct the year"],
    ["a segment beyond a week", transcript("good", [{ start: 1, end: 1e10, text: "A" }]), `segments.0.end: ${week}`],
    [
      "two claims of one id",
      { type: "claims", meeting_id: meetingId("good"), claims: [claim, claim] },
      "claims.1.id: repeats claims.0.id; each must be different"
    ],
    [
      "a verdict of an unknown time",
      { type: "claims", meeting_id: meetingId("good"), claims: [{ ...claim, verdict: "supported" }] },
      "claims.0.checked_at: must be written where there is a verdict, and only there"
    ],
    [
      "a place named twice",
      agency("doubled", ["springfield", "springfield"]),
      "places.1: repeats places.0; each must be different"
    ],
    ["a clip that starts in a year", { ...clip, start: 1e9, end: 2e9 }, `start: ${week}`],
    [
      "a poster of a clip",
      { ...media, role: "poster", subject: clipId("a") },
      "subject: must be left out for a poster"
    ],
    [
      "a picture of a million pixels",
      { ...media, role: "rendition", width: 1_000_000, height: 1 },
      "width: is more than 100000; write a number of pixels"
    ]
  ]
  for (const [what, bad, expected] of unstorable) {
    it.live(`with ${what}, which cannot be stored, name the field and do not affect the other lines`, () =>
      Effect.gen(function* () {
        const { on } = yield* deployment
        const good = [...directory, meeting("good", "council"), transcript("good", said(["Good evening."]))]
        const after = meeting("after", "council", { date: day(1) })
        const notices: Array<string> = []
        const report = yield* on(
          importEntities([...good, bad, after], {
            onNotice: ({ line, field, message }) => Effect.sync(() => notices.push(`${line} ${field}: ${message}`))
          })
        )
        assert.strictEqual(report.rejected, 1)
        assert.deepStrictEqual(notices, [`5 ${expected}`])
        assert.deepStrictEqual(
          (yield* on(meetingsOnRecord)).toSorted(),
          [good[2], after].map((one) => (one as typeof after).id).toSorted()
        )
      })
    )
  }
})

describe("doubtful dates", () => {
  it.effect(
    "are imported without an instant on another day, with a warning that names the field and what to write",
    () =>
      Effect.gen(function* () {
        const { on } = yield* deployment
        yield* TestClock.setTime(Date.parse("2026-11-21T12:00:00Z"))
        const notices: Array<string> = []
        const report = yield* on(
          importEntities(
            [
              ...directory,
              meeting("future", "council", { date: "2031-05-04" }),
              meeting("to-come", "council", { date: "2031-05-04", status: "upcoming" }),
              meeting("today", "council", { date: "2026-11-21", starts_at: "2026-11-22T05:00:00Z" }),
              meeting("moved", "council", { date: "2026-03-10", starts_at: "2019-03-10T23:30:00Z" })
            ],
            { onNotice: ({ line, field, message }) => Effect.sync(() => notices.push(`${line} ${field}: ${message}`)) }
          )
        )
        assert.deepStrictEqual(notices, [
          "3 status: is held, but 2031-05-04 is still to come; write upcoming or correct the date",
          "6 starts_at: is 2019-03-10T23:30:00Z, but the meeting is on 2026-03-10 (America/Chicago); it is left out, correct one of them"
        ])
        const starts = (yield* on(exported)).flatMap((entity) =>
          entity.type === "meeting" && entity.starts_at !== undefined ? [entity.starts_at] : []
        )
        assert.deepStrictEqual(starts, ["2026-11-22T05:00:00Z"])
        assert.deepStrictEqual([report.entities.meeting?.created, report.rejected, report.warnings], [4, 0, 2])
      })
  )
})

describe("characters that may not be on record", () => {
  it.live("are removed and counted, naming the meeting and the field, and nothing else is lost", () =>
    Effect.gen(function* () {
      const { folder, on } = yield* deployment
      const words = said(["Good\u0000 evening.", "All \u0000\u0000here.", "Half \ud800 of it."])
      const file = writeLines(path.join(folder, "record.ndjson"), [
        place("springfield"),
        agency("council", ["springfield"]),
        meeting("good", "council", { title: "Regular\u0000 Meeting" }),
        transcript("good", words),
        // A single byte, as in a damaged file.
        JSON.stringify(transcript("good", said(["Raw~words."]), { version: "raw" })).replace("~", "\0")
      ])
      const { report, notices } = yield* on(importPath(file))
      const of = `transcript of meeting ${meetingId("good")}`
      assert.deepStrictEqual(notices, [
        `warning 3 title: 1 NUL character (U+0000) is left out, from here on in meeting ${meetingId("good")}`,
        `warning 4 segments.0.text: 3 NUL characters (U+0000) are left out and 1 half of a surrogate pair is replaced with U+FFFD, from here on in the refined ${of}`,
        `warning 5 segments.0.text: 1 NUL character (U+0000) is left out, from here on in the raw ${of}`
      ])
      assert.deepStrictEqual([report.rejected, report.warnings], [0, 3])
      const entities = yield* on(exported)
      assert.deepStrictEqual(
        entities.flatMap((entity) => {
          if (entity.type === "meeting") return [entity.title]
          return entity.type === "transcript" ? entity.segments.map(({ text }) => text) : []
        }),
        ["Regular Meeting", "Rawwords.", "Good evening.", "All here.", "Half \ufffd of it."]
      )
      const again = yield* on(importPath(file))
      assert.deepStrictEqual(again.report.entities.transcript, { created: 0, updated: 0, unchanged: 2, rejected: 0 })
    })
  )

  it.live("include control characters, which become spaces, and those that reorder text, which are left out", () =>
    Effect.gen(function* () {
      const { folder, on } = yield* deployment
      const file = writeLines(path.join(folder, "record.ndjson"), [
        place("springfield", { name: "Spring\u202efield" }),
        agency("council", ["springfield"], { name: "City\u0085Council" }),
        meeting("good", "council", {
          title: "\u001b[31mBudget\u007f hearing",
          agenda_items: [{ id: agendaItemId("a"), title: "Roll\u0008call", description: "One\ttwo\r\nthree\u000cfour" }]
        }),
        // A right-to-left mark is part of writing Hebrew and Arabic.
        transcript("good", said(["\u2067Good\u2069 evening\u200f.", "All\u0001 here\u009c."])),
        meeting("lost", "council", { title: "\u0007\u202e" })
      ])
      const { report, notices } = yield* on(importPath(file))
      const good = meetingId("good")
      assert.sameMembers(
        [...notices],
        [
          "warning 1 name: 1 character that reorders text is left out, from here on in place springfield",
          "warning 2 name: 1 control character is replaced with a space, from here on in agency council",
          `warning 3 title: 2 control characters are replaced with spaces, from here on in meeting ${good}`,
          `warning 3 agenda_items.0.title: 1 control character is replaced with a space, from here on in meeting ${good}`,
          `warning 3 agenda_items.0.description: 1 control character is replaced with a space, from here on in meeting ${good}`,
          `warning 4 segments.0.text: 2 control characters are replaced with spaces and 2 characters that reorder text are left out, from here on in the refined transcript of meeting ${good}`,
          "rejected 5 title: must not be empty"
        ]
      )
      assert.strictEqual(report.rejected, 1)
      const entities = yield* on(exported)
      assert.deepStrictEqual(
        entities.flatMap((entity) => {
          if (entity.type === "place" || entity.type === "agency") return [entity.name]
          if (entity.type === "meeting")
            return [entity.title, entity.agenda_items?.[0]?.title, entity.agenda_items?.[0]?.description]
          return entity.type === "transcript" ? entity.segments.map(({ text }) => text) : []
        }),
        [
          ...["Springfield", "City Council", " [31mBudget  hearing", "Roll call", "One\ttwo\r\nthree four"],
          ...["Good evening\u200f.", "All  here ."]
        ]
      )
    })
  )
})
