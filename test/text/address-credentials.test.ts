import { assert, describe, it } from "@effect/vitest"
import { splitAddress, withCredentials } from "../../src/text/address-credentials.ts"

describe("the credentials in an address", () => {
  it("are kept apart from it, and go back to its own origin alone", () => {
    const given = "https://cl%C3%A9rk:p%40ss:w@city.example.gov:8443/v1/events?token=a%2Fb&year=2026&api_key=k"
    const { url, credentials } = splitAddress(given)
    assert.strictEqual(url, "https://city.example.gov:8443/v1/events?year=2026")
    assert.deepStrictEqual(credentials, {
      user: "clérk:p@ss:w",
      parameters: [
        ["token", "a/b"],
        ["api_key", "k"]
      ]
    })
    const source = { url, credentials }
    const authorization = `Basic ${Buffer.from("clérk:p@ss:w").toString("base64")}`
    assert.deepStrictEqual(withCredentials(`${url}&page=2`, source), {
      address: "https://city.example.gov:8443/v1/events?year=2026&page=2&token=a%2Fb&api_key=k",
      authorization
    })
    for (const other of [
      "https://city.example.gov/v1/events",
      "http://city.example.gov:8443/",
      "https://city.example.gov.example.com:8443/",
      "nonsense"
    ]) {
      assert.deepStrictEqual(withCredentials(other, source), { address: other })
    }
  })

  it("are not looked for where there are none: such an address stays as it was written", () => {
    for (const url of ["https://city.example.gov/a?key=council&tokens=1&token=", "HTTPS://City.example.gov", "x"]) {
      assert.deepStrictEqual(splitAddress(url), { url })
      assert.deepStrictEqual(withCredentials(url, { url }), { address: url })
    }
  })
})
