import { assert, describe, it } from "@effect/vitest"
import { twinOf } from "../../../src/text/verify/twin.ts"

describe("the twin of a claim", () => {
  it.each([
    ["The bridge costs $240,000 in 2 years.", "The bridge costs $250,000 in 2 years."],
    ["The plan runs until 2029.", "The plan runs until 2021."],
    ["The council approved the contract.", "The council denied the contract."],
    ["Fewer trucks use the bridge.", "more trucks use the bridge."],
    ["The mayor thanked the crew.", "It is not true that The mayor thanked the crew."],
    ["", "It is not true that "]
  ])("says something else: %s", (claim, twin) => assert.strictEqual(twinOf(claim), twin))
})
