import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { putSample } from "../../src/record/sample/sample-record.ts"
import { launchedChromium } from "../support/chromium.ts"
import { fullRecord } from "../support/full-record.ts"
import { drawn, opened, schemes, shown, sidewise, wrongs } from "../support/opened-page.ts"
import { serviceAddress, TestService } from "../support/service.ts"

const pages = {
  home: "/",
  browse: "/browse?q=greenway+or+water&county=Tamarack+County",
  place: "/in/larkmoor",
  body: "/in/larkmoor/city-council",
  upcoming: "/upcoming",
  places: "/places?q=larkmoor",
  about: "/about",
  nowhere: "/in/larkmor"
}
const widths = [390, 1280]

/** A browser on a busy machine draws 32 pages in it. */
const patience = 300_000

layer(TestService, { excludeTestServices: true })("pages in Chromium", (it) => {
  it.effect(
    "load what they need, fit the screen, and pass the rules of accessibility, light and dark",
    (test) =>
      Effect.gen(function* () {
        const browser = yield* launchedChromium
        if (browser === undefined) return test.skip("Chromium cannot start on this machine")
        yield* putSample
        const base = yield* serviceAddress
        yield* Effect.promise(async () => {
          const { page, complaints, close } = await opened(browser, base, { bypassCSP: true })
          for (const [name, at] of Object.entries(pages)) {
            await shown(page, base + at)
            for (const width of widths) {
              await page.setViewportSize({ width, height: 900 })
              for (const colorScheme of schemes) {
                const where = `${name} ${width} ${colorScheme}`
                await drawn(page, where, colorScheme)
                assert.deepStrictEqual(await wrongs(page, colorScheme), [], where)
              }
              assert.isAtMost(Number(await page.evaluate(sidewise)), 0, name)
            }
            assert.deepStrictEqual(complaints, [], name)
          }
          await close()
        })
      }),
    patience
  )

  it.effect("name in one line each where the words of a search were found", (test) =>
    Effect.gen(function* () {
      const browser = yield* launchedChromium
      if (browser === undefined) return test.skip("Chromium cannot start on this machine")
      yield* putSample
      const base = yield* serviceAddress
      yield* Effect.promise(async () => {
        const { page, close } = await opened(browser, `${base}/browse?q=greenway`, {
          viewport: { width: 1280, height: 900 }
        })
        const lines = await page.locator(".matches > li").evaluateAll((found) => found.map((one) => one.clientHeight))
        assert.isNotEmpty(lines)
        for (const height of lines) assert.isBelow(height, 40)
        await close()
      })
    })
  )

  it.effect("keep their own policy, show their fonts, and fit 320 pixels", (test) =>
    Effect.gen(function* () {
      const browser = yield* launchedChromium
      if (browser === undefined) return test.skip("Chromium cannot start on this machine")
      yield* putSample
      const base = yield* serviceAddress
      yield* Effect.promise(async () => {
        const { page, complaints, close } = await opened(browser, base, { viewport: { width: 320, height: 640 } })
        for (const [name, at] of Object.entries(pages)) {
          await shown(page, base + at)
          assert.isAtMost(Number(await page.evaluate(sidewise)), 0, name)
          assert.isTrue(await page.evaluate(`document.fonts.check('16px "Public Sans"')`), name)
          assert.isTrue(await page.evaluate(`document.fonts.check('600 32px "Source Serif 4"')`), name)
          assert.deepStrictEqual(complaints, [], name)
        }
        await close()
      })
    })
  )

  it.effect("search, filter and page by the keyboard and without a script", (test) =>
    Effect.gen(function* () {
      const browser = yield* launchedChromium
      if (browser === undefined) return test.skip("Chromium cannot start on this machine")
      yield* putSample
      const base = yield* serviceAddress
      yield* Effect.promise(async () => {
        const { page, close } = await opened(browser, `${base}/`, {
          viewport: { width: 1280, height: 900 },
          javaScriptEnabled: false
        })
        await page.keyboard.press("Tab")
        assert.strictEqual(await page.locator(":focus").innerText(), "Skip to the page")
        await page.getByLabel("Search what was said, decided or planned").fill("greenway")
        await page.keyboard.press("Enter")
        await page.getByRole("heading", { level: 1, name: "Meetings: “greenway”" }).waitFor()
        const status = page.getByRole("status")
        const all = await status.innerText()
        // By its text: Playwright takes what is in a closed `details` for hidden, and here the style shows it.
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
        await close()
      })
    })
  )
})

layer(TestService, { excludeTestServices: true })("the clip on the home page", (it) => {
  it.effect("plays in its place, at an address that was asked for then; without a script it is a link", (test) =>
    Effect.gen(function* () {
      const browser = yield* launchedChromium
      if (browser === undefined) return test.skip("Chromium cannot start on this machine")
      yield* fullRecord
      const base = yield* serviceAddress
      yield* Effect.promise(async () => {
        const { page, close } = await opened(browser, `${base}/`, {})
        assert.notInclude(await page.content(), "sig=")
        await page.locator("a.poster").click()
        await page.locator('video.poster[src*="sig="]').waitFor()
        assert.strictEqual(new URL(page.url()).pathname, "/")
        await close()

        const plain = await opened(browser, `${base}/`, { javaScriptEnabled: false })
        await plain.page.getByRole("link", { name: "Watch: One" }).click()
        await plain.page.getByRole("heading", { level: 1, name: "One" }).waitFor()
        assert.match((await plain.page.locator("video").getAttribute("src")) ?? "", /sig=/)
        await plain.close()
      })
    })
  )
})
