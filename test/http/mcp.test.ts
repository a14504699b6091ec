import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { reader } from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { meetingId } from "../support/builders.ts"
import { fullRecord } from "../support/full-record.ts"
import { calling, connected } from "../support/mcp-client.ts"
import { serviceAddress, TestService } from "../support/service.ts"

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })("/mcp", (it) => {
  it.effect("lists its tools, each read-only and with the schema of its arguments", () =>
    Effect.gen(function* () {
      const client = yield* connected()
      const { tools } = yield* Effect.promise(() => client.listTools())
      assert.deepStrictEqual(
        tools.map(({ name }) => name),
        [
          "search_meetings",
          "read_meeting",
          "get_document",
          "check_quote",
          "list_upcoming",
          "find_place_or_body",
          "get_place",
          "get_body",
          "find_people",
          "get_person",
          "find_matters",
          "get_matter",
          "list_votes"
        ]
      )
      for (const { annotations, inputSchema } of tools) {
        assert.isTrue(annotations?.readOnlyHint)
        assert.isFalse(inputSchema.additionalProperties)
      }
      assert.match(client.getInstructions() ?? "", /search_meetings/)
    })
  )

  it.effect("finds meetings and opens one, with the address to cite, and reveals no more than the teaser", () =>
    Effect.gen(function* () {
      const found = yield* calling("search_meetings", { q: "greenway", type: ["city_council"] })
      // Each answer once: the text only says what the data is.
      assert.match(found.text, /^\d+ meetings? found, \d+ of them here\.$/)
      const [first] = found.told.meetings
      assert.strictEqual(first.url, `http://record.example.gov${first.path}`)
      assert.isTrue(first.matches.every((match: { url: string }) => match.url.startsWith(first.url)))
      const opened = yield* calling("read_meeting", { id: first.slug })
      assert.strictEqual(opened.told.id, first.id)
      assert.strictEqual(opened.told.gated, true)
      assert.strictEqual(opened.told.url, first.url)
      for (const key of ["transcript", "briefing", "recording"]) assert.notProperty(opened.told, key)
    })
  )

  it.effect("finds meetings by who voted, says whom it took for that, and counts what it is asked to", () =>
    Effect.gen(function* () {
      const { told } = yield* calling("search_meetings", { q: "person:marsh", facet: ["person", "vote"] })
      assert.deepStrictEqual(
        told.named.map(({ found }: { found: ReadonlyArray<{ url: string }> }) => found.map(({ url }) => url)),
        [["http://record.example.gov/people/springfield-ada-marsh"]]
      )
      assert.deepStrictEqual(Object.keys(told.facets), ["person", "vote"])
      assert.strictEqual(told.facets.person[0].count, told.total)
    })
  )

  it.effect("responds as to an anonymous caller, even if a session comes along", () =>
    Effect.gen(function* () {
      const { credentials } = yield* reader()
      const answer = yield* ask(`${yield* serviceAddress}/mcp`, {
        method: "POST",
        headers: {
          ...credentials.headers,
          "content-type": "application/json",
          accept: "application/json, text/event-stream"
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "read_meeting", arguments: { id: meetingId("full") } }
        })
      })
      assert.strictEqual(answer.status, 200, answer.text)
      const { result } = answer.json() as { result: { structuredContent: { gated: boolean } } }
      assert.isTrue(result.structuredContent.gated)
      assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    })
  )

  it.effect("knows places, bodies and upcoming meetings", () =>
    Effect.gen(function* () {
      const { told } = yield* calling("find_place_or_body", { q: "springfeld" })
      assert.isAbove(told.results.length, 0)
      assert.match(told.results[0].url, /\/in\/springfield/)
      assert.strictEqual((yield* calling("get_place", { slug: "springfield" })).told.slug, "springfield")
      assert.property((yield* calling("list_upcoming", { within_days: 7 })).told, "bodies")
    })
  )

  it.effect("names the invalid argument, and the id that names nothing, in the error shape", () =>
    Effect.gen(function* () {
      for (const [name, args, error, message] of [
        ["search_meetings", { page: 0 }, "invalid_request", /^page must be a whole number from 1 to 10000/],
        ["search_meetings", { pages: 1 }, "invalid_request", /^pages is not a known field/],
        ["read_meeting", {}, "invalid_request", /^id is required/],
        ["read_meeting", { id: "nothing" }, "not_found", /./],
        ["get_body", { slug: "nobody" }, "not_found", /./],
        ["get_person", { slug: "nobody" }, "not_found", /./],
        ["get_matter", { slug: "nothing" }, "not_found", /./],
        ["list_votes", {}, "invalid_request", /^meeting is required/]
      ] as const) {
        const { isError, told } = yield* calling(name, args)
        assert.isTrue(isError, name)
        assert.deepStrictEqual(Object.keys(told), ["error", "message", "hint"])
        assert.strictEqual(told.error, error)
        assert.match(told.message, message)
      }
      const client = yield* connected()
      const unknown = yield* Effect.promise(() => client.callTool({ name: "drop", arguments: {} }).catch(String))
      assert.match(String(unknown), /There is no tool drop/)
    })
  )

  it.effect("refuses an argument that contains U+0000 by its name, as an address is refused", () =>
    Effect.gen(function* () {
      for (const [tool, field, value] of [
        ["get_place", "slug", "a\u0000b"],
        ["get_body", "slug", "\u0000"],
        ["list_upcoming", "place_slug", "\u0000"],
        ["search_meetings", "city", ["Springfield", "\u0000"]]
      ] as const) {
        const { isError, told } = yield* calling(tool, { [field]: value })
        assert.isTrue(isError)
        assert.strictEqual(told.message, `${field} must not hold the character U+0000.`)
      }
    })
  )

  it.effect("takes one message per request, only by POST, and no larger than any body", () =>
    Effect.gen(function* () {
      const address = `${yield* serviceAddress}/mcp`
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
      const message = { jsonrpc: "2.0", id: 1, method: "tools/list" }
      const post = (body: string) => ask(address, { method: "POST", headers, body })
      assert.strictEqual((yield* post(JSON.stringify([message, message]))).status, 400)
      assert.strictEqual((yield* post("{")).status, 400)
      assert.strictEqual((yield* post(JSON.stringify({ ...message, padding: "x".repeat(70_000) }))).status, 413)
      assert.strictEqual((yield* post(JSON.stringify(message))).status, 200)
      const get = yield* ask(address, {})
      assert.strictEqual(get.status, 405)
      assert.strictEqual(get.headers.get("allow"), "POST, OPTIONS")
    })
  )
})
