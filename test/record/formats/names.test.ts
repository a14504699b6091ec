import { assert, describe, it } from "@effect/vitest"
import { bodyKind } from "../../../src/record/formats/row.ts"
import { plainText, shorten, webAddress } from "../../../src/record/formats/text.ts"
import { dateOfTitle } from "../../../src/record/formats/title-date.ts"
import { isState, zoneOf } from "../../../src/record/formats/zones.ts"
import { bodySlugs, slugify } from "../../../src/record/slug.ts"

describe("slugs", () => {
  it("are the lower-case words of a name, without accents", () => {
    assert.strictEqual(slugify("Doña Ana County"), "dona-ana-county")
    assert.strictEqual(
      slugify("  Committee on Women's Issues & Æsthetics "),
      "committee-on-womens-issues-and-aesthetics"
    )
    assert.strictEqual(slugify("¿?"), "")
  })

  it("are never longer than the schema allows, and end at a word", () => {
    const slug = slugify("Committee on Very Long Names ".repeat(20))
    assert.isAtMost(slug.length, 160)
    assert.match(slug, /^[a-z0-9]+(-[a-z0-9]+)*$/)
  })

  it("of a body include its place, and its segment is the rest", () => {
    const slugs = (name: string, place: string) => Object.values(bodySlugs(name, { slug: slugify(place), name: place }))
    assert.deepStrictEqual(slugs("Knoxville City Council", "Knoxville"), ["knoxville-city-council", "city-council"])
    assert.deepStrictEqual(slugs("City Council", "Knoxville"), ["knoxville-city-council", "city-council"])
    assert.deepStrictEqual(slugs("Knox County Commission", "Knox County"), ["knox-county-commission", "commission"])
    assert.deepStrictEqual(slugs("Knoxville-Knox County Planning Commission", "Knox County"), [
      "knoxville-knox-county-planning-commission",
      "planning-commission"
    ])
    assert.deepStrictEqual(slugs("Council of the City of New York", "New York"), [
      "council-of-the-city-of-new-york",
      "council-of-the-city-of-new-york"
    ])
    // "York" is not a word of "Yorktown".
    assert.deepStrictEqual(slugs("Yorktown Watch", "York"), ["york-yorktown-watch", "yorktown-watch"])
  })

  it("of a place with namesakes start those of its bodies", () => {
    assert.deepStrictEqual(bodySlugs("Knoxville City Council", { slug: "knoxville-ia", name: "Knoxville" }), {
      slug: "knoxville-ia-city-council",
      segment: "city-council"
    })
  })
})

describe("bodyKind", () => {
  const named: ReadonlyArray<readonly [string, string]> = [
    ["City Council", "city_council"],
    ["Town of Marlow Board of Mayor & Aldermen", "city_council"],
    ["Committee on Education", "committee"],
    ["Subcommittee on Zoning and Franchises", "committee"],
    ["Task Force on Hospital Closings", "committee"],
    ["Committee of the Whole City Council", "committee"],
    ["Board of Education", "school_board"],
    ["Marlow School Board", "school_board"],
    ["Planning Commission", "planning_commission"],
    ["Planning & Zoning Commission", "planning_commission"],
    ["Tamarack County Planning Commission", "planning_commission"],
    ["Knox County Commission", "county_board"],
    ["Board of Supervisors", "county_board"],
    ["Tamarack County Board", "county_board"],
    ["Zoning Board of Appeals", "other"],
    ["Beer Board", "other"],
    ["Select Board", "city_council"],
    ["Village Board of Trustees", "city_council"],
    ["Board of Ed", "school_board"],
    ["Commissioners Court", "county_board"],
    ["Planning and Zoning", "planning_commission"],
    ["Housing Working Group", "committee"]
  ]
  for (const [name, kind] of named) it(`${name}: ${kind}`, () => assert.strictEqual(bodyKind(name), kind))
})

