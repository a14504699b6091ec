import { assert, describe, it } from "@effect/vitest"
import { examples } from "../../../src/api/examples/index.ts"
import { htmlOf } from "../../../src/page-tree/html.ts"
import { el } from "../../../src/page-tree/tree.ts"
import { decisions } from "../../../src/pages/meeting/decisions.ts"
import { agendaItemId } from "../../support/builders.ts"

describe("the decisions of a meeting", () => {
  const { getMeeting, getRecap } = examples

  it("lead to the second of the vote or, where that is not known, to the beginning of the item", () => {
    const item = { id: agendaItemId("one"), title: "Greenway", start: 60 }
    const drawn = (start: { readonly start?: number }) => {
      const decision = { agenda_item: item.id, outcome: "Approved", vote: "5-2 (Ms. Lee no)", ...start }
      const meeting = { ...getMeeting, gated: false as const, agenda_items: [item], chapters: [] }
      return htmlOf(el("main", {}, decisions({ recap: { ...getRecap, decisions: [decision] }, meeting })))
    }
    const voted = drawn({ start: 1901.2 })
    assert.include(voted, "?t=1901")
    assert.notInclude(voted, "?t=60")
    assert.include(voted, "<strong>5-2</strong> <span>(Ms. Lee no)</span>")
    assert.include(drawn({}), "?t=60")
  })
})
