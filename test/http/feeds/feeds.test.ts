import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import ICAL from "ical.js"
import type { Matter } from "../../../schema/vote.ts"
import { putSample } from "../../../src/record/sample/sample-record.ts"
import { reader } from "../../support/actors.ts"
import { ask } from "../../support/asked.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
import { serviceAddress, TestService } from "../../support/service.ts"
import { wrongsIn } from "../../support/valid-xml.ts"

const record = "http://record.example.gov"

/** Every subscription, with the page that links to it. */
const subscriptions = [
  { path: "/browse.atom", page: "/browse" },
  {
    path: "/browse.atom?q=greenway&city=Larkmoor&type=city_council",
    page: "/browse?q=greenway&city=Larkmoor&type=city_council"
  },
  { path: "/in/larkmoor.atom", page: "/in/larkmoor" },
  { path: "/in/larkmoor.ics", page: "/in/larkmoor" },
  { path: "/upcoming.ics", page: "/upcoming" },
  {
    path: "/upcoming.ics?place_slug=larkmoor&type=city_council",
    page: "/upcoming?place_slug=larkmoor&type=city_council&page=1"
  },
  { path: "/in/larkmoor/city-council.atom", page: "/in/larkmoor/city-council" },
  { path: "/in/larkmoor/city-council.ics", page: "/in/larkmoor/city-council" },
  { path: "/people/larkmoor-curt-brandt.atom", page: "/people/larkmoor-curt-brandt" },
  { path: "/in/larkmoor/matters/larkmoor-water-rates.atom", page: "/in/larkmoor/matters/larkmoor-water-rates" }
]
const typeOf = (path: string) => (/\.ics(\?|$)/.test(path) ? "text/calendar" : "application/atom+xml")

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = ""]) => found)
const idsIn = (feed: string) => all(feed, /<entry><id>urn:uuid:([^<]+)</g)
const linkIn = (feed: string, rel: string) =>
  new RegExp(`<link rel="${rel}" type="[^"]+" href="([^"]+)"`).exec(feed)?.[1]?.replaceAll("&amp;", "&")

