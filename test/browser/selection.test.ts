import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { BrowserContextOptions, Page } from "playwright-core"
import type { TestContext } from "vitest"
import { putSample } from "../../src/record/sample/sample-record.ts"
import { reader } from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { drawn, isAccessible, opened, schemes, shown } from "../support/opened-page.ts"
import { copied, select } from "../support/selecting.ts"
import { serviceAddress, TestService } from "../support/service.ts"

/** The page of a meeting of the sample, for a reader who may use the clipboard. */
const asReader = Effect.fnUntraced(function* (test: TestContext, options: BrowserContextOptions = {}) {
  const base = yield* serviceAddress
  const { meetings } = (yield* ask(`${base}/api/meetings/browse?agency_slug=pena-springs-city-council&q=baler`)).json()
  const [{ path = "" } = {}] = Array.isArray(meetings) ? meetings : []
  const { token } = yield* reader()
  const found = yield* opened(test, `${base}/about`, options)
  yield* Effect.promise(async () => {
    await found.page.context().addCookies([{ name: "cr_session", value: token, url: base }])
    await found.page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await shown(found.page, base + path)
  })
  return { ...found, at: base + path }
})

/** Whether the bar lies over any selected word. */
const covers = `(() => {
  const bar = document.querySelector("[data-picked]").getBoundingClientRect()
  return [...getSelection().getRangeAt(0).getClientRects()].some(
    (word) => word.left < bar.right && word.right > bar.left && word.top < bar.bottom && word.bottom > bar.top
  )
})()`

layer(Layer.provideMerge(Layer.effectDiscard(putSample), TestService), { excludeTestServices: true })(
  "words selected in a transcript",
  (it) => {
    it.effect("are copied, linked, cited and shared from one bar, which the keyboard reaches and closes", (test) =>
      Effect.gen(function* () {
        const { page, at, complaints } = yield* asReader(test)
        yield* Effect.promise(async () => {
          const bar = page.getByRole("toolbar", { name: "Selected words" })
          const press = (name: string) => bar.getByRole("button", { name, exact: true }).click()
          assert.isFalse(await bar.isVisible())
          // Half a word is meant as a whole one.
          await select(page, "aler through")
          await bar.waitFor()
          assert.isFalse(await page.evaluate(covers))

          await press("Copy quote")
          await bar.getByText("Copied the quote.").waitFor()
          const [said = "", where = "", link = ""] = (await copied(page)).split("\n")
          assert.match(said, /^[^“”]+: “baler through[^”]*”$/)
          assert.match(where, /^Peña Springs City Council, .*, \w+ \d+, \d{4}, at \d+:\d\d$/)
          const { origin, pathname, searchParams } = new URL(link)
          assert.strictEqual(origin + pathname, at)
          assert.match(searchParams.get("q") ?? "", /^baler through/)
          assert.isAbove(Number(searchParams.get("t")), 0)

          await press("Copy link")
          await bar.getByText("Copied the link.").waitFor()
          assert.strictEqual(await copied(page), link)
          await press("Cite")
          for (const style of ["APA", "Chicago", "Bluebook"]) {
            await press(style)
            await bar.getByText(`Copied the citation (${style}).`).waitFor()
            const text = await copied(page)
            for (const part of [said.slice(0, -1), link, "Peña Springs City Council"]) assert.include(text, part, style)
          }
          // Chromium for Linux has no share sheet, so a link that opens the meeting at that second is copied.
          await press("Share")
          await bar.getByText("Copied a link to share.").waitFor()
          const shared = new URL(await copied(page)).searchParams
          assert.isNotNull(shared.get("st"))
          for (const name of ["t", "q"]) assert.strictEqual(shared.get(name), searchParams.get(name))

          await page.keyboard.press("Escape")
          assert.isFalse(await bar.isVisible())
          const turn = await placeOf(page, "baler through")
          await page.mouse.dblclick(turn.x, turn.y)
          await bar.waitFor()
          const focused = () => page.evaluate<string>("document.activeElement.textContent")
          await page.keyboard.press("Tab")
          assert.strictEqual(await focused(), "Copy quote")
          await page.keyboard.press("ArrowRight")
          assert.strictEqual(await focused(), "Copy link")
          await page.keyboard.press("End")
          assert.strictEqual(await focused(), "Share")
          await page.keyboard.press("ArrowRight")
          assert.strictEqual(await focused(), "Copy quote")
          await page.keyboard.press("Escape")
          assert.isFalse(await bar.isVisible())
          assert.match(await focused(), /^\d+:\d\d$/)
          assert.deepStrictEqual(complaints, [])
        })
      })
    )

    it.effect("are never covered by it at any width, and it passes the accessibility rules", (test) =>
      Effect.gen(function* () {
        const { page, complaints } = yield* asReader(test, { bypassCSP: true, hasTouch: true })
        yield* Effect.promise(async () => {
          const bar = page.getByRole("toolbar", { name: "Selected words" })
          for (const width of [390, 1280]) {
            await page.setViewportSize({ width, height: 844 })
            await select(page, "baler through")
            await bar.waitFor()
            assert.isFalse(await page.evaluate(covers))
            await bar.getByRole("button", { name: "Cite" }).tap()
            await bar.getByRole("button", { name: "APA" }).tap()
            await bar.getByText("Copied the citation (APA).").waitFor()
            assert.isFalse(await page.evaluate(covers))
            assert.isAtMost(Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth")), 0)
            await isAccessible(page, `bar ${width}`)
            for (const scheme of schemes) await drawn(page, `bar-${width}-${scheme}`, scheme, "screen")
            await page.emulateMedia({ forcedColors: "active" })
            await drawn(page, `bar-${width}-forced`, "light", "screen")
            await page.emulateMedia({ forcedColors: "none" })
            await page.evaluate("getSelection().removeAllRanges()")
            await page.touchscreen.tap(5, 5)
            await bar.waitFor({ state: "hidden" })
          }
          assert.deepStrictEqual(complaints, [])
        })
      })
    )
  }
)

/** The middle of words on the screen. */
const placeOf = (page: Page, words: string) =>
  page.evaluate<{ x: number; y: number }>(`(() => {
    const turn = [...document.querySelectorAll(".turn > span")].find((span) => span.textContent.includes(${JSON.stringify(words)}))
    const range = document.createRange()
    const at = turn.textContent.indexOf(${JSON.stringify(words)})
    range.setStart(turn.firstChild, at)
    range.setEnd(turn.firstChild, at + 5)
    const { left, right, top, height } = range.getBoundingClientRect()
    return { x: (left + right) / 2, y: top + height / 2 }
  })()`)
