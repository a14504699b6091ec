import { assert, describe, it } from "@effect/vitest"
import type { BrowsePage } from "../../schema/browse.ts"
import type { BrowseQuery } from "../../schema/browse-query.ts"
import { examples } from "../../src/api/examples/index.ts"
import { htmlOf } from "../../src/page-tree/html.ts"
import { markdownOf } from "../../src/page-tree/markdown.ts"
import { el } from "../../src/page-tree/tree.ts"
import { browsePage } from "../../src/pages/browse/browse.ts"

const [card] = examples.browseMeetings.meetings
if (card === undefined) throw new Error("The examples hold no meeting")

const meetings = ["2026-11-09", "2011-11-21"].map((date) => ({ ...card, date }))

/** The page of a query that finds two meetings of different years, unless `over` says otherwise. */
const drawn = (query: BrowseQuery, over: Partial<BrowsePage> = {}) => {
  const found: BrowsePage = { ...examples.browseMeetings, total: 2, meetings, ...over }
  const main = el("main", {}, browsePage({ query, found, names: {}, named: [], signedIn: true }).main)
  return { html: htmlOf(main), markdown: markdownOf(main, "https://record.example.gov/browse") }
}

const margins = (html: string) => [...html.matchAll(/<span class="wd">([^<]*)</g)].map(([, text]) => text)

describe("the list of held meetings", () => {
  it("says of a meeting that was called off that it was, where it is asked for", () => {
    const cancelled = meetings.map((meeting) => ({ ...meeting, status: "cancelled" as const }))
    const { markdown } = drawn({ status: ["cancelled"] }, { meetings: cancelled })
    assert.strictEqual(markdown.match(/Cancelled/g)?.length, 2)
  })

  it("names and marks the words it searched for if they differ from the typed ones, and links back to those", () => {
    const matches = [{ field: "title" as const, snippet: "A greenway opens", path: card.path }]
    const { html, markdown } = drawn(
      { q: "grenway", county: ["Knox County"], page: 2 },
      { corrected_query: "greenway", meetings: [{ ...card, matches }] }
    )
    assert.include(html, "These are for <strong>“greenway”</strong>.")
    assert.include(html, "<mark>greenway</mark>")
    assert.include(
      markdown,
      "[Search for “grenway” as it is spelled](https://record.example.gov/browse?q=grenway&county=Knox+County&exact=1)"
    )
    assert.notInclude(drawn({ q: "greenway" }).html, "as it is spelled")
  })

  it("offers other spellings if the words as spelled find nothing", () => {
    const nothing = { total: 0, meetings: [] }
    assert.include(drawn({ q: "grenway", exact: "1" }, nothing).html, '<a href="/browse?q=grenway">Search for other')
    assert.notInclude(drawn({ q: "grenway" }, nothing).html, "Search for other")
    assert.include(drawn({ q: "grenway", exact: "1" }).html, "as it is spelled. <a")
  })

  it("says of a page past the end that there is none, and leads to the last one", () => {
    const past = { total: 41, page: 999, page_size: 20, meetings: [] }
    const { html } = drawn({ q: "tax", page: 999 }, past)
    assert.include(html, "There is no page 999 of this list.")
    assert.include(html, '<a href="/browse?q=tax&amp;page=3">See its last page, 3</a>')
    assert.notInclude(html, "page 999 of 3")
    assert.include(drawn({ page: 999 }, { ...past, total: 2 }).html, '<a href="/browse">See its one page</a>')
  })

  it("says how it is sorted, and links to the other orders", () => {
    for (const [query, said, others] of [
      [{ q: "tax" }, "best match first", ["newest", "oldest", "updated"]],
      [{ q: "tax", sort: "updated" }, "last changed first", ["", "newest", "oldest"]],
      [{}, "newest first", ["oldest", "updated"]],
      [{ sort: "relevance" }, "newest first", ["oldest", "updated"]],
      [{ sort: "oldest" }, "oldest first", ["", "updated"]]
    ] as const) {
      const { html } = drawn(query)
      assert.include(html, `, ${said}`)
      const [, links = ""] = /aria-label="Order">(.*?)<\/ul>/s.exec(html) ?? []
      const open = [...links.matchAll(/<a href="([^"]*)"(?! aria-current)/g)].map(([, href = ""]) => href)
      assert.deepStrictEqual(
        open.map((href) => /sort=(\w+)/.exec(href)?.[1] ?? ""),
        [...others]
      )
      assert.strictEqual(links.match(/aria-current="true"/g)?.length, 1)
    }
    assert.notInclude(drawn({ q: "tax" }, { total: 1 }).html, 'aria-label="Order"')
  })

  it("is grouped by month when sorted by day, and shows the years otherwise", () => {
    for (const query of [{}, { sort: "oldest" }, { q: "tax", sort: "newest" }] as const) {
      const { html } = drawn(query)
      assert.include(html, "November 2011")
      assert.deepStrictEqual(margins(html), ["Mon", "Mon"])
    }
    for (const query of [{ sort: "updated" }, { q: "tax" }] as const) {
      const { html } = drawn(query)
      assert.notInclude(html, "November 2011</h2>")
      assert.deepStrictEqual(margins(html), ["2026", "2011"])
    }
  })
})
