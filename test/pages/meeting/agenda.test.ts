import { assert, describe, it } from "@effect/vitest"
import type { AgendaItemCard } from "../../../schema/meeting.ts"
import { examples } from "../../../src/api/examples/index.ts"
import { htmlOf } from "../../../src/page-tree/html.ts"
import { markdownOf } from "../../../src/page-tree/markdown.ts"
import { el } from "../../../src/page-tree/tree.ts"
import { agenda } from "../../../src/pages/meeting/agenda.ts"
import type { MeetingView } from "../../../src/pages/meeting/view.ts"
import { agendaItemId } from "../../support/builders.ts"

const meeting = examples.getMeeting

const drawn = (items: ReadonlyArray<Pick<AgendaItemCard, "number" | "title">>) => {
  const view: MeetingView = {
    meeting: { ...meeting, agenda_items: items.map((item, at) => ({ id: agendaItemId(`${at}`), ...item })) },
    base: "https://record.example.gov",
    at: undefined,
    q: "",
    agendaSummary: undefined,
    communityClips: [],
    neighbors: {},
    votes: examples.listVotes,
    decisions: 0,
    closed: undefined
  }
  const main = el("main", {}, agenda(view))
  return { html: htmlOf(main), markdown: markdownOf(main, "https://record.example.gov/in/a/b/c") }
}

describe("the agenda of a meeting", () => {
  it("has short numbers in the margin, and names of laws on a line of their own", () => {
    const { html } = drawn([
      { number: "12.a", title: "Minutes" },
      { number: "Int 0410-2018", title: "Shelters" }
    ])
    assert.include(html, '<span class="number">12.a</span>')
    assert.include(html, '<span class="file">Int 0410-2018</span>')
  })

  it("writes in Markdown each number that its list does not count by itself", () => {
    const { markdown } = drawn([
      { number: "1.", title: "Minutes" },
      { title: "Roll call" },
      { number: "Int 0410-2018", title: "Shelters" },
      { number: "3", title: "Parks" }
    ])
    for (const line of ["1. **Minutes**", "2. **Roll call**", "3. Int 0410-2018 **Shelters**", "4. 3 **Parks**"]) {
      assert.include(markdown, `${line}\n`)
    }
  })
})
