import { assert, describe, it } from "@effect/vitest"
import { trespassOf } from "../../../src/http/operator/trespass.ts"

const here = "127.0.0.1:8788"

describe("the operators' listener", () => {
  it.each([
    ["a scraper", { host: here }, "GET"],
    ["localhost", { host: "localhost:8788" }, "GET"],
    ["IPv6", { host: "[::1]:8788" }, "GET"],
    ["its own page", { host: here, origin: `http://${here}`, "sec-fetch-site": "same-origin" }, "POST"],
    ["an address typed in", { host: here, "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }, "GET"],
    ["a link from elsewhere", { host: here, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }, "GET"]
  ])("answers %s", (_, headers, method) => {
    assert.isUndefined(trespassOf(headers, method, { listensOn: "127.0.0.1" }))
  })

  it.each([
    ["a name that was made to resolve to loopback", { host: "evil.example:8788" }, "GET", "host"],
    ["a name that begins like loopback", { host: "127.0.0.1.evil.example" }, "GET", "host"],
    ["no host at all", {}, "GET", "host"],
    ["a page of another origin", { host: here, origin: "https://evil.example" }, "POST", "origin"],
    ["a write that does not say where it comes from", { host: here }, "POST", "origin"],
    ["another port of this machine", { host: here, origin: "http://127.0.0.1:8787" }, "GET", "origin"],
    ["an opaque origin", { host: here, origin: "null" }, "POST", "origin"],
    [
      "an image on another site",
      { host: here, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
      "GET",
      "origin"
    ],
    [
      "a form on another site",
      { host: here, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
      "POST",
      "origin"
    ]
  ])("refuses %s", (_, headers, method, why) => {
    assert.strictEqual(trespassOf(headers, method, { listensOn: "127.0.0.1" }), why)
  })

  it("leaves names to the network where it was configured to listen outside of loopback", () => {
    assert.isUndefined(trespassOf({ host: "record.internal:8788" }, "GET", { listensOn: "0.0.0.0" }))
    assert.strictEqual(
      trespassOf({ host: "record.internal", origin: "https://evil.example" }, "GET", { listensOn: "::" }),
      "origin"
    )
  })

  it("refuses a page without TLS at the host of a console with TLS", () => {
    const at = { listensOn: "0.0.0.0", scheme: "https:" }
    const [host, site] = ["console.example.gov", { "sec-fetch-site": "same-origin" }]
    assert.isUndefined(trespassOf({ host, origin: `https://${host}`, ...site }, "POST", at))
    assert.isUndefined(trespassOf({ host, origin: `https://${host}` }, "POST", at))
    assert.strictEqual(trespassOf({ host, origin: `http://${host}` }, "POST", at), "origin")
  })
})
