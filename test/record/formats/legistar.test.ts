import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { given } from "../../../src/services/wire.ts"
import { makeFolders } from "./folders.ts"
import { itemsOf, noticesOf, those } from "./reading.ts"

const { folderOf, remove } = makeFolders()
afterAll(remove)

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

  it.effect("keeps the addresses of recordings, and loses what has the wrong shape with a note", () =>
    Effect.gen(function* () {
      const folder = folderOf("recordings", {
        "events.ndjson": [
          event(1, { Media: "https://video.example/1" }),
          event(2, { VideoPath: "https://video.example/2", Media: "https://media.example/2" }),
          event(3, { Media: 77 }),
          event(4, { VideoPath: "https://video.example/4", Media: 78 }),
          event(5, {
            Comment: { text: "x" },
            AgendaFile: "a.pdf",
            Items: [{ ID: 1, Title: "A", Tally: [7] }, { ID: "x" }]
          })
        ]
      })
      const items = yield* itemsOf(folder, { facts })
      assert.deepStrictEqual(
        those(items, "meeting").map(({ video_url, attachments = [], agenda_items }) => [
          ...[video_url, ...attachments.map(({ url }) => url)],
          agenda_items.length
        ]),
        [
          ["https://video.example/1", 0],
          ["https://video.example/2", "https://media.example/2", 0],
          [undefined, 0],
          ["https://video.example/4", 0],
          [undefined, 1]
        ]
      )
      assert.deepStrictEqual(
        noticesOf(items).map((notice) => notice.split(":")[0]),
        [
          "Warning 3 Media",
          "Warning 5 Comment",
          "Warning 5 Items.0.Tally",
          "Warning 5 Items.1.ID",
          "Warning 5 AgendaFile"
        ]
      )
    })
  )

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

  it.effect("does not retire a name that another body has now", () =>
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
          ["2020-05-06", undefined, "cancelled"],
          ["2020-05-05", "2020-05-05T23:30:00Z", "held"]
        ]
      )
      assert.deepStrictEqual(noticesOf(items), [
        "Repeated 2: repeats the event of line 1 of events.ndjson",
        "Rejected 3 Date: is missing",
        "Rejected 5 BodyName: must not be empty",
        "Rejected 6: must be an object",
        "Warning 7 Items.0.ID: must be an integer; it is left out"
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

  it.effect("needs no EventInSiteURL if a file, meeting.json, the folder or the flags name the place", () =>
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

  it.effect("keeps the location of a meeting, how to join it, its recording, minutes and attachments", () =>
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
      const item = first?.agenda_items[0]?.id
      assert.deepInclude(first, {
        location: "Council Chambers, 12 Mill Street",
        join_url: "https://us02web.zoom.us/j/123?pwd=abc",
        video_url: "https://video.example/5.mp4",
        minutes_url: "https://marlow.example/minutes.pdf",
        attachments: [
          { title: "Staff report", url: "https://marlow.example/1.pdf", ...given("item", item) },
          { title: "Attachment", url: "https://marlow.example/2.pdf", ...given("item", item) }
        ]
      })
      assert.notProperty(second, "location")
      assert.notProperty(second, "video_url")
    })
  )
})
