import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import type { BrowsePage } from "../../schema/browse.ts"
import type { Match, MeetingTeaser } from "../../schema/meeting.ts"
import { writeAgenda } from "../../src/record/write/meeting.ts"
import {
  agency,
  agendaItemId,
  clipId,
  documentId,
  meeting,
  meetingId,
  place,
  putOnRecord,
  transcript
} from "../support/builders.ts"
import { call } from "../support/call.ts"
import { TestService } from "../support/service.ts"

/** Words spoken one per second, each with its time. */
const spoken = (text: string) => {
  const words = text.split(" ").map((word, at) => ({ start: at, end: at + 0.9, text: word }))
  return [{ start: 0, end: words.length, text, words }]
}

const record = putOnRecord(
  place("springfield"),
  agency("library-board", ["springfield"], { name: "Library Board" }),
  meeting("one", "library-board", {
    title: "Special Session",
    agenda_items: [
      { id: agendaItemId("a"), title: "Roof repair", description: "Bids for asphalt shingles", start: 3 },
      { id: agendaItemId("b"), title: "Shingles", description: "More shingles" }
    ],
    chapters: [{ title: "Roof", start: 3, end: 60 }]
  }),
  {
    type: "clip",
    meeting_id: meetingId("one"),
    id: clipId("a"),
    title: "Gutters",
    start: 1,
    end: 9,
    state: "published"
  },
  {
    ...{ type: "document", meeting_id: meetingId("one"), id: documentId("old"), kind: "minutes", title: "Minutes" },
    ...{ media_type: "application/pdf", fetched_at: "2026-03-01T00:00:00.000Z" },
    pages: [{ text: "Roll call" }, { text: "The gazebo was painted.\nThe verandah\nwas not." }]
  },
  {
    ...{
      type: "document",
      meeting_id: meetingId("one"),
      id: documentId("packet"),
      kind: "packet",
      title: "Full packet"
    },
    ...{ media_type: "application/pdf", fetched_at: "2026-03-01T00:00:00.000Z", version: 2 },
    bookmarks: [
      { title: "Letters", page: 1 },
      { title: "1. Roof repair", page: 2 }
    ],
    pages: [
      { text: "Letters" },
      { text: `${"Of the skylight. ".repeat(200)}Nothing more.` },
      { text: `${"Lorem ipsum. ".repeat(58)}A cupola over the\nreading room, and a gazebo.` }
    ]
  },
  transcript("one", [
    ...spoken("the tax is high but a levy and a new sales tax levy is here").map((segment) => ({
      ...segment,
      speaker: "Speaker 1"
    })),
    { start: 20, end: 25, speaker: "Zoë  Will", text: "No further remarks." },
    { start: 30, end: 35, speaker: "Ada Marsh", text: "Thank you." },
    { start: 40, end: 45, speaker: "Zoë Will", text: "Motion carries." }
  ])
)

