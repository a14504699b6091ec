import { assert, describe, it } from "@effect/vitest"
import { examples } from "../../src/api/examples/index.ts"
import { htmlOf } from "../../src/page-tree/html.ts"
import { markdownOf } from "../../src/page-tree/markdown.ts"
import { el } from "../../src/page-tree/tree.ts"
import { comingCard, heldCard } from "../../src/pages/parts/card.ts"
import { plainDate } from "../../src/pages/said.ts"

const [card] = examples.browseMeetings.meetings
if (card === undefined) throw new Error("The examples hold no meeting")

const both = (entry: ReturnType<typeof heldCard>) => ({
  html: htmlOf(entry),
  markdown: markdownOf(el("ol", {}, entry), "https://record.example.gov/upcoming")
})

describe("a meeting in a list", () => {
  it("keeps its place when cancelled, struck through and labeled", () => {
    const { html, markdown } = both(comingCard({ ...card, status: "cancelled" }))
    assert.include(html, '<strong class="verdict">Cancelled</strong> <del><a')
    assert.match(markdown, /^1\. \*\*Cancelled\*\* /)
    assert.notInclude(both(comingCard({ ...card, status: "upcoming" })).markdown, "Cancelled")
  })

  it("shows the local time of its place", () => {
    const at = { ...card, date: "2026-03-10", starts_at: "2026-03-11T00:00:00Z", timezone: "America/Chicago" }
    const { html, markdown } = both(comingCard(at))
    assert.include(html, "7:00\u00a0PM CDT")
    assert.include(markdown, "Tuesday, March 10, 2026, 7:00 PM CDT")
    assert.include(both(comingCard({ ...at, timezone: "America/Denver" })).html, "6:00\u00a0PM MDT")
  })

  it("marks the matching words, and gives spoken matches their seconds without their words", () => {
    const found = {
      ...card,
      duration: 100,
      matches: [
        { field: "agenda" as const, snippet: "Greenway <b> bonds", start: 12.7, path: "/in/a/b/c?t=12" },
        { field: "transcript" as const, start: 61, path: "/in/a/b/c?t=61" }
      ]
    }
    const { html, markdown } = both(heldCard(found, { words: ["greenway"] }))
    assert.include(html, "<mark>Greenway</mark> &lt;b&gt; bonds")
    assert.include(html, 'aria-label="Hear it at 0:12"')
    assert.include(html, '<rect x="127"')
    assert.include(markdown, "[0:12](https://record.example.gov/in/a/b/c?t=12) Agenda: **Greenway** \\<b> bonds")
    assert.include(markdown, "Said at [1:01](https://record.example.gov/in/a/b/c?t=61)")
  })

  it("says nothing of where a meeting was found that only a name or a day led to", () => {
    const { html } = both(heldCard({ ...card, matches: [{ field: "title", path: card.path }] }))
    assert.notInclude(html, "Said at")
    assert.notInclude(html, "matches")
  })

  it("lists the moments of spoken matches in chronological order", () => {
    const matches = [58, 11].map((start) => ({ field: "transcript" as const, start, path: `/in/a/b/c?t=${start}` }))
    const { markdown } = both(heldCard({ ...card, matches }))
    assert.match(markdown, /Said at \[0:11\]\S+ \[0:58\]/)
  })

  it("marks words and not parts of others, whatever characters they have", () => {
    const snippet = { field: "title" as const, snippet: "A cat in c++ (concatenated)", path: "/" }
    const html = htmlOf(heldCard({ ...card, matches: [snippet] }, { words: ["cat", "c++"] }))
    assert.include(html, "A <mark>cat</mark> in <mark>c++</mark> (concatenated)")
  })

  it("is read aloud with its body, unless its title names the body", () => {
    const { headline: _, ...plain } = card
    const body = { ...card.body, name: "Youth Board" }
    assert.include(
      both(heldCard({ ...plain, title: "Workshop", body })).markdown,
      `[Workshop of ${plainDate(card.date)}: Youth Board]`
    )
    assert.include(both(heldCard({ ...plain, title: "YOUTH BOARD rally", body })).markdown, "[YOUTH BOARD rally]")
  })
})
