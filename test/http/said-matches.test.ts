import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SearchIndex } from "../../src/services/search/search-index.ts"
import { type Credentials, grantTo, nobody, reader, shareCookie, shareToken } from "../support/actors.ts"
import { agency, meeting, meetingId, place, putOnRecord, transcript } from "../support/builders.ts"
import { call } from "../support/call.ts"
import { TestService } from "../support/service.ts"

const filler = (words: number) => Array.from({ length: words }, (_, at) => `filler${at % 7}`).join(" ")

const record = putOnRecord(
  place("springfield"),
  agency("council", ["springfield"], { name: "City Council" }),
  meeting("one", "council", { title: "Regular Session" }),
  meeting("two", "council", { title: "Work Session" }),
  transcript("one", [
    {
      start: 10,
      end: 20,
      speaker: "Ada Marsh",
      text: "We come to order. The police contract is before us, and nothing else."
    },
    { start: 20, end: 60, speaker: "Ada Marsh", text: `${filler(288)}.` },
    { start: 60, end: 70, speaker: "Zoë Will", text: "Police contracts expire in June. Thank you." },
    { start: 70, end: 90, text: `${filler(150)} a contract.` }
  ]),
  transcript("two", [{ start: 5, end: 9, speaker: "Zoë Will", text: "A secretword of the police." }])
)

const ask = (q: string, who: Credentials = nobody, path = "/api/meetings/browse") =>
  call("GET", `${path}?${new URLSearchParams({ q })}`, who)

interface Found {
  readonly id: string
  readonly matches: ReadonlyArray<Record<string, unknown>>
}

const foundIn = (meetings: unknown, id: string) =>
  ((meetings as ReadonlyArray<Found>).find((one) => one.id === id)?.matches ?? []).filter(
    ({ field }) => field === "transcript"
  )

