import { globSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { addresses } from "../../../src/pages/parts/addresses.ts"

const root = path.join(import.meta.dirname, "../../..")
const read = (file: string): string => readFileSync(path.join(root, file), "utf8")

/** A path with each parameter as `{}`, in whichever notation. */
const shape = (address: string): string => address.replace(/:\w+|\{[^/]*\}/g, "{}").replace(/\{\}-\{\}/g, "{}")

/** The pages that the table serves, except the old spellings, which redirect. */
const pages = [...read("src/http/pages/pages.ts").matchAll(/pageRoute\("([^"]+)", load/g)].map(([, at = ""]) => at)

const missingFrom = (known: ReadonlyArray<string>): ReadonlyArray<string> =>
  pages.filter((page) => !known.map(shape).includes(shape(page)))

describe("every page", () => {
  it("is listed in the discovery files", () => {
    assert.isAbove(pages.length, 8)
    assert.deepStrictEqual(missingFrom(addresses.map((address) => address.path)), [])
  })

  it("is in the table of page access", () => {
    const rows = read("test/wire/page-matrix.txt").matchAll(/^\| (\/\S*) \|/gm)
    assert.deepStrictEqual(missingFrom([...rows].map(([, address = ""]) => address)), [])
  })

  it("is drawn in a browser, unless its address depends on a running record", () => {
    const tests = globSync("test/browser/*.test.ts", { cwd: root }).map(read).join("\n")
    const drawn = (page: string) => RegExp(`["\`}]${page.replace(/:\w+/g, '[^/"`]+')}["\`?]`).test(tests)
    assert.deepStrictEqual(
      pages.filter((page) => !page.includes(":meeting") && !drawn(page)),
      []
    )
  })
})
