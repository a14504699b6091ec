import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { putSample } from "../../src/record/sample/sample-record.ts"
import { launchedChromium } from "../support/chromium.ts"
import { wrongs } from "../support/opened-page.ts"
import { serviceAddress, TestService } from "../support/service.ts"

layer(TestService, { excludeTestServices: true })("the API reference in Chromium", (it) => {
  it.effect(
    "lists the operations under its policy, and sends a request from the page",
    (test) =>
      Effect.gen(function* () {
        const browser = yield* launchedChromium
        if (browser === undefined) return test.skip("Chromium cannot start on this machine")
        yield* putSample
        const base = yield* serviceAddress
        yield* Effect.promise(async () => {
          const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
          const complaints: Array<string> = []
          page.on("console", (line) => {
            if (line.type() === "error") complaints.push(line.text())
          })
          page.on("pageerror", (error) => complaints.push(String(error)))
          const elsewhere: Array<string> = []
          page.on("request", (request) => {
            if (!request.url().startsWith(base) && !request.url().startsWith("data:")) elsewhere.push(request.url())
          })
          await page.goto(`${base}/developers`)
          await page.getByRole("link", { name: "API reference" }).click()
          await page.locator("[id$=-listPlaces]").first().click()
          const operation = page.locator("[id$=-listPlaces]").first()
          await operation.getByRole("button", { name: "Try it out" }).click()
          await operation.getByRole("button", { name: "Execute" }).click()
          await operation.locator(".live-responses-table .response-col_status", { hasText: "200" }).waitFor()
          assert.include(await operation.locator(".live-responses-table").innerText(), "larkmoor")
          assert.deepStrictEqual(complaints, [])
          assert.deepStrictEqual(elsewhere, [])
          await page.close()
        })
      }),
    120_000
  )

  it.effect(
    "says without a script where the document is, and passes the rules of accessibility",
    (test) =>
      Effect.gen(function* () {
        const browser = yield* launchedChromium
        if (browser === undefined) return test.skip("Chromium cannot start on this machine")
        const base = yield* serviceAddress
        const shots = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-shots-"))
        console.log(`Screenshots are in ${shots}`)
        yield* Effect.promise(async () => {
          const plain = await browser.newPage({ javaScriptEnabled: false })
          await plain.goto(`${base}/developers/reference`)
          assert.include(await plain.getByRole("status").innerText(), "Without one, read the document above")
          await plain.close()
          const context = await browser.newContext({ bypassCSP: true, reducedMotion: "reduce" })
          const page = await context.newPage()
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme })
            await page.goto(`${base}/developers/reference`)
            await page.locator("[id$=-listPlaces]").first().click()
            await page.getByRole("button", { name: "Try it out" }).waitFor()
            await page.screenshot({ path: path.join(shots, `reference-${colorScheme}.png`) })
            // The library draws a second main part; that it has another role here is the one thing left.
            const left = (await wrongs(page)).filter((wrong) => !/^aria-allowed-role: <main /.test(wrong))
            assert.deepStrictEqual(left, [], colorScheme)
          }
          await context.close()
        })
      }),
    120_000
  )
})
