import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeFolders } from "./folders.ts"
import { itemsOf, noticesOf, those } from "./reading.ts"

const { folderOf, remove } = makeFolders()
afterAll(remove)

describe("a manifest", () => {
  const row = (over: object) => ({
    body: "City Council",
    place: "Marlow",
    state: "IL",
    title: "Regular Meeting",
    date: "2026-03-10",
    ...over
  })

  it.effect("includes meetings whose captions are missing, unreadable, empty or outside its folder", () =>
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

  it.effect("loses an optional field of the wrong shape, with a note, and not the meeting", () =>
    Effect.gen(function* () {
      const folder = folderOf("foreign", {
        "meetings.ndjson": [
          row({ status: { code: 3 }, source_url: "https://[", location: "Room 1" }),
          row({
            title: "Two",
            attachments: [
              { title: "A", url: "https://%" },
              { title: "B", url: "https://b.example/" }
            ]
          })
        ]
      })
      const items = yield* itemsOf(folder)
      assert.deepStrictEqual(
        those(items, "meeting").map(({ status, location, source_url, attachments }) => [
          ...[status, location, source_url],
          attachments?.map(({ title }) => title)
        ]),
        [
          ["held", "Room 1", undefined, undefined],
          ["held", undefined, undefined, ["B"]]
        ]
      )
      assert.deepStrictEqual(noticesOf(items).toSorted(), [
        "Warning 1 source_url: must be an address with a host and port that can exist; it is left out",
        "Warning 1 status: must be one of upcoming, held, cancelled; it is left out",
        "Warning 2 attachments.0.url: must be an address with a host and port that can exist; it is left out"
      ])
    })
  )

  it.effect("finds the time zone of a place without a county, says how, and says that a guess is one", () =>
    Effect.gen(function* () {
      const tennessee = (place: string, title: string, more: object = {}) =>
        row({ place, title, state: "TN", county: undefined, timezone: undefined, ...more })
      const folder = folderOf("zones", {
        "meetings.ndjson": [
          tennessee("Knoxville", "First"),
          tennessee("Knoxville", "Second"),
          tennessee("Nowhere", "Third"),
          tennessee("Knoxville", "Fourth", { county: "Knox County" }),
          tennessee("Nashville", "Fifth", { timezone: "America/Chicago" })
        ]
      })
      const items = yield* itemsOf(folder)
      assert.deepStrictEqual(
        those(items, "meeting").map(({ timezone }) => timezone),
        ["America/New_York", "America/New_York", "America/Chicago", "America/New_York", "America/Chicago"]
      )
      assert.deepStrictEqual(noticesOf(items), [
        "Warning 1 timezone: is not given; TN has two time zones, and America/New_York is that of Knoxville",
        "Warning 3 timezone: is not given; TN has two time zones, Nowhere is not in the gazetteer, and America/Chicago is a guess; give its county or its time zone"
      ])
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

  it.effect("makes two meetings of two recordings with the same day and title, with ids that never change", () =>
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

describe("a bundle", () => {
  it.effect("reports a line whose id an earlier line has, unless it was removed between them", () =>
    Effect.gen(function* () {
      const place = { type: "place", slug: "marlow", name: "Marlow", kind: "city", state: "IL" }
      const agency = {
        type: "agency",
        slug: "council",
        segment: "council",
        name: "A",
        kind: "other",
        places: ["marlow"]
      }
      const removed = { type: "removed", what: "agency", id: "council" }
      const lines = [place, agency, { ...agency, name: "B" }, removed, agency]
      const items = yield* itemsOf(folderOf("repeated-id", { "record.ndjson": lines }))
      assert.deepStrictEqual(noticesOf(items), [
        "Warning 3: is another line of agency council, after line 2; keep one of them"
      ])
      assert.strictEqual(those(items, "agency").length, 3)
    })
  )

  it.effect("leaves out unknown fields, and reports them", () =>
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
        "Rejected 4 type: must be one of place, agency, meeting, transcript, briefing, claims, recap, agenda_summary, clip, figure, media, document, person, membership, matter, vote, removed",
        "Rejected 5: must be a JSON object",
        "Rejected 6 path: must be a path inside the bundle"
      ])
    })
  )
})
