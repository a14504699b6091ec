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
  it.effect("shows its reader what is stored for them, in both forms, and is not cached", () =>
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
      const search = yield* keptSearch(accountId)
      const { id, slug } = yield* readyClip(accountId, meeting.id)
      const pages = {
        "/account": ["/account/name", "/account/follows", "/account/export", "/account/delete"],
        "/account/name": [],
        "/account/phone": [],
        "/account/email": [],
        "/account/email/code": ["/account/email"],
        "/account/password": [],
        "/account/follows": [meeting.body.path, "/in/larkmoor", "/account/mail"],
        "/account/calendar": ["/account/follows"],
        "/account/tokens": ["/developers"],
        "/account/sessions": ["/account/password"],
        "/account/mail": [],
        "/account/searches": ["/browse?q=kept", `/account/searches/${search}`],
        [`/account/searches/${search}`]: ["/browse?q=kept"],
        "/account/clips": [`${meeting.path}?t=100`, `/clips/${slug}`, `/api/user-clips/${id}/download`],
        "/account/export": ["/api/me/export"],
        "/account/delete": ["/account/export"]
      }
      for (const [path, expected] of Object.entries(pages)) {
        const html = yield* ask(`${base}${path}`, { headers: { ...acceptHtml, ...credentials.headers } })
        const markdown = yield* ask(`${base}/md${path}`, { headers: credentials.headers })
        for (const { status, headers, text, links } of [
          { ...html, ...readHtml(html.text, base) },
          { ...markdown, ...readMarkdown(markdown.text, record) }
        ]) {
          assert.strictEqual(status, 200, path)
          assert.strictEqual(headers.get("cache-control"), "private, no-store")
          assert.strictEqual(headers.get("x-robots-tag"), "noindex")
          assert.notInclude(text, credentials.headers.cookie ?? "cr_session")
          assert.includeMembers([...links], [...expected], path)
        }
        assert.notInclude(markdown.text, "undefined")
      }
    })
  )

  it.effect("sends everyone else to sign in and come back", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      for (const headers of [acceptHtml, { ...acceptHtml, cookie: "cr_session=forged" }]) {
        const answer = yield* ask(`${base}/account`, { headers, redirect: "manual" })
        assert.strictEqual(answer.status, 303)
        assert.strictEqual(answer.headers.get("location"), "/signin?return_to=%2Faccount")
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
      assert.include(page.text, '<form method="post" action="/signout" class="single">')
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
