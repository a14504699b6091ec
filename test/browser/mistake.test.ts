import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { putSample } from "../../src/record/sample/sample-record.ts"
import { MistakeReports } from "../../src/services/accounts/mistake-reports.ts"
import { Browse } from "../../src/services/search/browse.ts"
import { reader } from "../support/actors.ts"
import { fits, isAccessible, opened, shown } from "../support/opened-page.ts"
import { serviceAddress, TestService } from "../support/service.ts"

const Service = Layer.provideMerge(Layer.effectDiscard(putSample), TestService)

layer(Service, { excludeTestServices: true })("a mistake in Chromium", (it) => {
  it.effect(
    "is reported at the words that were selected, and keeps what was typed where that cannot be sent",
    (test) =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const { token } = yield* reader()
        const { meetings } = yield* Browse.use((browse) => browse.search({ agency_slug: "larkmoor-city-council" }))
        const [meeting] = meetings.filter(({ has }) => has.transcript)
        const { page, complaints } = yield* opened(test, `${base}/about`, {
          expected: /status of 4\d\d/,
          bypassCSP: true
        })
        yield* Effect.promise(async () => {
          await page.context().addCookies([{ name: "cr_session", value: token, url: base }])
          await shown(page, base + meeting?.path)
          const words = await page.evaluate<string>(`(() => {
            const text = document.querySelectorAll(".turn")[2].lastElementChild.firstChild
            const range = document.createRange()
            range.setStart(text, 0)
            range.setEnd(text, 12)
            getSelection().removeAllRanges()
            getSelection().addRange(range)
            return range.toString().trim()
          })()`)
          const link = page.getByRole("link", { name: "Report a mistake" }).first()
          await link.click()
          await page.getByRole("heading", { level: 1, name: "Report a mistake" }).waitFor()
          assert.strictEqual(await page.getByLabel("The words it is about").inputValue(), words)
          assert.match(await page.getByLabel("When in the recording").inputValue(), /^\d+:\d\d$/)
          for (const width of [1280, 390]) {
            await fits(page, "mistake", width)
            await isAccessible(page, `mistake ${width}`)
          }
          await page.getByLabel("How it should read").fill("Not that")
          await page.getByRole("button", { name: "Send the report" }).click()
          await page.getByRole("alert").waitFor()
          assert.strictEqual(await page.getByLabel("How it should read").inputValue(), "Not that")
          await fits(page, "mistake-refused", 390)
          await page.getByLabel("What is wrong").fill("It was said otherwise.")
          await page.getByRole("button", { name: "Send the report" }).click()
          await page.getByText("Your report was received.").waitFor()
          await fits(page, "mistake-received", 390)
          await page.getByRole("link", { name: /^Back to the meeting at/ }).click()
          await page.locator("#said").waitFor()
          assert.deepStrictEqual(complaints, [])
        })
        const [report] = yield* MistakeReports.use(({ open }) => open)
        assert.deepInclude(report, { said: "It was said otherwise.", wording: "Not that" })
      }),
    240_000
  )
})
