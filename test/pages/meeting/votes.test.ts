import { assert, describe, it } from "@effect/vitest"
import { examples } from "../../../src/api/examples/index.ts"
import { htmlOf } from "../../../src/page-tree/html.ts"
import { markdownOf } from "../../../src/page-tree/markdown.ts"
import { el } from "../../../src/page-tree/tree.ts"
import { votes } from "../../../src/pages/meeting/votes.ts"

const drawn = (disagrees: boolean) => {
  const { votes: all, ...page } = examples.listVotes
  const told = all.map((vote) => ({ ...vote, ...(disagrees ? { disagrees: true as const } : {}) }))
  const main = el("main", {}, votes({ votes: { ...page, votes: told } }))
  return [htmlOf(main), markdownOf(main, "https://record.example.gov/in/a/b/c")]
}

describe("the votes of a meeting", () => {
  it("have a note where what is heard of them differs, and only there", () => {
    for (const text of drawn(true)) assert.include(text, "What is heard of this vote at the meeting differs")
    for (const text of drawn(false)) assert.notInclude(text, "What is heard")
  })
})
