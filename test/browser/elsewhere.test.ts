import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { reader } from "../support/actors.ts"
import { agency, agendaItemId, meeting, meetingId, place, putOnRecord, transcript } from "../support/builders.ts"
import { fits, isAccessible, opened, shown } from "../support/opened-page.ts"
import { serviceAddress, TestService } from "../support/service.ts"

const archived = "https://archive.org/details/city-council-r-265-190827"
const headline = "Council puts off the contract for the treatment plant "

/** Meetings as cities publish them: nothing recorded here, titles that say nothing, captions in capitals. */
const record = Effect.gen(function* () {
  yield* putOnRecord(
    place("springfield"),
    agency("springfield-council", ["springfield"]),
    meeting("listed", "springfield-council", {
      title: "City Council",
      source_url: archived,
      chapters: [],
      agenda_items: [
        { id: agendaItemId("open"), title: "Call to order" },
        { id: agendaItemId("plant"), title: `${headline.repeat(4)}of the north`, start: 40 },
        { id: agendaItemId("lease"), title: "Lease of the depot" }
      ]
    }),
    transcript("listed", [
      { start: 2, end: 6, text: ">> GOOD EVENING, EVERYONE. I'M MR. RUIZ." },
      { start: 40, end: 43, text: "WE COME TO THE TREATMENT PLANT >> THANK YOU, MAYOR." }
    ]),
    meeting("alone", "springfield-council", {
      date: "2026-03-17",
      title: "Session of 2:00 PM",
      chapters: [],
      agenda_items: []
    }),
    transcript("alone", [{ start: 6, end: 9, text: ". all right. Thank you so much." }])
  )
})

const Service = Layer.provideMerge(Layer.effectDiscard(record), TestService)
const at = (name: string, date: string) => `/in/springfield/council/${date}-${meetingId(name).slice(0, 8)}`

layer(Service, { excludeTestServices: true, timeout: 240_000 })("a meeting whose recording is elsewhere", (it) => {
  it.effect("has its agenda beside the words, fits, and asks nobody else before a click", (test) =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const { token } = yield* reader()
      const { page, complaints } = yield* opened(test, `${base}/about`, { bypassCSP: false })
      yield* Effect.promise(async () => {
        await page.context().addCookies([{ name: "cr_session", value: token, url: base }])
        const asked: Array<string> = []
        await page.route(
          (url) => url.origin !== base,
          (route) => {
            asked.push(route.request().url())
            return route.fulfill({ contentType: "text/html", body: "<p>The player of the source</p>" })
          }
        )
        await shown(page, base + at("listed", "2026-03-10"))
        assert.match(
          (await page.locator("h1").textContent()) ?? "",
          /^Council puts off the contract.*…; Lease of the depot/
        )
        assert.deepStrictEqual(asked, [])
        for (const width of [390, 1280]) await fits(page, "elsewhere", width)
        const lines = `(() => { const h1 = document.querySelector("h1")
          return h1.clientHeight / Number.parseFloat(getComputedStyle(h1).lineHeight) })()`
        const tall = await page.evaluate<number>(lines)
        assert.isBelow(tall, 3.5)
        const beside = await page.locator(".stage .items").boundingBox()
        const words = await page.locator(".turns").boundingBox()
        assert.isAbove(beside?.x ?? 0, (words?.x ?? 0) + (words?.width ?? 0))
        assert.strictEqual(
          await page.locator(".turn > span").first().textContent(),
          "Good evening, everyone. I'm Mr. Ruiz."
        )
        assert.strictEqual(await page.locator(".turn").count(), 3)
        assert.deepStrictEqual(complaints, [])

        await page.getByRole("button", { name: "Play it here, from Internet Archive" }).click()
        await page.frameLocator(".source-player iframe").getByText("The player of the source").waitFor()
        await page.locator(".items a.moment").click()
        while (asked.length < 2) await page.waitForTimeout(50)
        assert.deepStrictEqual(
          asked,
          [0, 40].map((second) => `https://archive.org/embed/city-council-r-265-190827?autoplay=1&start=${second}`)
        )
        assert.match(page.url(), /\?t=40$/)
      })
    })
  )

  it.effect("passes the accessibility rules, and stands in the middle where nothing is beside it", (test) =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const { token } = yield* reader()
      const { page } = yield* opened(test, `${base}/about`, { bypassCSP: true })
      yield* Effect.promise(async () => {
        await page.context().addCookies([{ name: "cr_session", value: token, url: base }])
        await shown(page, base + at("listed", "2026-03-10"))
        for (const width of [390, 1280]) {
          await page.setViewportSize({ width, height: 900 })
          await isAccessible(page, `elsewhere ${width}`)
        }
        await shown(page, base + at("alone", "2026-03-17"))
        for (const width of [390, 1280]) {
          await fits(page, "alone", width)
          await isAccessible(page, `alone ${width}`)
        }
        const words = await page.locator(".record").boundingBox()
        const [left, right] = [words?.x ?? 0, 1280 - (words?.x ?? 0) - (words?.width ?? 0)]
        assert.isBelow(Math.abs(left - right), 40)
        assert.match((await page.locator(".turn > span").first().textContent()) ?? "", /^all right/)
        assert.notInclude((await page.locator("[data-act=link]").textContent()) ?? "", "0:00")
      })
    })
  )
})
