import * as fc from "fast-check"
import { expect, test } from "vitest"
import { jsonBytes } from "../../src/http/json-bytes.ts"

const written = (value: unknown) => Buffer.from(jsonBytes(value)).toString()

test.each([
  [{}],
  [[]],
  [{ meetings: [], facets: {}, total: 0 }],
  [{ bodies: [{ name: "Comisión de Planificación", meetings: [{ title: "Quarry’s “bridge” 🌉 \u2028 \u0007 \\" }] }] }],
  [{ after: undefined, total: 1 }],
  [[undefined, null, { a: undefined }]],
  [{ at: new Date(0), of: new URL("https://example.org/ä") }],
  ["text"],
  [null]
])("%j is written as JSON.stringify does", (value) => {
  expect(written(value)).toBe(JSON.stringify(value))
})

test("any value is written as JSON.stringify does", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(written(value)).toBe(JSON.stringify(value))
    })
  )
})
