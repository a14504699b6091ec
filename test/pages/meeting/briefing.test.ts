import { assert, describe, it } from "@effect/vitest"
import { topicNames } from "../../../src/pages/meeting/briefing.ts"
import { withoutMarkdown } from "../../../src/text/without-markdown.ts"

describe("the topics of a briefing", () => {
  it("that are named alike are told apart by their chapter, or else counted", () => {
    const title = "In plain language"
    const topics = [
      { title, start: 12 },
      { title, start: 70 },
      { title, start: undefined },
      { title, start: undefined }
    ]
    const chapters = [
      { title: "Depot", start: 0, end: 60 },
      { title: "Roads", start: 60, end: 90 }
    ]
    assert.deepStrictEqual(topicNames([...topics, { title: "**Water**", start: 3 }], chapters), [
      "In plain language: Depot",
      "In plain language: Roads",
      "In plain language (1 of 2)",
      "In plain language (2 of 2)",
      "Water"
    ])
  })

  it("lose the Markdown that a model left in them, and no other sign", () => {
    assert.strictEqual(
      withoutMarkdown("# Roads\n- **Mill Street** is *closed*, see [the plan](https://a.example/b)"),
      "Roads\nMill Street is closed, see the plan"
    )
    for (const plain of [
      "2 * 3 * 4 is 24",
      "Ord. 24-117 - the depot",
      "$5 [sic] (per item)",
      "snake_case__name",
      "No. 1. Done"
    ]) {
      assert.strictEqual(withoutMarkdown(plain), plain)
    }
  })
})
