import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { reader, readyClip } from "../support/actors.ts"
import { meetingId } from "../support/builders.ts"
import { fullRecord } from "../support/full-record.ts"
import { drawn, eachPage, fits, isAccessible, opened } from "../support/opened-page.ts"
import { serviceAddress, TestService } from "../support/service.ts"

const frameOf = (address: string) => `<iframe title="Clip" width="640" height="456" src="${address}"></iframe>`

/** A page of another site with a frame in it, until the scope closes. */
const otherSite = (frame: string) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<http.Server>((resolve) => {
          const page = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>News</title>${frame}`
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
        const site = yield* otherSite(frameOf(`${base}/embed/clips/${slug}`))
        const refused = yield* otherSite(frameOf(`${base}/clips/${slug}`))
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

    it.effect("is copied and embedded from its page, and the frame is as wide as the page it stands in", (test) =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const { slug } = yield* readyClip((yield* reader()).accountId, meetingId("full"))
        const { page, complaints } = yield* opened(test, `${base}/clips/${slug}`)
        const site = yield* Effect.promise(async () => {
          await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
          const copied = async (name: string) => {
            await page.getByRole("button", { name }).click()
            await page.locator("button", { hasText: name }).locator("+ .told", { hasText: "Copied" }).waitFor()
            return page.evaluate<string>("navigator.clipboard.readText()")
          }
          assert.strictEqual(await copied("Copy link"), `http://record.example.gov/clips/${slug}`)
          const code = await copied("Copy embed code")
          assert.match(code, /^<iframe [^<]*><\/iframe>$/)
          // A player lists the captions, which load.
          const cues = await page.evaluate<number>(`new Promise((loaded) => {
            const element = document.querySelector("track")
            element.addEventListener("load", () => loaded(element.track.cues.length))
            element.track.mode = "showing"
          })`)
          assert.strictEqual(cues, 12)
          assert.deepStrictEqual(
            complaints.filter((line) => !/media|video/i.test(line)),
            []
          )
          return code.replace("http://record.example.gov", base)
        })
        const article = yield* otherSite(site)
        yield* Effect.promise(async () => {
          for (const width of [390, 1280]) {
            await page.setViewportSize({ width, height: 800 })
            await page.goto(article)
            const frame = (await page.locator("iframe").boundingBox()) ?? { width: 0, height: 0 }
            assert.approximately(frame.width, Math.min(640, width - 16), 1)
            assert.approximately(frame.height, (frame.width * 456) / 640, 2)
            await page.frameLocator("iframe").getByRole("heading", { level: 1, name: "Ready" }).waitFor()
            await drawn(page, `article-${width}`, "light", "screen")
            await drawn(page, `article-${width}-dark`, "dark", "screen")
          }
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