layer(Layer.provideMerge(Layer.effectDiscard(record), TestService), { excludeTestServices: true })(
  "the matches of a meeting in search results",
  (it) => {
    const matchesOf = Effect.fnUntraced(function* (q: string) {
      const answer = yield* call("GET", `/api/meetings/browse?${new URLSearchParams({ q })}`)
      const { meetings } = answer.json() as unknown as BrowsePage
      assert.lengthOf(meetings, 1, q)
      const path = meetings[0]?.path ?? ""
      const carried = `&${new URLSearchParams({ q })}`
      return (meetings[0]?.matches ?? []).map((match) => {
        const rest = match.path.replace(path, "")
        assert.isTrue(rest === "" || /^(\w*:|-)/.test(q) || rest.endsWith(carried), rest)
        return { ...match, path: rest.replace(/&q=.*/, "") }
      })
    })

    it.effect("name the body, and the position of words that only readers see, without those words", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* matchesOf("library"), [
          { field: "body", snippet: "Library Board, Springfield", path: "" }
        ])
        assert.deepStrictEqual(yield* matchesOf("springfield"), [
          { field: "body", snippet: "Library Board, Springfield", path: "" }
        ])
        assert.deepStrictEqual(yield* matchesOf("asphalt"), [{ field: "agenda", start: 3, path: "?t=3" }])
        // The clip is published, but nobody can watch it yet.
        assert.deepStrictEqual(yield* matchesOf("gutters"), [{ field: "clip", start: 1, path: "?t=1" }])
      })
    )

    it.effect("list an item once, with its title if that has the words, and no moment twice", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* matchesOf("shingles"), [
          { field: "agenda", snippet: "Shingles", path: "" },
          { field: "agenda", start: 3, path: "?t=3" }
        ])
        assert.deepStrictEqual(yield* matchesOf("roof"), [
          { field: "agenda", snippet: "Roof repair", start: 3, path: "?t=3" }
        ])
      })
    )

    it.effect("give the second at which the phrase itself is said", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* matchesOf('"tax levy"'), [
          { field: "transcript", count: 1, start: 11, path: "?t=11" }
        ])
        assert.deepStrictEqual(yield* matchesOf("tax levy"), [
          { field: "transcript", count: 2, start: 11, path: "?t=11" }
        ])
        assert.deepStrictEqual(yield* matchesOf("levy"), [{ field: "transcript", count: 2, start: 6, path: "?t=6" }])
      })
    )

    it.effect("give the pages of documents, with their words, to everybody", () =>
      Effect.gen(function* () {
        const packet = { id: documentId("packet"), kind: "packet" as const, title: "Full packet" }
        const minutes = { id: documentId("old"), kind: "minutes" as const, title: "Minutes" }
        const found = Effect.fnUntraced(function* (q: string) {
          const answer = yield* call("GET", `/api/meetings/browse?${new URLSearchParams({ q })}`)
          return (answer.json() as unknown as BrowsePage).meetings.flatMap(({ matches = [] }) => matches)
        })
        // The words of a phrase may stand on two lines, and in two passages.
        const [cupola, ...others] = yield* found('"over the reading room"')
        assert.isEmpty(others)
        const { snippet = "", ...place } = cupola ?? assert.fail("not found")
        assert.match(snippet, /A cupola over the reading room, and a gazebo\.$/)
        const path = `/documents/${packet.id}?page=3&q=%22over+the+reading+room%22#page-3`
        assert.deepStrictEqual(place, { field: "document", document: packet, page: 3, path })
        // Each page once; where one has all the words, not those with some.
        const pagesOf = (matches: ReadonlyArray<Match>) =>
          matches.map(({ field, document, page }) => [field, document?.kind, page])
        assert.deepStrictEqual(pagesOf(yield* found("skylight")), [["document", "packet", 2]])
        assert.sameDeepMembers(pagesOf(yield* found("gazebo")), [
          ["document", "packet", 3],
          ["document", "minutes", 2]
        ])
        assert.deepStrictEqual(pagesOf(yield* found("verandah gazebo")), [["document", "minutes", 2]])
        assert.deepStrictEqual(pagesOf(yield* found("document:verandah")), [["document", "minutes", 2]])
        assert.deepStrictEqual(yield* found('document:"verandah skylight"'), [], "not in one passage")
        assert.deepStrictEqual(pagesOf(yield* found("levy document:gazebo")).slice(0, 1), [
          ["transcript", undefined, undefined]
        ])
        assert.deepStrictEqual(yield* found('"letters of the skylight"'), [], "no phrase runs across pages")
        // What it replaced is found no longer, nor is what a removed meeting had.
        const [before] = yield* found("painted")
        assert.deepInclude(before, {
          document: minutes,
          page: 2,
          snippet: "The gazebo was painted. The verandah was not."
        })
        yield* putOnRecord({
          ...{ type: "document", meeting_id: meetingId("one"), id: minutes.id, kind: "minutes", title: "Minutes" },
          ...{ media_type: "application/pdf", fetched_at: "2026-03-02T00:00:00.000Z", version: 2 },
          pages: [{ text: "The pergola was stained." }]
        })
        assert.deepStrictEqual(yield* found("painted"), [])
        assert.deepStrictEqual(pagesOf(yield* found("stained")), [["document", "minutes", 1]])
        const page = yield* call("GET", path.replace(/#.*/, ""))
        assert.include(page.text, "<mark>reading</mark>")
        const browse = yield* call("GET", "/md/browse?q=stained")
        assert.include(browse.text, `/documents/${minutes.id}?page=1&q=stained#page-1)`)
      })
    )

    it.effect("lead from an item to its page of the packet, which an agenda that is written again keeps", () =>
      Effect.gen(function* () {
        const packet = { document: documentId("packet"), title: "Full packet", page: 2 }
        const path = `/documents/${packet.document}?page=2#page-2`
        const itemsNow = Effect.gen(function* () {
          const answer = yield* call("GET", `/api/meetings/${meetingId("one")}`)
          return (answer.json() as unknown as MeetingTeaser).agenda_items.map(({ packet }) => packet)
        })
        assert.deepStrictEqual(yield* itemsNow, [[{ ...packet, path }], undefined])
        const { path: page } = (yield* call(
          "GET",
          `/api/meetings/${meetingId("one")}`
        )).json() as unknown as MeetingTeaser
        assert.include((yield* call("GET", page)).text, `<a href="${path}">Full packet, page 2</a>`)
        const db = yield* Db
        yield* db.withTransaction(
          writeAgenda(db, {
            id: meetingId("one"),
            agenda_items: [
              { id: agendaItemId("a"), title: "Roof repair", description: "Bids for asphalt shingles", start: 3 },
              { id: agendaItemId("b"), title: "A cupola over the reading room" }
            ]
          })
        )
        assert.deepStrictEqual(
          (yield* itemsNow).map((tied) => tied?.map(({ page }) => page)),
          [[2], undefined],
          "the second is not at the head of its page"
        )
      })
    )

    it.effect("say when somebody first speaks, whether searched for as a speaker or by plain name", () =>
      Effect.gen(function* () {
        const zoe = [{ field: "speaker" as const, start: 20, path: "?t=20" }]
        assert.deepStrictEqual(yield* matchesOf("speaker:zoe"), zoe)
        // As a word of the language, "will" finds nothing.
        assert.deepStrictEqual(yield* matchesOf("Speaker:Will"), zoe)
        assert.deepStrictEqual(yield* matchesOf('speaker:"will zoë" -speaker:nobody'), zoe)
        assert.deepStrictEqual(yield* matchesOf("zoe"), zoe)
        assert.deepStrictEqual(yield* matchesOf("levy speaker:marsh after:2000"), [
          { field: "speaker", start: 30, path: "?t=30" },
          { field: "transcript", count: 2, start: 6, path: "?t=6" }
        ])
      })
    )

    it.effect("name the body if only it or its place was searched for", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* matchesOf("body:library"), [{ field: "body", path: "" }])
        assert.deepStrictEqual(yield* matchesOf("place:Springfield -body:council"), [{ field: "body", path: "" }])
      })
    )

    it.effect("are none where nobody of that name speaks, or the day is another", () =>
      Effect.gen(function* () {
        for (const q of [
          "speaker:ruiz",
          "speaker:1",
          "-speaker:marsh",
          "body:council",
          "place:decatur",
          "after:2999"
        ]) {
          const answer = yield* call("GET", `/api/meetings/browse?${new URLSearchParams({ q, exact: "1" })}`)
          assert.strictEqual(answer.json().total, 0, q)
        }
        const wrong = yield* call("GET", "/api/meetings/browse?q=levy+before:noon")
        assert.strictEqual(wrong.status, 400)
        assert.match(String(wrong.json().message), /^q must have a day, a month or a year after before:/)
      })
    )

    it.effect("are the meeting as a whole where no part of it has the words", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* matchesOf("-beer"), [{ field: "title", path: "" }])
        // It runs across the title and the body's name.
        assert.deepStrictEqual(yield* matchesOf('"session library"'), [{ field: "title", path: "" }])
      })
    )
  }
)
