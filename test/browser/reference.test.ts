import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { putSample } from "../../src/record/sample/sample-record.ts"
import { launchedChromium } from "../support/chromium.ts"
import { drawn, opened, schemes, wrongs } from "../support/opened-page.ts"
import { serviceAddress, TestService } from "../support/service.ts"

layer(TestService, { excludeTestServices: true })("the API reference in Chromium", (it) => {
  it.effect(
    "lists the operations under its policy, sends a request from the page, and passes the rules of accessibility",
    (test) =>
      Effect.gen(function* () {
        const browser = yield* launchedChromium
        if (browser === undefined) return test.skip("Chromium cannot start on this machine")
        yield* putSample
        const base = yield* serviceAddress
        yield* Effect.promise(async () => {
          const { page, complaints, close } = await opened(browser, `${base}/developers`, {})
          const elsewhere: Array<string> = []
          page.on("request", (request) => {
            if (!request.url().startsWith(base) && !request.url().startsWith("data:")) elsewhere.push(request.url())
          })
          await page.getByRole("link", { name: "API reference" }).click()
          const operation = page.locator("[id$=-listPlaces]").first()
          await operation.click()
          await operation.getByRole("button", { name: "Try it out" }).waitFor()
          for (const colorScheme of schemes) {
            await drawn(page, `reference-${colorScheme}`, colorScheme)
            // The library draws a second main part; that it has another role here is the one thing left.
            const left = (await wrongs(page, colorScheme)).filter((wrong) => !/^aria-allowed-role: <main /.test(wrong))
            assert.deepStrictEqual(left, [], colorScheme)
          }
          await operation.getByRole("button", { name: "Try it out" }).click()
          await operation.getByRole("button", { name: "Execute" }).click()
          await operation.locator(".live-responses-table .response-col_status", { hasText: "200" }).waitFor()
          assert.include(await operation.locator(".live-responses-table").innerText(), "larkmoor")
          assert.deepStrictEqual(complaints, [])
          assert.deepStrictEqual(elsewhere, [])
          await close()
        })
      }),
    300_000
  )

  it.effect("says without a script where the document is", (test) =>
    Effect.gen(function* () {
      const browser = yield* launchedChromium
      if (browser === undefined) return test.skip("Chromium cannot start on this machine")
      const base = yield* serviceAddress
      yield* Effect.promise(async () => {
        const { page, close } = await opened(browser, `${base}/developers/reference`, { javaScriptEnabled: false })
        assert.include(await page.getByRole("status").innerText(), "Without one, read the document above")
        await close()
      })
    })
  )
})