layer(TestService, { excludeTestServices: true })("feeds and calendars", (it) => {
  it.effect("are the same for everyone, cached for a minute, counted, and answer 304 to a caller that has them", () =>
    Effect.gen(function* () {
      yield* putSample
      const base = yield* serviceAddress
      const { credentials } = yield* reader()
      const feeds: Array<string> = []
      for (const { path } of subscriptions) {
        const { status, headers, text } = yield* ask(base + path)
        assert.strictEqual(status, 200, path)
        assert.strictEqual(headers.get("content-type"), `${typeOf(path)}; charset=utf-8`)
        assert.strictEqual(headers.get("cache-control"), "public, max-age=60, stale-while-revalidate=300")
        assert.strictEqual(headers.get("access-control-allow-origin"), "*")
        assert.isNotNull(headers.get("ratelimit"))
        assert.strictEqual((yield* ask(base + path, credentials)).text, text)
        const again = yield* ask(base + path, { headers: { "if-none-match": headers.get("etag") ?? "" } })
        assert.deepStrictEqual([again.status, again.text], [304, ""])
        assert.deepStrictEqual((yield* ask(base + path, { method: "HEAD" })).status, 200)
        if (typeOf(path) !== "text/calendar") feeds.push(text)
      }
      assert.isAbove(feeds.length, 2)
      assert.deepStrictEqual(yield* wrongsIn(feeds, "atom.rng"), [])
    })
  )

  it.effect("are named, in its head and in its header, by the page whose subscription they are", () =>
    Effect.gen(function* () {
      yield* putSample
      const base = yield* serviceAddress
      for (const { path, page } of subscriptions) {
        const { headers, text } = yield* ask(base + page, { headers: { accept: "text/html" } })
        const links = all(
          text,
          new RegExp(`<link rel="alternate" type="${typeOf(path).replace("+", "\\+")}"[^>]* href="([^"]+)">`, "g")
        )
        assert.deepStrictEqual(links, [`${record}${path.replaceAll("&", "&amp;")}`], page)
        assert.include(headers.get("link"), `<${record}${path}>; rel="alternate"; type="${typeOf(path)}"`)
      }
    })
  )

  it.effect("of a person and of a matter have each vote and each action, under ids that stay, also as JSON Feed", () =>
    Effect.gen(function* () {
      yield* putSample
      const base = yield* serviceAddress
      const matter = "/in/larkmoor/matters/larkmoor-water-rates"
      const way = (yield* ask(`${base}${matter}.atom`)).text
      const actions = idsIn(way)
      const { history, title, updated_at } = (yield* ask(
        `${base}/api/matters/larkmoor-water-rates`
      )).json() as unknown as Matter
      assert.strictEqual(actions.length, history.length)
      assert.strictEqual(new Set(actions).size, actions.length)
      assert.include(way, "; passed, 3–2</title>")
      // The sample's last action is still to come.
      const updated = all(way, /<updated>([^<]+)</g)
      assert.isAbove(Date.parse(history.at(-1)?.date ?? ""), Date.parse(updated_at))
      assert.isTrue(updated.every((at) => at <= updated_at))
      const json = yield* ask(`${base}${matter}.json`)
      assert.strictEqual(json.headers.get("content-type"), "application/feed+json; charset=utf-8")
      const feed = JSON.parse(json.text)
      assert.deepStrictEqual([feed.version, feed.home_page_url], ["https://jsonfeed.org/version/1.1", record + matter])
      assert.include(feed.title, title)
      assert.deepStrictEqual(
        feed.items.map(({ id }: { id: string }) => id.replace("urn:uuid:", "")),
        actions
      )
      const votes = JSON.parse((yield* ask(`${base}/people/larkmoor-curt-brandt.json`)).text)
      const { total } = (yield* ask(`${base}/api/people/larkmoor-curt-brandt/votes`)).json() as { total: number }
      assert.strictEqual(votes.items.length, Math.min(50, total))
      assert.isTrue(votes.items.some(({ title }: { title: string }) => title.startsWith("No: ")))
      for (const path of ["/people/nobody.atom", "/in/larkmoor/matters/none.json"]) {
        assert.strictEqual((yield* ask(base + path)).status, 404, path)
      }
      const moved = yield* ask(`${base}${matter.replace("larkmoor/", "corliss-mills/")}.atom`, { redirect: "manual" })
      assert.deepStrictEqual([moved.status, moved.headers.get("location")], [308, `${matter}.atom`])
    })
  )

  it.effect("follow a body to its present address, and are errors in the standard shape where nothing is", () =>
    Effect.gen(function* () {
      yield* putSample
      const base = yield* serviceAddress
      for (const kind of ["atom", "ics"]) {
        const moved = yield* ask(`${base}/in/larkmoor/larkmoor-city-council.${kind}`, { redirect: "manual" })
        assert.deepStrictEqual(
          [moved.status, moved.headers.get("location")],
          [308, `/in/larkmoor/city-council.${kind}`]
        )
        for (const path of [`/in/atlantis.${kind}`, `/in/larkmoor/atlantis.${kind}`]) {
          const { status, json } = yield* ask(base + path, { headers: { accept: "text/html" } })
          assert.deepStrictEqual([status, json().error], [404, "not_found"], path)
        }
      }
      const wrong = yield* ask(`${base}/browse.atom?page=0`)
      assert.strictEqual(wrong.status, 400)
      assert.match(String(wrong.json().message), /^page must/)
    })
  )

  it.effect(
    "contain the results of the same API query, last changed first, on pages that lead through all of them",
    () =>
      Effect.gen(function* () {
        yield* putSample
        const base = yield* serviceAddress
        const query = "county=Tamarack+County"
        const wanted = (yield* ask(`${base}/api/meetings/browse?${query}&sort=updated&page_size=100`)).text
        const ids = all(wanted, /"id":"([0-9a-f-]{36})","slug"/g)
        assert.isAbove(ids.length, 10)
        const found: Array<string> = []
        const updated = new Set<string>()
        let next: string | undefined = `${record}/browse.atom?${query}&page_size=4`
        for (let page = 1; next !== undefined && page < 20; page += 1) {
          const { text } = yield* ask(next.replace(record, base))
          found.push(...idsIn(text))
          updated.add(all(text, /<\/title><updated>([^<]+)<\/updated><author><name>Civic/g)[0] ?? "")
          assert.strictEqual(all(text, /<feed[^>]*><id>([^<]+)</g)[0], `${record}/browse.atom?${query}`)
          assert.strictEqual(linkIn(text, "self"), next)
          assert.strictEqual(linkIn(text, "previous") === undefined, page === 1)
          next = linkIn(text, "next")
        }
        assert.deepStrictEqual(found, ids)
        // Each page says when the list as a whole last changed.
        assert.deepStrictEqual(
          [...updated],
          [
            all(wanted, /"updated_at":"([^"]+)"/g)
              .toSorted()
              .at(-1)
          ]
        )
      })
  )

  it.effect("have at most fifty entries a page, and entries of the place or body alone", () =>
    Effect.gen(function* () {
      yield* putOnRecord(
        place("longton"),
        agency("longton-council", ["longton"], { segment: "council" }),
        ...Array.from({ length: 60 }, (_, at) => meeting(`longton ${at}`, "longton-council"))
      )
      const base = yield* serviceAddress
      for (const path of ["/in/longton.atom?place_slug=larkmoor", "/in/longton/council.atom?agency_slug=elsewhere"]) {
        assert.strictEqual(idsIn((yield* ask(`${base}${path}&page_size=100`)).text).length, 50)
        assert.strictEqual(idsIn((yield* ask(`${base}${path}&page=2`)).text).length, 10)
      }
    })
  )

  it.effect("use a meeting's id throughout its changes, and announce its cancellation", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const date = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
      const long = new Date(Date.now() - 200 * 86_400_000).toISOString().slice(0, 10)
      const council = [place("turnton"), agency("turnton-council", ["turnton"], { segment: "council" })]
      const title = "]]> <script> 😀 Budget, second; hearing"
      const entity = meeting("turning", "turnton-council", { date, status: "upcoming", title })
      const event = Effect.gen(function* () {
        const { text } = yield* ask(`${base}/in/turnton.ics`)
        const [first, ...others] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent")
        assert.deepStrictEqual(others, [])
        return (name: string) => first?.getFirstPropertyValue(name)
      })
      yield* putOnRecord(...council, entity, meeting("long ago", "turnton-council", { date: long }))
      const planned = yield* event
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 1100)))
      yield* putOnRecord({ ...entity, status: "cancelled" })
      const cancelled = yield* event
      assert.deepStrictEqual([planned("status"), cancelled("status")], ["CONFIRMED", "CANCELLED"])
      assert.strictEqual(planned("uid"), `urn:uuid:${meetingId("turning")}`)
      assert.strictEqual(cancelled("uid"), planned("uid"))
      assert.include(String(cancelled("summary")), title)
      assert.isAbove(Number(cancelled("sequence")), Number(planned("sequence")))
    })
  )
})
