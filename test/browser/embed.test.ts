import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { reader, readyClip } from "../support/actors.ts"
import { meetingId } from "../support/builders.ts"
import { fullRecord } from "../support/full-record.ts"
import { drawn, eachPage, fits, isAccessible, opened } from "../support/opened-page.ts"
import { serviceAddress, TestService } from "../support/service.ts"

/** A page of another site with a frame in it, until the scope closes. */
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
    it.effect("shows its player and, behind a button, its words; other pages cannot be framed there", (test) =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const { slug } = yield* readyClip((yield* reader()).accountId, meetingId("full"))
        const site = yield* otherSite(`${base}/embed/clips/${slug}`)
        const refused = yield* otherSite(`${base}/clips/${slug}`)
        const { page } = yield* opened(test, site, { viewport: { width: 700, height: 520 } })
        yield* Effect.promise(async () => {
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
        })
      })
    )

    it.effect("passes the accessibility rules, light and dark, and fits 320 pixels", (test) =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const { slug } = yield* readyClip((yield* reader()).accountId, meetingId("full"))
        const browser = yield* opened(test, base, { bypassCSP: true })
        const pages = { embedded: `/embed/clips/${slug}`, none: "/embed/clips/none", clip: `/clips/${slug}` }
        yield* Effect.promise(() =>
          eachPage(browser, base, pages, async (name) => {
            await fits(browser.page, name, 320)
            await isAccessible(browser.page, name)
          })
        )
      })
    )
  }
)