describe("dateOfTitle", () => {
  const titles: ReadonlyArray<readonly [string, string | undefined]> = [
    ["Co Com 070122", "2007-01-22"],
    ["City Council_070130_Part 1", "2007-01-30"],
    ["Co Com Jan 2410 Preview", "2010-01-24"],
    ["Co Com WS Nov 0810 Preview", "2010-11-08"],
    ["Meeting of January 5, 2021", "2021-01-05"],
    ["2021-02-30 Session", undefined],
    ["Beer Brd R 293 071323", undefined],
    ["070122 and 070123", undefined],
    ["070122, the meeting of January 22, 2007", "2007-01-22"],
    ["City Council 12/2/2026", "2026-12-02"],
    ["City Council 11-16-26", "2026-11-16"],
    ["City Council, December 2nd, 2026", "2026-12-02"],
    ["City Council 12/2/2026 and 12/9/2026", undefined],
    ["City Council December 2nd", undefined],
    ["Ordinance 2410", undefined],
    ["Regular Meeting", undefined]
  ]
  for (const [title, date] of titles) it(`"${title}": ${date}`, () => assert.strictEqual(dateOfTitle(title), date))

  it("is in the year nearest to when the title was published if it has none", () => {
    assert.strictEqual(dateOfTitle("City Council December 30th", "2027-01-02"), "2026-12-30")
    assert.strictEqual(dateOfTitle("City Council 1/5", "2026-12-31"), "2027-01-05")
    assert.strictEqual(dateOfTitle("City Council December 2nd, 2025", "2026-12-31"), "2025-12-02")
  })
})

describe("zoneOf", () => {
  it("is the county's if its state has several zones", () => {
    assert.strictEqual(zoneOf("TN", "Knox County"), "America/New_York")
    assert.strictEqual(zoneOf("TN", "Davidson County"), "America/Chicago")
    assert.strictEqual(zoneOf("TN", undefined), "America/Chicago")
    assert.strictEqual(zoneOf("WA", "King County"), "America/Los_Angeles")
    assert.isUndefined(zoneOf("ZZ", undefined))
    assert.isFalse(isState("ON"))
  })

  it("is that at the coordinates where the county is unknown or divided, and never another state's", () => {
    const knoxville = { latitude: 35.96, longitude: -83.92 }
    assert.strictEqual(zoneOf("TN", undefined, knoxville), "America/New_York")
    assert.strictEqual(zoneOf("TN", "Davidson County", knoxville), "America/Chicago")
    const merriman = { latitude: 42.92, longitude: -101.7 }
    assert.strictEqual(zoneOf("NE", "Cherry County", merriman), "America/Denver")
    assert.strictEqual(zoneOf("MI", undefined, { latitude: 46.5, longitude: -84.35 }), "America/Detroit")
    assert.strictEqual(zoneOf("AL", undefined, { latitude: 32.47, longitude: -85 }), "America/Chicago")
  })
})

describe("texts", () => {
  it("are cut at a word", () => {
    assert.strictEqual(shorten("one two three", 13), "one two three")
    assert.strictEqual(shorten("one two, three", 10), "one two…")
    assert.strictEqual(shorten("x".repeat(20), 10), `${"x".repeat(9)}…`)
  })

  it("in rich text lose their commands", () => {
    const note =
      "{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0\\fnil\\fcharset0 Arial;}}\r\n{\\colortbl ;\\red0\\green0\\blue0;}\r\n\\pard\\b\\fs24 Start: 9:32 a.m.\\par\r\nCaf\\'e9\\b0  \\par\r\n}\r\n"
    assert.strictEqual(plainText(note), "Start: 9:32 a.m.\n\nCafé")
  })

  it("are left out if they are not web addresses", () => {
    assert.strictEqual(webAddress(" https://a.example/x y.pdf "), "https://a.example/x%20y.pdf")
    assert.isUndefined(webAddress("javascript:alert(1)"))
    assert.isUndefined(webAddress(""))
  })
})
