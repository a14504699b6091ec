import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as fc from "fast-check"
import { Geocoder } from "../../src/geocoder/geocoder.ts"
import { forAll } from "../support/for-all.ts"

const labels = Effect.fnUntraced(function* (q: string) {
  const geocoder = yield* Geocoder
  return (yield* geocoder.suggest(q, "one search")).map(({ label }) => label)
})

const locate = Effect.fnUntraced(function* (text: string) {
  const geocoder = yield* Geocoder
  return Option.getOrUndefined(yield* geocoder.locate(text))
})

const cityOf = Effect.fnUntraced(function* (city: string, region: string) {
  const geocoder = yield* Geocoder
  return Option.getOrUndefined(yield* geocoder.cityOf(city, region))
})

const resolve = Effect.fnUntraced(function* (id: string) {
  const geocoder = yield* Geocoder
  return Option.getOrUndefined(yield* geocoder.resolve(id, "one search"))
})

const springfield = { state: "IL", county: "Sangamon County", city: "Springfield" }

const pieces =
  "st Saint Springfield sprngfeld county of city IL new york 627 62701 12345 , - . ' ñ __proto__ us co".split(" ")

const typed = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ maxLength: 500 }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((words) => words.join(" "))
)

it.layer(Geocoder.layer)("the gazetteer", (it) => {
  describe("suggests", () => {
    it.effect("namesakes, those with the most ZIP codes first", () =>
      Effect.gen(function* () {
        const geocoder = yield* Geocoder
        const found = yield* geocoder.suggest("springfield", "one search")
        assert.strictEqual(found.length, 10)
        assert.isTrue(found.every(({ label, kind }) => kind === "city" && label.startsWith("Springfield, ")))
        const sizes = yield* Effect.forEach(found, ({ place_id }) => resolve(place_id))
        const counted = sizes.map((place) => [-(place?.zips.length ?? 0), place?.state ?? ""] as const)
        const ordered = counted.toSorted(([a, from], [b, to]) => a - b || (from < to ? -1 : 1))
        assert.deepStrictEqual(counted, ordered)
      })
    )

    it.effect("the one in the named state, however the state is written", () =>
      Effect.gen(function* () {
        for (const q of [
          "springfield il",
          "Springfield, Illinois",
          "SPRINGFIELD, IL",
          "springfield ill",
          "City of Springfield IL"
        ]) {
          assert.deepStrictEqual(yield* labels(q), ["Springfield, IL"], q)
        }
        assert.deepStrictEqual((yield* labels("springfield, i")).toSorted(), ["Springfield, ID", "Springfield, IL"])
        assert.include(yield* labels("port or"), "Portland, OR")
        assert.strictEqual((yield* labels("carson city"))[0], "Carson City, NV")
      })
    )

    it.effect("names with letters missing, added, wrong or swapped", () =>
      Effect.gen(function* () {
        const slips = {
          Sprngfield: "Springfield, IL",
          "sprngfeld, il": "Springfield, IL",
          Chicgo: "Chicago, IL",
          Chciago: "Chicago, IL",
          Albequerque: "Albuquerque, NM",
          Cincinatti: "Cincinnati, OH",
          Minnapolis: "Minneapolis, MN",
          "sangmon county": "Sangamon County, IL"
        }
        for (const [typed, meant] of Object.entries(slips)) assert.include(yield* labels(typed), meant, typed)
        assert.deepStrictEqual(yield* labels("qqqqqqqq"), [])
      })
    )

    it.effect("names by their abbreviations, accents and spacing", () =>
      Effect.gen(function* () {
        const ways = {
          "st louis mo": "St. Louis, MO",
          "Saint Louis, MO": "St. Louis, MO",
          "mt vernon ny": "Mount Vernon, NY",
          "ft wayne": "Fort Wayne, IN",
          "E. Peoria": "East Peoria, IL",
          "dona ana county": "Doña Ana County, NM",
          "Doña Ana County": "Doña Ana County, NM",
          "ofallon il": "O'Fallon, IL",
          "O’Fallon, IL": "O'Fallon, IL",
          "la salle county il": "LaSalle County, IL",
          "winston salem": "Winston-Salem, NC",
          "sangamon co": "Sangamon County, IL"
        }
        for (const [typed, meant] of Object.entries(ways)) assert.strictEqual((yield* labels(typed))[0], meant, typed)
      })
    )

    it.effect("places by the beginning of their name, cities before counties", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* labels("new orl"))[0], "New Orleans, LA")
        assert.strictEqual((yield* labels("St. Lou"))[0], "St. Louis, MO")
        assert.strictEqual((yield* labels("sangam"))[0], "Sangamon County, IL")
        assert.isFalse((yield* labels("san")).some((label) => label.includes("County")))
      })
    )

    it.effect("ZIP codes by their first digits", () =>
      Effect.gen(function* () {
        const geocoder = yield* Geocoder
        const found = yield* geocoder.suggest("627", "one search")
        assert.strictEqual(found.length, 10)
        assert.isTrue(found.every(({ zip, kind }) => kind === "zip" && zip?.startsWith("627") === true))
        assert.deepStrictEqual(yield* labels("62701"), ["Springfield, IL 62701"])
        assert.deepStrictEqual(yield* labels("62701-1234"), ["Springfield, IL 62701"])
        assert.deepStrictEqual(yield* labels("00000"), [])
      })
    )

    it.effect("the place of an address, a state's cities, and nothing for nothing", () =>
      Effect.gen(function* () {
        const county = ["Springfield, IL", "Sangamon County, IL"]
        assert.deepStrictEqual(yield* labels("800 E Monroe St, Springfield, IL 62701"), [
          "Springfield, IL 62701",
          ...county
        ])
        assert.deepStrictEqual(yield* labels("800 E Monroe St, Springfield, IL"), county)
        assert.strictEqual((yield* labels("Illinois"))[0], "Chicago, IL")
        for (const q of ["", "   ", ",", "…", "🚀"]) assert.deepStrictEqual(yield* labels(q), [], q)
      })
    )
  })

  describe("resolves", () => {
    it.effect("every suggestion by its id", () =>
      Effect.gen(function* () {
        const geocoder = yield* Geocoder
        for (const q of ["springfield", "st lou", "doña", "627", "o", "prince", "mc", "orleans", "nome", "coeur"]) {
          for (const suggestion of yield* geocoder.suggest(q, "one search")) {
            const { zips, ...place } = (yield* resolve(suggestion.place_id)) ?? { zips: [] }
            assert.deepStrictEqual(place, suggestion)
            assert.deepStrictEqual(zips, zips.toSorted())
            assert.isNotEmpty(zips)
          }
        }
      })
    )

    it.effect("a city, a county and a ZIP code to where they are", () =>
      Effect.gen(function* () {
        const city = yield* resolve("city:IL:springfield")
        assert.deepInclude(city, { label: "Springfield, IL", kind: "city", ...springfield })
        assert.include(city?.zips ?? [], "62701")
        assert.closeTo(city?.latitude ?? 0, 39.8, 0.1)
        assert.closeTo(city?.longitude ?? 0, -89.65, 0.1)
        assert.deepInclude(yield* resolve("county:IL:sangamon-county"), {
          label: "Sangamon County, IL",
          kind: "county"
        })
        assert.deepStrictEqual((yield* resolve("zip:62701"))?.zips, ["62701"])
      })
    )

    it.effect("nothing for text that is not an id", () =>
      Effect.gen(function* () {
        const none = [
          "",
          "zip:",
          "zip:00000",
          "zip:627",
          "city:IL:",
          "city:il:springfield",
          "city:IL:Springfield",
          "city:IL:sangamon-county"
        ]
        for (const id of [
          ...none,
          "county:IL:sangamon",
          "city:XX:springfield",
          "city:IL:__proto__",
          "body:IL:springfield",
          " zip:62701"
        ]) {
          assert.isUndefined(yield* resolve(id), id)
        }
      })
    )
  })

  describe("reads", () => {
    it.effect("ZIP codes", () =>
      Effect.gen(function* () {
        for (const text of [
          "62701",
          "62701-1234",
          " 62701 ",
          "Springfield IL 62701",
          "62701 Springfield",
          "62701, Springfield, Illinois"
        ]) {
          assert.deepStrictEqual(yield* locate(text), { match: "zip", zip: "62701", ...springfield }, text)
        }
      })
    )

    it.effect("addresses, whose house number is no ZIP code", () =>
      Effect.gen(function* () {
        const zip = { match: "address" as const, zip: "62701", ...springfield }
        assert.deepStrictEqual(yield* locate("800 E Monroe St, Springfield, IL 62701"), zip)
        assert.deepStrictEqual(yield* locate("800 E Monroe St, Springfield, Illinois 62701-1234, USA"), zip)
        for (const text of [
          "12345 Main St, Springfield, IL",
          "60601 Main St Springfield IL",
          "Lincoln Library, 326 S 7th St, Springfield, IL",
          "800 E Monroe, Sprngfield, IL"
        ]) {
          assert.deepStrictEqual(yield* locate(text), { match: "address", ...springfield }, text)
        }
        assert.deepStrictEqual(yield* locate("800 E Monroe St, Springfield"), { match: "address", city: "Springfield" })
        assert.isUndefined(yield* locate("100 Main Street"))
      })
    )

    it.effect("names, without a state where several have one", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* locate("springfield"), { match: "name", city: "Springfield" })
        assert.deepStrictEqual(yield* locate("Sprngfield"), { match: "name", city: "Springfield" })
        assert.deepStrictEqual(yield* locate("Springfield, Ill."), { match: "name", ...springfield })
        assert.deepStrictEqual(yield* locate("Seattle"), {
          match: "name",
          state: "WA",
          county: "King County",
          city: "Seattle"
        })
        assert.deepStrictEqual(yield* locate("Knox County"), { match: "name", county: "Knox County" })
        assert.deepStrictEqual(yield* locate("knox co, tn"), { match: "name", state: "TN", county: "Knox County" })
        assert.deepStrictEqual(yield* locate("Washington, D.C."), { match: "name", state: "DC", city: "Washington" })
      })
    )

    it.effect("states, but for those that are better known as cities", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* locate("Indiana"), { match: "name", state: "IN" })
        assert.strictEqual((yield* locate("Indiana, PA"))?.city, "Indiana")
        assert.strictEqual((yield* locate("New York"))?.city, "New York")
        assert.strictEqual((yield* locate("west virginia"))?.state, "WV")
      })
    )

    it.effect("nothing into other words", () =>
      Effect.gen(function* () {
        for (const text of [
          "",
          "school board",
          "city council",
          "planning",
          "nowhere at all",
          "1 Foo St, Smallville, KS"
        ]) {
          assert.isUndefined(yield* locate(text), text)
        }
      })
    )
  })

  describe("names counties", () => {
    it.effect("as each state does", () =>
      Effect.gen(function* () {
        const counties = {
          "70112": "Orleans Parish",
          "71101": "Caddo Parish",
          "99762": "Nome Census Area",
          "99801": "Juneau City and Borough",
          "99501": "Anchorage Municipality",
          "99929": "Wrangell City and Borough",
          "99840": "Skagway Municipality",
          "94103": "San Francisco County",
          "63301": "St. Charles County",
          "23030": "Charles City County",
          "06103": "Capitol Planning Region"
        }
        for (const [zip, county] of Object.entries(counties))
          assert.strictEqual((yield* locate(zip))?.county, county, zip)
      })
    )

    it.effect("and has none for a city outside all counties, and does not confuse it with its namesake", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* cityOf("Richmond", "VA"), { city: "Richmond", state: "VA" })
        assert.deepStrictEqual(yield* cityOf("Roanoke", "VA"), { city: "Roanoke", state: "VA" })
        assert.deepStrictEqual(yield* cityOf("Baltimore", "MD"), { city: "Baltimore", state: "MD" })
        assert.deepStrictEqual(yield* cityOf("Washington", "DC"), { city: "Washington", state: "DC" })
        assert.deepStrictEqual(yield* labels("roanoke va"), ["Roanoke, VA", "Roanoke County, VA"])
      })
    )
  })

  it.effect("finds a visitor's city by name and region", () =>
    Effect.gen(function* () {
      for (const city of ["Saint Louis", "St. Louis", "st louis", "City of St. Louis"]) {
        for (const region of ["MO", "mo", "Missouri", "US-MO"]) {
          assert.deepStrictEqual(yield* cityOf(city, region), { city: "St. Louis", state: "MO" })
        }
      }
      assert.strictEqual((yield* cityOf("New York City", "NY"))?.city, "New York")
      assert.strictEqual((yield* cityOf("Kansas City", "KS"))?.county, "Wyandotte County")
      assert.strictEqual((yield* cityOf("Seattle", ""))?.state, "WA")
      for (const [city, region] of [
        ["Springfield", ""],
        ["Springfield", "Bavaria"],
        ["Sprngfield", "IL"],
        ["", "IL"],
        ["", ""]
      ] as const) {
        assert.isUndefined(yield* cityOf(city, region), `${city}, ${region}`)
      }
    })
  )

  it.effect("accepts anything that is typed", () =>
    Effect.gen(function* () {
      const geocoder = yield* Geocoder
      yield* forAll(
        typed,
        Effect.fnUntraced(function* (text) {
          const found = yield* geocoder.suggest(text, text)
          assert.isAtMost(found.length, 10)
          assert.strictEqual(new Set(found.map(({ place_id }) => place_id)).size, found.length)
          yield* geocoder.resolve(text, text)
          yield* geocoder.cityOf(text, text)
          const read = Option.getOrUndefined(yield* geocoder.locate(text))
          assert.isTrue(read === undefined || (read.state ?? read.city ?? read.county) !== undefined)
        })
      )
    })
  )
})
