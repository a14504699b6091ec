import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { fits, isAccessible, opened, shown } from "../support/opened-page.ts"
import { serviceAddress, TestService } from "../support/service.ts"

layer(TestService, { excludeTestServices: true })("the API reference in Chromium", (it) => {
  it.effect(
    "leads to each operation, fits the screen, and passes the accessibility rules",
    (test) =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const { page, complaints } = yield* opened(test, `${base}/developers`, { bypassCSP: true })
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "API reference" }).click()
          await page.getByRole("link", { name: "List all places", exact: true }).click()
          const heading = page.getByRole("heading", { name: "List all places", exact: true })
          const { y = -1 } = (await heading.boundingBox()) ?? {}
          assert.isTrue(y >= 0 && y < 900, String(y))
          await shown(page, `${base}/developers/reference`)
          for (const width of [320, 1280]) await fits(page, "reference", width)
          await isAccessible(page, "reference")
          assert.deepStrictEqual(complaints, [])
        })
      }),
    300_000
  )
})
