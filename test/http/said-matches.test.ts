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
})
