import { assert, describe, it } from "@effect/vitest"
import { register } from "../../bench/trust/traffic/register.ts"

const now = () => {
  const at = performance.now()
  return { from: at, to: at }
}

describe("what an answer may say of a thing that one writer changes", () => {
  it("is what was acknowledged last, and nothing before it", () => {
    const title = register("first")
    title.begin("second")(true)
    assert.deepStrictEqual(title.allowed(now(), 0), ["second"])
  })

  it("is also what is under way, and what may have been done without an answer", () => {
    const title = register("first")
    title.begin("lost on the way")(false)
    title.begin("under way")
    assert.deepStrictEqual(title.allowed(now(), 0), ["first", "lost on the way", "under way"])
    assert.strictEqual(title.last(), "first")
  })

  it("is also what was so a moment before, where an answer may be that old", () => {
    const title = register("first")
    title.begin("second")(true)
    assert.deepStrictEqual(title.allowed(now(), 60_000), ["first", "second"])
  })

  it("is not what began after the answer had come", () => {
    const title = register("first")
    const before = now()
    title.begin("second")(true)
    assert.deepStrictEqual(title.allowed({ from: before.from, to: before.from - 1 }, 0), ["first"])
  })

  it("is only what the database has, once it went back in time", () => {
    const title = register("first")
    title.begin("second")(true)
    title.reset("first")
    assert.deepStrictEqual(title.allowed(now(), 0), ["first"])
  })
})
