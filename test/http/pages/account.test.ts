import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { putSample } from "../../../src/record/sample/sample-record.ts"
import { Follows } from "../../../src/services/accounts/follows.ts"
import { Browse } from "../../../src/services/search/browse.ts"
import { keptSearch, reader, readyClip } from "../../support/actors.ts"
import { ask } from "../../support/asked.ts"
import { readHtml, readMarkdown } from "../../support/reading-pages.ts"
import { serviceAddress, TestService } from "../../support/service.ts"

const acceptHtml = { accept: "text/html" }
const record = "http://record.example.gov"

layer(TestService)("the account page", (it) => {
  it.effect("shows its reader what is kept for them, in both forms, and is kept by no cache", () =>
    Effect.gen(function* () {
      yield* putSample
      const base = yield* serviceAddress
      const { accountId, credentials } = yield* reader()
      const { meetings } = yield* Browse.use((browse) => browse.search({ page_size: 1 }))
      const [meeting] = meetings
      if (meeting === undefined) return assert.fail("the sample has no meeting")
      yield* Follows.use((follows) =>
        follows.replace(accountId, { agencies: [meeting.body.slug], places: ["larkmoor"] })
      )
      yield* keptSearch(accountId)
      const { slug } = yield* readyClip(accountId, meeting.id)
      const html = yield* ask(`${base}/account`, { headers: { ...acceptHtml, ...credentials.headers } })
      const markdown = yield* ask(`${base}/md/account`, { headers: credentials.headers })
      for (const { status, headers, text, links } of [
        { ...html, ...readHtml(html.text, base) },
        { ...markdown, ...readMarkdown(markdown.text, record) }
      ]) {
        assert.strictEqual(status, 200)
        assert.strictEqual(headers.get("cache-control"), "private, no-store")
        assert.strictEqual(headers.get("x-robots-tag"), "noindex")
        assert.include(text, "reader@example.org")
        assert.includeMembers(
          [...links],
          [meeting.body.path, "/in/larkmoor", "/browse?q=kept", `/clips/${slug}`, "/api/me/export"]
        )
      }
    })
  )

  it.effect("sends everyone else to sign in and come back", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      for (const headers of [acceptHtml, { ...acceptHtml, cookie: "cr_session=forged" }]) {
        const answer = yield* ask(`${base}/account`, { headers, redirect: "manual" })
        assert.strictEqual(answer.status, 303)
        assert.strictEqual(answer.headers.get("location"), "/signin?return_to=/account")
        assert.strictEqual(answer.headers.get("cache-control"), "private, no-store")
      }
    })
  )

  it.effect("has a form that ends the session, but not for a page on another origin", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const { credentials } = yield* reader()
      const asReader = { ...acceptHtml, ...credentials.headers }
      const page = yield* ask(`${base}/account`, { headers: asReader })
      assert.include(page.text, '<form method="post" action="/signout">')
      const post = (origin: string) =>
        ask(`${base}/signout`, {
          method: "POST",
          redirect: "manual",
          body: new URLSearchParams(),
          headers: { ...asReader, origin }
        })
      assert.strictEqual((yield* post("https://elsewhere.example")).status, 403)
      assert.strictEqual((yield* ask(`${base}/account`, { headers: asReader })).status, 200)
      const out = yield* post(record)
      assert.deepStrictEqual([out.status, out.headers.get("location")], [303, "/"])
      assert.match(out.headers.get("set-cookie") ?? "", /^cr_session=;/)
      const after = yield* ask(`${base}/account`, { headers: asReader, redirect: "manual" })
      assert.strictEqual(after.status, 303)
    })
  )
})
