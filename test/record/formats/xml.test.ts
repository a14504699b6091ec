import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readXml } from "../../../src/record/formats/xml.ts"

/** The text of a document, or why it is not read. */
const textOf = (document: string): string => {
  const found: Array<string> = []
  const read = readXml(document, { open: () => {}, text: (text) => found.push(text) })
  return Result.isFailure(read) ? `refused: ${read.failure}` : found.join("").trim()
}

describe("XML of others", () => {
  it("brings in no file and no address", () => {
    for (const outside of ["file:///etc/passwd", "http://127.0.0.1:8788/metrics"]) {
      const read = textOf(`<!DOCTYPE tt [<!ENTITY x SYSTEM "${outside}">]><tt><p>before &x; after</p></tt>`)
      assert.strictEqual(read, "before &x; after")
      assert.strictEqual(textOf(`<!DOCTYPE tt SYSTEM "${outside}"><tt><p>words</p></tt>`), "words")
    }
  })

  it("does not grow by its own entities", () => {
    const doubling = Array.from({ length: 20 }, (_, at) => `<!ENTITY x${at + 1} "&x${at};&x${at};">`).join("")
    assert.strictEqual(textOf(`<!DOCTYPE tt [<!ENTITY x0 "lol">${doubling}]><tt>&x20;</tt>`), "&x20;")
  })

  it("is not read deeper than people write", () => {
    assert.strictEqual(textOf("<p>".repeat(100_000)), "refused: is nested too deep")
  })
})
