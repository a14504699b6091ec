import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { reader, readyClip } from "../support/actors.ts"
import { meetingId } from "../support/builders.ts"
import { launchedChromium } from "../support/chromium.ts"
import { fullRecord } from "../support/full-record.ts"
import { drawn, schemes, sidewise, wrongs } from "../support/opened-page.ts"
import { serviceAddress, TestService } from "../support/service.ts"

/** A page of another site, with a frame in it, until the scope closes. */
const otherSite = (frame: string) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<http.Server>((resolve) => {
          const page = `<!doctype html><html lang="en"><title>News</title><iframe title="Clip" width="640" height="456" src="${frame}"></iframe>`
          const server = http.createServer((_, response) => {
            response.setHeader("content-type", "text/html")
            response.end(page)
          })
          server.listen(0, "127.0.0.1", () => resolve(server))
        })
    ),
    (server) => Effect.sync(() => server.close())
  ).pipe(Effect.map((server) => `http://localhost:${(server.address() as AddressInfo).port}/`))

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "a shared clip in a frame of another site",
  (it) => {
    it.effect("shows its player and, behind a button, its words; other pages are not shown there", (test) =>
      Effect.gen(function* () {
        const browser = yield* launchedChromium
        if (browser === undefined) return test.skip("Chromium cannot start on this machine")
        const base = yield* serviceAddress
        const { slug } = yield* readyClip((yield* reader()).accountId, meetingId("full"))
        const site = yield* otherSite(`${base}/embed/clips/${slug}`)
        const refused = yield* otherSite(`${base}/clips/${slug}`)
        yield* Effect.promise(async () => {
          const page = await browser.newPage({ viewport: { width: 700, height: 520 } })
          await page.goto(site)
          const frame = page.frameLocator("iframe")
          await frame.getByRole("heading", { level: 1, name: "Ready" }).waitFor()
          assert.isTrue(await frame.locator("video[controls]").isVisible())
          const words = frame.getByText("Sentence number 20,")
          assert.isFalse(await words.isVisible())
          await drawn(page, "embed")
          await frame.getByText("Read what is said").click()
          await words.waitFor({ state: "visible" })
          assert.deepStrictEqual(await page.context().cookies(), [])
          await page.goto(refused)
          assert.strictEqual(await page.frameLocator("iframe").getByRole("heading", { name: "Ready" }).count(), 0)
          await page.close()
        })
      })
    )

    it.effect("passes the rules of accessibility, light and dark, and fits 320 pixels", (test) =>
      Effect.gen(function* () {
        const browser = yield* launchedChromium
        if (browser === undefined) return test.skip("Chromium cannot start on this machine")
        const base = yield* serviceAddress
        const { slug } = yield* readyClip((yield* reader()).accountId, meetingId("full"))
        yield* Effect.promise(async () => {
          for (const at of [`/embed/clips/${slug}`, "/embed/clips/none", `/clips/${slug}`]) {
            const page = await browser.newPage({ bypassCSP: true, viewport: { width: 320, height: 480 } })
            await page.goto(base + at)
            for (const colorScheme of schemes) assert.deepStrictEqual(await wrongs(page, colorScheme), [], at)
            assert.isAtMost(Number(await page.evaluate(sidewise)), 0, at)
            await page.close()
          }
        })
      })
    )
  }
)
