import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { normalizeName } from "../../src/geocoder/names.ts"
import { stateCode } from "../../src/geocoder/states.ts"

describe("names", () => {
  it("compare equal once normalized", () => {
    assert.strictEqual(normalizeName("  St.  Louis "), "saint louis")
    assert.strictEqual(normalizeName("Port St. Lucie"), "port saint lucie")
    assert.strictEqual(normalizeName("Main St"), "main st")
    assert.strictEqual(normalizeName("Doña Ana"), "dona ana")
    assert.strictEqual(normalizeName("Prince George’s"), "prince georges")
    assert.strictEqual(normalizeName("Winston-Salem"), "winston salem")
    assert.strictEqual(normalizeName("Washington, D.C."), "washington dc")
    assert.strictEqual(normalizeName("St.Louis"), "saint louis")
  })

  it("are normalized once and for all", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => normalizeName(normalizeName(text)) === normalizeName(text))
    )
  })

  it("of states are recognized, and nothing else is", () => {
    for (const written of ["IL", "il", "US-IL", "Illinois", "ILLINOIS", "Ill.", "State of Illinois"])
      assert.strictEqual(stateCode(written), "IL", written)
    assert.strictEqual(stateCode("D.C."), "DC")
    assert.strictEqual(stateCode("N. Carolina"), "NC")
    assert.strictEqual(stateCode("Puerto Rico"), "PR")
    for (const written of ["", "XX", "US", "Bavaria", "constructor", "illinoi"])
      assert.isUndefined(stateCode(written), written)
  })
})
