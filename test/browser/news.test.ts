import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { Db } from "../../layers/db/db.ts"
import { putSample } from "../../src/record/sample/sample-record.ts"
import { Follows } from "../../src/services/accounts/follows.ts"
import { Meetings } from "../../src/services/meetings/meetings.ts"
import { reader } from "../support/actors.ts"
import { agency, meeting, meetingId, place, putOnRecord, said, transcript } from "../support/builders.ts"
import { drawn, fits, isAccessible, opened, shown } from "../support/opened-page.ts"
import { serviceAddress, TestService } from "../support/service.ts"

const record = putOnRecord(
  place("springfield"),
  agency("council", ["springfield"], { segment: "council" }),
  meeting("first", "council")
)
const Service = Layer.provideMerge(Layer.effectDiscard(Effect.andThen(putSample, record)), TestService)

/** What the page says of itself, once its script has had time to ask. */
const news = (page: Page) => page.locator(".page-news")
const sixMinutes = "06:00"

layer(Service, { excludeTestServices: true, timeout: 240_000 })("what is new, in Chromium", (it) => {
  it.effect("is first on home for a reader who was here before, and marked on followed pages", (test) =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const db = yield* Db
      const { token, accountId } = yield* reader("returning@example.org")
      yield* Follows.use((follows) => follows.follow(accountId, { kind: "places", slug: "larkmoor" }))
      yield* db`
        insert into account_visit (account_id, seen_at, new_since)
        values (${accountId}, now(), now() - interval '2 days')`
      const browser = yield* opened(test, `${base}/about`, { bypassCSP: true })
      yield* Effect.promise(async () => {
        const { page, complaints } = browser
        await page.context().addCookies([{ name: "cr_session", value: token, url: base }])
        for (const [name, path] of Object.entries({
          "news-home": "/",
          "news-place": "/in/larkmoor",
          "news-body": "/in/larkmoor/city-council",
          "news-follows": "/account/follows"
        })) {
          await shown(page, base + path)
          await page.getByText(/meetings new or changed since your last visit/).waitFor()
          assert.isAbove(await page.locator(".new").count(), 0, name)
          for (const width of [390, 1280]) {
            await fits(page, name, width)
            await isAccessible(page, `${name} ${width}`)
          }
        }
        assert.deepStrictEqual(complaints, [])
      })
    })
  )

  it.effect("is told on a page that was left open, which loads it again only if it is asked to", (test) =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const { path } = yield* Meetings.use((all) =>
        all.open(meetingId("first"), { _tag: "Anonymous", grantRefused: false })
      )
      const list = yield* opened(test, `${base}/about`, { bypassCSP: true })
      const one = yield* opened(test, `${base}/about`)
      const settled = Effect.fnUntraced(function* ({ page }: typeof list) {
        const asked = page.waitForResponse((response) => response.url().includes("/api/meetings/"))
        yield* Effect.promise(async () => {
          await page.clock.fastForward(sixMinutes)
          await asked
        })
      })
      yield* Effect.promise(async () => {
        for (const { page } of [list, one]) await page.clock.install()
        await list.page.goto(`${base}/in/springfield/council`)
        await one.page.goto(base + path)
      })
      yield* settled(list)
      yield* settled(one)
      yield* Effect.promise(async () => {
        assert.strictEqual(await news(list.page).innerText(), "")
        assert.strictEqual(await news(one.page).innerText(), "")
      })

      yield* putOnRecord(
        meeting("second", "council", { title: "Second session" }),
        transcript("first", said(["Good evening."]))
      )
      yield* settled(list)
      yield* settled(one)
      yield* Effect.promise(async () => {
        const { page, complaints } = list
        await news(page).getByText("1 new meeting in this list.").waitFor()
        assert.strictEqual(await news(page).getAttribute("aria-live"), "polite")
        assert.strictEqual(await page.getByRole("link", { name: /Second session/ }).count(), 0)
        for (const width of [390, 1280]) {
          await page.setViewportSize({ width, height: 900 })
          await drawn(page, `news-left-open-${width}`)
          await isAccessible(page, `left open ${width}`, ["light"])
        }
        await news(page).getByRole("button", { name: "Reload" }).click()
        await page.getByRole("link", { name: /Second session/ }).waitFor()
        assert.strictEqual(await news(page).innerText(), "")
        assert.deepStrictEqual(complaints, [])

        await news(one.page).getByText("New in this meeting: the transcript.").waitFor()
        assert.deepStrictEqual(one.complaints, [])
      })
    })
  )
})
