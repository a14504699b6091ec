import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { putSample } from "../../src/record/sample/sample-record.ts"
import { documentId } from "../support/builders.ts"
import { fullRecord } from "../support/full-record.ts"
import { eachPage, fits, isAccessible, opened } from "../support/opened-page.ts"
import { serviceAddress, TestService } from "../support/service.ts"

const pages = {
  home: "/",
  browse: "/browse?q=greenway+or+water&county=Tamarack+County",
  place: "/in/larkmoor",
  body: "/in/larkmoor/city-council",
  upcoming: "/upcoming",
  places: "/places?q=larkmoor",
  quote: "/quote?text=the+greenway+is+two+years+late",
  trends: "/trends?q=greenway&q=budget&by=month&measure=share",
  about: "/about",
  nowhere: "/in/larkmor"
}

const SampleService = Layer.provideMerge(Layer.effectDiscard(putSample), TestService)

/** Enough for a browser on a busy machine to draw 32 pages. */
const patience = 300_000

layer(SampleService, { excludeTestServices: true })("pages in Chromium", (it) => {
  it.effect(
    "load what they need, fit the screen, and pass the accessibility rules, light and dark",
    (test) =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const browser = yield* opened(test, base, { bypassCSP: true })
        const { page } = browser
        yield* Effect.promise(() =>
          eachPage(browser, base, pages, async (name) => {
            for (const width of [390, 1280]) {
              await fits(page, name, width)
              await isAccessible(page, `${name} ${width}`)
            }
          })
        )
      }),
    patience
  )

  it.effect("name in one line each where the words of a search were found", (test) =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const { page } = yield* opened(test, `${base}/browse?q=greenway`)
      yield* Effect.promise(async () => {
        const lines = await page.locator(".matches > li").evaluateAll((found) => found.map((one) => one.clientHeight))
        assert.isNotEmpty(lines)
        for (const height of lines) assert.isBelow(height, 40)
      })
    })
  )

  it.effect("keep their own policy, show their fonts, and fit 320 pixels", (test) =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const browser = yield* opened(test, base)
      const { page } = browser
      yield* Effect.promise(() =>
        eachPage(browser, base, pages, async (name) => {
          await fits(page, name, 320)
          assert.isTrue(await page.evaluate(`document.fonts.check('16px "Public Sans"')`), name)
          assert.isTrue(await page.evaluate(`document.fonts.check('600 32px "Source Serif 4"')`), name)
        })
      )
    })
  )

  it.effect("copy the address of a calendar, with the filters of the page", (test) =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const { page, complaints } = yield* opened(test, `${base}/upcoming?place_slug=larkmoor`, {
        permissions: ["clipboard-read", "clipboard-write"]
      })
      yield* Effect.promise(async () => {
        await page.getByRole("button", { name: "Copy its address" }).click()
        await page.getByRole("status").filter({ hasText: "Copied the address." }).waitFor()
        assert.strictEqual(
          await page.evaluate("navigator.clipboard.readText()"),
          "http://record.example.gov/upcoming.ics?place_slug=larkmoor"
        )
        assert.deepStrictEqual(complaints, [])
      })
    })
  )

  it.effect("search, filter and page by keyboard and without scripts", (test) =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const { page } = yield* opened(test, `${base}/`, { javaScriptEnabled: false })
      yield* Effect.promise(async () => {
        await page.keyboard.press("Tab")
        assert.strictEqual(await page.locator(":focus").innerText(), "Skip to the page")
        await page.getByLabel("Search what was said, decided or planned").fill("greenway")
        await page.keyboard.press("Enter")
        await page.getByRole("heading", { level: 1, name: "Meetings: “greenway”" }).waitFor()
        const status = page.getByRole("status")
        const all = await status.innerText()
        // Found by its text: Playwright considers the contents of a closed `details` hidden, but the style shows them
        // here.
        await page
          .locator(".facets a", { hasText: /^Peña Springs$/ })
          .first()
          .click()
        await page.getByRole("link", { name: /^Without City: Peña Springs/ }).waitFor()
        assert.notStrictEqual(await status.innerText(), all)
        await page.getByRole("link", { name: /^Without City: Peña Springs/ }).click()
        assert.strictEqual(await status.innerText(), all)
        await page.goto(`${base}/browse?page_size=5`)
        await page.getByRole("link", { name: "Next page" }).click()
        assert.match(await status.innerText(), /page 2 of 6/)
      })
    })
  )
})

layer(TestService, { excludeTestServices: true })("the clip on the home page", (it) => {
  it.effect("plays in place, at an address that is requested at that moment; without scripts it is a link", (test) =>
    Effect.gen(function* () {
      yield* fullRecord
      const base = yield* serviceAddress
      const { page } = yield* opened(test, `${base}/`)
      const { page: plain } = yield* opened(test, `${base}/`, { javaScriptEnabled: false })
      yield* Effect.promise(async () => {
        assert.notInclude(await page.content(), "sig=")
        await page.locator("a.poster").click()
        await page.locator('video.poster[src*="sig="]').waitFor()
        assert.strictEqual(new URL(page.url()).pathname, "/")

        await plain.getByRole("link", { name: "Watch: One" }).click()
        await plain.getByRole("heading", { level: 1, name: "One" }).waitFor()
        assert.match((await plain.locator("video").getAttribute("src")) ?? "", /sig=/)
      })
    })
  )

  it.effect("lead from a vote to who voted, and to the way of what was decided", (test) =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const browser = yield* opened(test, `${base}/`, { bypassCSP: true })
      const { page } = browser
      yield* Effect.promise(async () => {
        await eachPage(
          browser,
          base,
          {
            person: "/people/springfield-ada-marsh",
            matter: "/in/springfield/matters/springfield-ord-2026-14",
            document: `/documents/${documentId("packet")}`
          },
          async (name) => {
            for (const width of [320, 1280]) {
              await fits(page, name, width)
              await isAccessible(page, `${name} ${width}`)
            }
          }
        )
        await page.goto(`${base}/people/springfield-ada-marsh`)
        await page.getByRole("link", { name: "Ord. 2026-14" }).click()
        await page.getByRole("heading", { level: 1, name: "Creek greenway" }).waitFor()
        await page.locator(".way a[href$='#votes']").click()
        await page.getByText("Who voted how").click()
        await page
          .getByRole("link", { name: "springfield-ben-ortiz" })
          .or(page.getByRole("link", { name: "Ben Ortiz" }))
          .click()
        await page.getByRole("heading", { level: 1, name: "Ben Ortiz" }).waitFor()
      })
    })
  )
})
