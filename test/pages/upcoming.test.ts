import { assert, describe, it } from "@effect/vitest"
import { examples } from "../../src/api/examples/index.ts"
import { htmlOf } from "../../src/page-tree/html.ts"
import { el } from "../../src/page-tree/tree.ts"
import { type UpcomingView, upcomingPage } from "../../src/pages/upcoming.ts"

const meetings = examples.listUpcoming.bodies.flatMap(({ meetings }) => meetings)

const drawn = (query: UpcomingView["query"], found: Partial<UpcomingView["found"]> = {}) => {
  const page = upcomingPage({
    base: "https://record.example.gov",
    query,
    found: { meetings, total: meetings.length, cancelled: 0, withinDays: 30, ...found },
    places: []
  })
  return { head: page.head, html: htmlOf(el("main", {}, page.main)) }
}

describe("the list of upcoming meetings", () => {
  it("is counted as a whole, however much of it the page shows, and leads to the rest", () => {
    const { head, html } = drawn({ page: 2, type: ["city_council"] }, { total: 4223, cancelled: 1200 })
    assert.include(html, "4,223 meetings announced for the next 30 days, 1,200 of them cancelled; page 2 of 22.")
    assert.include(html, '<a href="/upcoming?type=city_council" rel="prev">')
    assert.include(html, '<a href="/upcoming?type=city_council&amp;page=3" rel="next">')
    assert.strictEqual(head.path, "/upcoming?type=city_council&page=2")
    assert.strictEqual(head.json, "/api/upcoming?type=city_council")
  })

  it("can be added to a calendar with its own filters", () => {
    const { head, html } = drawn({ page: 2, type: ["city_council"], within_days: 14 })
    const at = "record.example.gov/upcoming.ics?type=city_council&within_days=14"
    assert.deepStrictEqual(head.calendar, {
      href: "/upcoming.ics?type=city_council&within_days=14",
      title: "Coming up: city council"
    })
    const hrefs = [...html.matchAll(/href="([^"]+)" rel="external"/g)].map(([, href = ""]) =>
      href.replaceAll("&amp;", "&")
    )
    const [app, google, ...outlooks] = hrefs
    assert.strictEqual(app, `webcal://${at}`)
    assert.strictEqual(new URL(google ?? "").searchParams.get("cid"), `webcal://${at}`)
    for (const [index, host] of ["outlook.live.com", "outlook.office.com"].entries()) {
      const url = new URL(outlooks[index] ?? "")
      assert.deepStrictEqual(
        [url.host, url.searchParams.get("url"), url.searchParams.get("name")],
        [host, `https://${at}`, "Coming up: city council"]
      )
    }
    assert.include(html, `data-copy="https://${at.replace("&", "&amp;")}" hidden`)
  })

  it("has one page if it fits on one, and says so if nothing is announced", () => {
    assert.notInclude(drawn({}).html, "Pages of this list")
    assert.include(drawn({}, { meetings: [], total: 0 }).html, "No meeting is announced.")
    const past = drawn({ page: 99 }, { meetings: [], total: 201 }).html
    assert.notInclude(past, "No meeting is announced")
    assert.include(past, '<a href="/upcoming?page=2" rel="prev">')
  })
})
