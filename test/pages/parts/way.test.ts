import { assert, describe, it } from "@effect/vitest"
import type { Matter } from "../../../schema/vote.ts"
import { examples } from "../../../src/api/examples/index.ts"
import { htmlOf } from "../../../src/page-tree/html.ts"
import { el } from "../../../src/page-tree/tree.ts"
import { figures } from "../../../src/pages/parts/figures.ts"
import { way } from "../../../src/pages/parts/way.ts"

const path = "/in/springfield/matters/springfield-ord-2026-14"
const { history } = examples.getMatter
const [introduced] = history
const shown = (steps: Matter["history"]) => htmlOf(el("main", {}, way(steps, path)))
const count = (text: string, what: string) => text.split(what).length - 1

describe("the way of a matter", () => {
  it("leads from its first action to its last vote", () => {
    const text = shown(history)
    assert.include(text, '<a href="#last-vote">the last vote</a> passed, 5–1')
    assert.strictEqual(count(text, 'id="last-vote"'), 1)
  })

  it("leads to the second where there is one, and strangers to it by way of signing in", () => {
    const approved = { ...history[1], has_start: true as const } as Matter["history"][number]
    assert.include(shown([{ ...approved, start: 61.5 }]), "?t=61")
    assert.include(shown([approved]), `<a href="/signin?return_to=${encodeURIComponent(path)}">Sign in to hear it</a>`)
    assert.notInclude(shown(history), "hear it")
  })

  it("tells actions that repeat each other together, and never a vote among them", () => {
    const laidOver = { ...introduced, date: "2026-03-01", action: "Laid over" }
    const text = shown([
      ...history.slice(0, 1),
      laidOver,
      laidOver,
      { ...laidOver, date: "2026-03-08" },
      ...history.slice(1)
    ])
    assert.include(text, "3 times, until")
    assert.strictEqual(count(text, "<summary>"), 1)
    assert.strictEqual(count(shown([laidOver, laidOver]), "<summary>"), 0)
    const voted = { ...laidOver, result: "pass" as const }
    assert.strictEqual(count(shown([voted, voted, voted]), "<summary>"), 0)
  })
})

describe("a table of figures", () => {
  it("folds what is beyond its first rows away, and leaves none out", () => {
    const text = htmlOf(
      el("main", {}, figures({ columns: ["Year"], rows: [1, 2, 3, 4, 5], cells: (row) => [`row ${row}`], most: 3 }))
    )
    assert.strictEqual(count(text, '<th scope="row">row '), 5)
    assert.include(text, "<summary>2 more</summary>")
  })
})
