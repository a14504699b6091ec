import { assert, describe, it } from "@effect/vitest"
import { citationsOf, quotation } from "../../src/text/citation.ts"

const meeting = { body: { name: "Peña Springs City Council" }, title: "Regular Meeting", date: "2026-09-08" }
const url = "https://record.example.gov/in/pena-springs/council/2026-09-08-1a2b3c4d"
const texts = (...of: Parameters<typeof citationsOf>) => citationsOf(...of).map(({ text }) => text)

describe("citations", () => {
  it("name body, kind, day and address in three styles", () => {
    assert.deepStrictEqual(citationsOf(meeting, url), [
      {
        style: "APA",
        text: `Peña Springs City Council. (2026, September 8). Regular Meeting [Public meeting]. Civic Record. ${url}`
      },
      {
        style: "Chicago",
        text: `Peña Springs City Council. “Regular Meeting.” September 8, 2026. Civic Record. ${url}`
      },
      { style: "Bluebook", text: `Peña Springs City Council, Regular Meeting (Sept. 8, 2026), ${url}` }
    ])
  })

  it("name the moment, and the words with who said them", () => {
    assert.deepStrictEqual(texts(meeting, url, { clock: "1:02:03" }), [
      `Peña Springs City Council. (2026, September 8). Regular Meeting [Public meeting; at 1:02:03]. Civic Record. ${url}`,
      `Peña Springs City Council. “Regular Meeting.” September 8, 2026, at 1:02:03. Civic Record. ${url}`,
      `Peña Springs City Council, Regular Meeting, at 1:02:03 (Sept. 8, 2026), ${url}`
    ])
    const said = "Dana Reyes: “We heard you”"
    assert.deepStrictEqual(texts(meeting, url, { clock: "2:03", said }), [
      `Peña Springs City Council. (2026, September 8). Regular Meeting [Public meeting; ${said} at 2:03]. Civic Record. ${url}`,
      `Peña Springs City Council. “Regular Meeting.” September 8, 2026, at 2:03. ${said}. Civic Record. ${url}`,
      `Peña Springs City Council, Regular Meeting, at 2:03 (Sept. 8, 2026) (${said}), ${url}`
    ])
    assert.include(texts(meeting, url, { clock: "2:03", said: "“Why?”" })[1], "at 2:03. “Why?” Civic Record.")
  })

  it("shorten months as the Bluebook does", () => {
    const months = ["01", "05", "06", "07", "09"].map(
      (month) => texts({ ...meeting, date: `2026-${month}-08` }, url)[2]
    )
    assert.deepStrictEqual(
      months.map((text) => /\((\S+) 8/.exec(text ?? "")?.[1]),
      ["Jan.", "May", "June", "July", "Sept."]
    )
  })

  it("are beside a quotation with the same facts", () => {
    assert.strictEqual(
      quotation(meeting, `${url}?t=123`, { clock: "2:03", said: "Dana Reyes: “We heard you”" }),
      `Dana Reyes: “We heard you”\nPeña Springs City Council, Regular Meeting, September 8, 2026, at 2:03\n${url}?t=123`
    )
  })
})
