import { assert, describe, it } from "@effect/vitest"
import { Resvg } from "@resvg/resvg-js"
import { voteCard } from "../../../src/pages/pictures/vote-card.ts"

const counts = [
  { option: "no", value: 2 },
  { option: "yes", value: 5 },
  { option: "absent", value: 1 }
] as const

/** How often something is drawn. */
const drawn = (svg: string, what: string) => svg.split(what).length - 1

describe("the picture of a vote", () => {
  it("says the result, the figure and the counts, and has a seat for each member", () => {
    const svg = voteCard({ from: "Council", title: "Creek greenway", vote: { result: "fail", counts } })
    for (const said of ["Failed 5–2", "5 yes, 2 no, 1 absent", "Creek greenway"]) assert.include(svg, said)
    assert.deepStrictEqual([drawn(svg, 'width="14" height="14" fill='), drawn(svg, "<path")], [8, 2])
  })

  it("stays within its lines and seats, and can be drawn whatever a title holds", () => {
    const title = `</text><script> & "\u0000\ud800 ${"word ".repeat(80)}${"x".repeat(300)}`
    const many = [{ option: "yes" as const, value: 400 }]
    const svg = voteCard({ from: "x".repeat(200), title, vote: { counts: many } })
    assert.strictEqual(drawn(svg, 'font-size="46"'), 3)
    assert.strictEqual(drawn(svg, 'width="14" height="14" fill='), 60)
    assert.notInclude(svg, "<script>")
    assert.strictEqual(new Resvg(svg, { font: { loadSystemFonts: false } }).width, 1200)
    assert.include(voteCard({ from: "Marlow", title: "Rates", status: "In committee" }), "In committee")
  })
})
