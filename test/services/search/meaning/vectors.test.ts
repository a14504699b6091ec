import { assert, describe, it } from "@effect/vitest"
import { halves, likeness, packed, sketchOf } from "../../../../src/services/search/meaning/vectors.ts"

/** A number from -1 to 1 that looks drawn by chance, and is the same each time. */
const drawn = (seed: number) =>
  Math.sin(seed * 12.9898) * 43758.5453 - Math.floor(Math.sin(seed * 12.9898) * 43758.5453) - 0.5

const vectors = Array.from({ length: 200 }, (_, row) => Array.from({ length: 384 }, (_, at) => drawn(row * 384 + at)))

const cosine = (a: ReadonlyArray<number>, b: ReadonlyArray<number>) => {
  const dot = (x: ReadonlyArray<number>, y: ReadonlyArray<number>) =>
    x.reduce((sum, n, at) => sum + n * (y[at] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

describe("vectors of a byte a number", () => {
  it("have the cosines of those they were made of, within a hundredth", () => {
    const [first = []] = vectors
    for (const other of vectors) {
      assert.closeTo(likeness(packed(first), packed(other)), cosine(first, other), 0.01)
    }
  })

  it("cannot be compared with those of another length, or of nothing", () => {
    assert.strictEqual(likeness(packed([1, 2]), packed([1, 2, 3])), 0)
    assert.strictEqual(likeness(packed([0, 0]), packed([1, 2])), 0)
  })

  it("are sketched by their signs", () => {
    assert.strictEqual(sketchOf(packed([0.5, -0.5, 0, 0.1])), "1001")
  })

  it("fall into halves that are apart, and into none if they are alike", () => {
    const around = (center: number) =>
      vectors.slice(0, 50).map((vector) => packed(vector.map((number, at) => number + (at % 2 === center ? 2 : 0))))
    const found = halves([...around(0), ...around(1)])
    const isSecond = found?.isSecond ?? []
    assert.strictEqual(new Set(isSecond.slice(0, 50)).size, 1)
    assert.strictEqual(new Set(isSecond.slice(50)).size, 1)
    assert.notStrictEqual(isSecond[0], isSecond[99])
    assert.isUndefined(halves(Array.from({ length: 100 }, () => packed([1, 2, 3]))))
  })
})