layer(Layer.provideMerge(Layer.effectDiscard(record), TestService.pipe(Layer.provideMerge(SearchIndex.none))), {
  excludeTestServices: true
})("what is said, in search results", (it) => {
  it.effect("is a count and a second for anyone, and the sentence and its speaker for readers", () =>
    Effect.gen(function* () {
      const { credentials } = yield* reader()
      const anyone = yield* ask('"police contract"')
      assert.deepStrictEqual(
        foundIn(anyone.json().meetings, meetingId("one")).map(({ path: _, ...match }) => match),
        [
          { field: "transcript", start: 10, count: 2 },
          { field: "transcript", start: 60, count: 2 }
        ]
      )
      assert.notInclude(anyone.text, "nothing else")
      assert.match(String(anyone.headers.get("cache-control")), /^public/)
      assert.include(String(anyone.headers.get("vary")), "Cookie")

      const readers = yield* ask('"police contract"', credentials)
      assert.deepStrictEqual(
        foundIn(readers.json().meetings, meetingId("one")).map(({ path: _, ...match }) => match),
        [
          {
            field: "transcript",
            start: 10,
            count: 2,
            snippet: "The police contract is before us, and nothing else.",
            speaker: "Ada Marsh"
          },
          {
            field: "transcript",
            start: 60,
            count: 2,
            snippet: "Police contracts expire in June.",
            speaker: "Zoë Will"
          }
        ]
      )
      assert.strictEqual(readers.headers.get("cache-control"), "private, no-store")
      assert.notStrictEqual(readers.headers.get("etag"), anyone.headers.get("etag"))

      // What a reader was told is not what the next one without a session gets, even by the reader's tag.
      const again = yield* call(
        "GET",
        `/api/meetings/browse?${new URLSearchParams({ q: '"police contract"' })}`,
        nobody,
        undefined,
        {
          "if-none-match": String(readers.headers.get("etag"))
        }
      )
      assert.strictEqual(again.status, 200)
      assert.strictEqual(again.text, anyone.text)
    })
  )

  it.effect("is for the holder of a grant only in the meeting that it is for", () =>
    Effect.gen(function* () {
      const redeemed = yield* call("POST", "/api/share/redeem", nobody, { token: yield* grantTo(meetingId("one")) })
      const [, cookie = ""] = /cr_share=([^;]+)/.exec(redeemed.headers.get("set-cookie") ?? "") ?? []
      for (const who of [shareToken(yield* grantTo(meetingId("one"))), shareCookie(cookie)]) {
        const answer = yield* ask("police", who)
        const { meetings } = answer.json()
        assert.isTrue(foundIn(meetings, meetingId("one")).every(({ snippet }) => String(snippet).includes("olice")))
        assert.isTrue(
          foundIn(meetings, meetingId("two")).every((match) => !("snippet" in match) && !("speaker" in match))
        )
        assert.isNotEmpty(foundIn(meetings, meetingId("two")))
        assert.notInclude(answer.text, "secretword")
        assert.strictEqual(answer.headers.get("cache-control"), "private, no-store")
      }
    })
  )

  it.effect("counts words that two passages share once, and several words where they are said together", () =>
    Effect.gen(function* () {
      const countOf = (q: string) =>
        Effect.map(ask(q), (answer) => foundIn(answer.json().meetings, meetingId("one"))[0]?.count)
      assert.strictEqual(yield* countOf("contract"), 3)
      assert.strictEqual(yield* countOf("police contract"), 2)
      assert.strictEqual(yield* countOf("filler0"), 42 + 22)
    })
  )

  it.effect("carries the words in the address of its moment", () =>
    Effect.gen(function* () {
      const [match] = foundIn((yield* ask('"police contract"')).json().meetings, meetingId("one"))
      assert.match(String(match?.path), /\?t=10&q=%22police\+contract%22$/)
    })
  )

  it.effect("is quoted on the search page, in both forms, for those who may read it", () =>
    Effect.gen(function* () {
      const { credentials } = yield* reader()
      const q = '"police contract"'
      for (const path of ["/browse", "/md/browse"]) {
        const anyone = yield* ask(q, nobody, path)
        assert.include(anyone.text, "2 times in this meeting")
        assert.notInclude(anyone.text, "nothing else")
        const readers = yield* ask(q, credentials, path)
        assert.include(readers.text, "2 times in this meeting")
        assert.include(readers.text, "is before us, and nothing else.")
        assert.include(readers.text, "Ada Marsh")
        assert.strictEqual(readers.headers.get("cache-control"), "private, no-store")
      }
      const html = (yield* ask(q, credentials, "/browse")).text
      assert.include(html, "<mark>police contract</mark>")
      assert.include(html, "?t=10&amp;q=%22police+contract%22#said")
    })
  )

  it.effect("is marked where a moment's address opens the meeting, for its readers", () =>
    Effect.gen(function* () {
      const { credentials } = yield* reader()
      const [match] = foundIn((yield* ask('"police contract"')).json().meetings, meetingId("one"))
      const path = String(match?.path)
      const html = (yield* call("GET", path, credentials)).text
      assert.include(html, "<mark>police contract</mark>")
      assert.include(html, 'value="&quot;police contract&quot;"')
      assert.match(html, /id="said"/)
      assert.notInclude((yield* call("GET", path)).text, "police contract</mark>")
    })
  )

  it.effect("is told word by word where nothing has all of the words", () =>
    Effect.gen(function* () {
      for (const q of ["police the zeppelin", '"police zeppelin"']) {
        const { total, words } = (yield* ask(q)).json()
        assert.deepStrictEqual(
          [total, words],
          [
            0,
            [
              { q: "police", total: 2 },
              { q: "zeppelin", total: 0 }
            ]
          ]
        )
      }
      const html = (yield* ask("police zeppelin", nobody, "/browse")).text
      assert.match(html, /<a href="[^"]*\?q=police">police<\/a>/)
      assert.include(html, 'value="police zeppelin"')
      assert.notProperty((yield* ask("police")).json(), "words")
    })
  )

  it.effect("leaves a body's name to the link above the list", () =>
    Effect.gen(function* () {
      const html = (yield* ask("city council", nobody, "/browse")).text
      assert.match(html, /On record under this name[\s\S]*href="\/in\/springfield\/council">City Council</)
      assert.notInclude(html, "<mark>City</mark>")
    })
  )
})
