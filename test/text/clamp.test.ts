import { assert, it } from "@effect/vitest"
import fc from "fast-check"
import { clampAtWord } from "../../src/text/clamp.ts"

it("a clamped text is no longer than allowed, begins like the text, and has whole characters", () => {
  assert.strictEqual(clampAtWord("🏛".repeat(80), 140), `${"🏛".repeat(69)}…`)
  assert.strictEqual(clampAtWord("The council, after two hours, approved it", 30), "The council, after two hours…")
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.integer({ min: 2, max: 200 }), (text, most) => {
      const clamped = clampAtWord(text, most)
      assert.isAtMost(clamped.length, most)
      assert.isTrue(clamped === text || (clamped.endsWith("…") && text.startsWith(clamped.slice(0, -1))))
      assert.isTrue(clamped.isWellFormed())
    }),
    { numRuns: 2000 }
  )
})
