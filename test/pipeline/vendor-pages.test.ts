import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cityServer, says } from "../support/city-server.ts"
import { day } from "../support/legistar-city.ts"
import { brief, itemsOf, LocalWeb, read } from "../support/vendors/reading.ts"
import { swagitSite } from "../support/vendors/swagit.ts"

layer(LocalWeb, { excludeTestServices: true })("a vendor's pages", (it) => {
  it.effect("of Swagit is read from the lists behind a view's tabs, as far back as is asked for", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const { source, other } = swagitSite(city)
      const list = yield* read("swagit", source)
      assert.deepStrictEqual(list?.meetings.map(brief), [
        `City Commission | City Commission | ${day(-10)}`,
        `Commission | Special Meeting | ${day(-24)}`,
        `Zoning Board of Adjustment | Zoning Board of Adjustment | ${day(-31)} | cancelled`,
        `Zoning Board | Parade of Lights | ${day(-40)}`
      ])
      assert.deepStrictEqual(
        city.asked.map(({ path }) => path.replace("/views/322", "")),
        ["", "/commission-meetings", "/commission-meetings?page=2", "/zoning-board"]
      )
      const [council] = list?.meetings ?? []
      assert.deepInclude(council, {
        agenda_url: `${city.url}/videos/401170/agenda`,
        video_url: `${city.url}/videos/401170`,
        starts_at: undefined
      })
      assert.deepStrictEqual(yield* itemsOf(council), [
        { number: "1", title: "CALL TO ORDER", start: 51 },
        { number: "7.A", title: "Quarry Road bridge & culvert", start: 491 },
        { number: "9", title: "ADJOURN" }
      ])
      const years = yield* read("swagit", other)
      assert.deepStrictEqual(years?.meetings.map(brief), [
        `City Council | Regular Meeting | ${day(-12)}`,
        `Planning Commission | Special Planning Commission | ${day(-33)}`
      ])
      assert.strictEqual(years?.meetings[0]?.minutes_url, `${city.url}/videos/401121/minutes`)
      city.answers.set("/views/322", says("<html><body>Powered by Swagit</body></html>", "text/html"))
      assert.deepInclude(yield* Effect.flip(read("swagit", source)), { _tag: "NoCalendar" })
    })
  )
})
