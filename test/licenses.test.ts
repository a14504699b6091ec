import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

/** What a package asks of whoever passes the service on: to name it, or nothing. */
const permissive = [
  ...["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "BSD-4-Clause", "CC0-1.0", "ISC", "MIT"],
  ...["MIT-0", "OFL-1.1", "Unlicense"]
]

/** Used unchanged: whoever changes a file of these gives the file on, and the service stays as it is. */
const byFile = ["MPL-2.0"]

/** Programs that the service starts and does not link, from packages that an operator can replace (`FFMPEG_PATH`). */
const programs = /^node_modules\/@ff(mpeg|probe)-installer\//

/** Packages whose manifest names no license, and the one in their LICENSE file. */
const unnamed = new Map([["node_modules/png-js", "MIT"]])

const lock: {
  readonly packages: Readonly<
    Record<string, { readonly license?: string; readonly dev?: boolean; readonly devOptional?: boolean }>
  >
} = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, "../package-lock.json"), "utf8"))

describe("what the service is made of", () => {
  it("may be passed on under the service's own license", () => {
    const used = Object.entries(lock.packages).filter(([at, { dev, devOptional }]) => at !== "" && !dev && !devOptional)
    assert.isAbove(used.length, 100)
    const others = used
      .filter(([at]) => !programs.test(at))
      .map(([at, { license = unnamed.get(at) }]) => [at, license ?? "none"] as const)
      .filter(([, license]) => ![...permissive, ...byFile].includes(license))
    assert.deepStrictEqual(others, [])
  })
})
