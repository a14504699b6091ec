import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { safeReturnTo } from "../../../src/services/accounts/return-to.ts"

const origin = "https://record.example.gov"

/** The building blocks of open redirects, and of paths. */
const piece = fc.oneof(
  fc.constantFrom(
    ..."/ // \\ . .. ; : @ ? # & = % %2f %2F %5c %5C %252f %255c %25 %09 %0a %0d %00 %2e \t \r \n \0 \u0085 \u2028".split(
      " "
    ),
    " ",
    "javascript:",
    "https:",
    "evil.example",
    "in",
    "springfield",
    "é",
    "\ud800"
  ),
  fc.string({ maxLength: 3 })
)
const address = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""))

/** Decoded as far as possible. */
const decodedFully = (text: string): string => {
  try {
    const decoded = decodeURIComponent(text)
    return decoded === text ? text : decodedFully(decoded)
  } catch {
    return text
  }
}

describe("where signing in leads", () => {
  it("is on this origin, whatever was requested", () => {
    fc.assert(
      fc.property(fc.oneof(address, fc.webUrl(), fc.string({ unit: "binary" })), fc.boolean(), (asked, rooted) => {
        const to = safeReturnTo(rooted ? `/${asked}` : asked)
        const url = new URL(to, origin)
        assert.strictEqual(url.origin, origin)
        assert.strictEqual(url.username, "")
        assert.match(to, /^\/(?![/\\])/)
        assert.match(to, /^[!-~]*$/, "fit for a header")
        const plain = decodedFully(to)
        assert.notInclude(plain, "//")
        assert.notInclude(plain, "\\")
        assert.notMatch(plain, /\p{Cc}/u)
      }),
      { numRuns: 5000 }
    )
  })

  it("is the requested path, with its query and fragment", () => {
    const segment = fc.stringMatching(/^[a-z0-9_-]{1,8}$/)
    fc.assert(
      fc.property(fc.array(segment), fc.option(segment), fc.option(segment), (segments, query, fragment) => {
        const asked = `/${segments.join("/")}${query === null ? "" : `?q=${query}&t=1`}${fragment === null ? "" : `#${fragment}`}`
        assert.strictEqual(safeReturnTo(asked), asked)
      })
    )
    assert.strictEqual(safeReturnTo("/in/pe%C3%B1a-springs?q=a%20b"), "/in/pe%C3%B1a-springs?q=a%20b")
    assert.strictEqual(safeReturnTo("/in/peña springs"), "/in/pe%C3%B1a%20springs")
  })

  it("is the front page for every address that leads away, or seems to", () => {
    for (const asked of [
      undefined,
      "",
      "in/springfield",
      "https://evil.example/",
      "//evil.example",
      "///evil.example",
      "/\\evil.example",
      "\\/evil.example",
      "/%2fevil.example",
      "/%5Cevil.example",
      "/%252f%252fevil.example",
      "/\tevil.example",
      "/\t/evil.example",
      "/%09/evil.example",
      "/in/..//evil.example",
      "/in%0d%0aSet-Cookie:%20a=b",
      "/search?to=%5c",
      "/search?q=100%",
      "/%C0%AF",
      "javascript:alert(1)",
      " /in",
      `/${"a".repeat(2048)}`,
      `/${"%25".repeat(600)}2f`
    ]) {
      assert.strictEqual(safeReturnTo(asked), "/", asked)
    }
  })
})
