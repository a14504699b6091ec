import { assert, describe, it } from "@effect/vitest"
import { flameGraph, framesOf, type Profile, topFunctions } from "../../bench/reads/flame-graph.ts"

const call = (functionName: string, url = "file:///record/src/a.ts") => ({ functionName, url, lineNumber: 1 })

/**
 * Samples of a millisecond each: two of `browse` itself, three of `fold`, which it calls in two places, and one idle.
 */
const profile: Profile = {
  startTime: 1_000_000,
  nodes: [
    { id: 1, callFrame: call("(root)", ""), children: [2, 3] },
    { id: 2, callFrame: call("browse<A>"), children: [4, 5] },
    { id: 3, callFrame: call("(idle)", "") },
    { id: 4, callFrame: call("fold", "file:///record/node_modules/@some/names/index.js") },
    { id: 5, callFrame: call("fold", "file:///record/node_modules/@some/names/index.js") }
  ],
  samples: [2, 4, 3, 5, 5, 2],
  timeDeltas: [1000, 1000, 1000, 1000, 1000, 1000]
}

describe("a flame graph", () => {
  it("adds up calls of one function from one place, and leaves out idle time", () => {
    const root = framesOf(profile, "/record")
    assert.strictEqual(root.total, 5)
    const [browse] = root.children
    assert.deepStrictEqual([browse?.name, browse?.where, browse?.self, browse?.total], ["browse<A>", "src/a.ts", 2, 5])
    assert.deepStrictEqual(
      browse?.children.map(({ name, where, total }) => [name, where, total]),
      [["fold", "@some/names", 3]]
    )
  })

  it("begins at a given moment, so that start-up is left out", () => {
    assert.strictEqual(framesOf(profile, "/record", 1_004_000).total, 3)
  })

  it("names the functions with the most time of their own", () => {
    assert.deepStrictEqual(topFunctions(framesOf(profile, "/record"), 1), [{ name: "fold | @some/names", share: 60 }])
  })

  it("draws each call as wide as its share, with its name escaped", () => {
    const svg = flameGraph(framesOf(profile, "/record"), "Browsing")
    assert.include(svg, "<title>browse&lt;A> src/a.ts 100.0 %</title>")
    assert.match(svg, /<title>fold @some\/names 60\.0 %<\/title><rect x="0\.0" y="\d+" width="720\.0"/)
  })
})
