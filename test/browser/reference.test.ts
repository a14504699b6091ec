import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { putSample } from "../../src/record/sample/sample-record.ts"
import { isAccessible, opened, schemes } from "../support/opened-page.ts"
import { serviceAddress, TestService } from "../support/service.ts"

layer(TestService, { excludeTestServices: true })("the API reference in Chromium", (it) => {
  it.effect(
    "lists the operations under its policy, sends a request from the page, and passes the accessibility rules",
    (test) =>
      Effect.gen(function* () {
        yield* putSample
        const base = yield* serviceAddress
        const { page, complaints } = yield* opened(test, `${base}/developers`)
        yield* Effect.promise(async () => {
          const elsewhere: Array<string> = []
          page.on("request", (request) => {
            if (!request.url().startsWith(base) && !request.url().startsWith("data:")) elsewhere.push(request.url())
          })
          await page.getByRole("link", { name: "API reference" }).click()
          const operation = page.locator("[id$=-listPlaces]").first()
          await operation.click()
          await operation.getByRole("button", { name: "Try it out" }).waitFor()
          // The library draws a second `main` element; its role is the one complaint left.
          await isAccessible(page, "reference", schemes, /^aria-allowed-role: <main /)
          await operation.getByRole("button", { name: "Try it out" }).click()
          await operation.getByRole("button", { name: "Execute" }).click()
          await operation.locator(".live-responses-table .response-col_status", { hasText: "200" }).waitFor()
          assert.include(await operation.locator(".live-responses-table").innerText(), "larkmoor")
          assert.deepStrictEqual(complaints, [])
          assert.deepStrictEqual(elsewhere, [])
        })
      }),
    300_000
  )

  it.effect("without scripts, says where the document is", (test) =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const { page } = yield* opened(test, `${base}/developers/reference`, { javaScriptEnabled: false })
      const status = yield* Effect.promise(() => page.getByRole("status").innerText())
      assert.include(status, "Without one, read the document above")
    })
  )
})
