import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { GeoMatch, GeoPlace, GeoSuggestions, LocationResults } from "../../schema/geo.ts"
import { agency, meeting, place, putOnRecord } from "../support/builders.ts"
import { call } from "../support/call.ts"
import { TestService } from "../support/service.ts"

/** Ambton and Tamarack County are in no gazetteer. */
const record = putOnRecord(
  place("tamarack-county", { name: "Tamarack County", kind: "county" }),
  place("ambton", { county: "Tamarack County", zips: ["62101"], latitude: 40.5, longitude: -89.5 }),
  place("springfield", { county: "Sangamon County", zips: ["62701"] }),
  agency("ambton-city-council", ["ambton"]),
  agency("ambton-park-board", ["ambton"], { kind: "other" }),
  agency("ambton-schools", ["ambton"], { name: "Board of Education", kind: "school_board" }),
  agency("springfield-school-board", ["springfield"], {
    kind: "school_board",
    retired_slugs: ["capital-area-district"]
  }),
  agency("tamarack-county-board", ["tamarack-county"], { kind: "county_board" }),
  ...["ambton-city-council", "springfield-school-board", "tamarack-county-board"].map((body) => meeting(body, body))
)

layer(Layer.provideMerge(Layer.effectDiscard(record), TestService), { excludeTestServices: true })(
  "finding places and bodies",
  (it) => {
    const get = (path: string, query: Readonly<Record<string, string>>) =>
      Effect.map(call("GET", `${path}?${new URLSearchParams(query)}`), (answer) => {
        assert.strictEqual(answer.status, 200, answer.text)
        return answer.json()
      })
    const find = Effect.fnUntraced(function* (q: string) {
      const { results } = (yield* get("/api/search/locations", { q })) as unknown as LocationResults
      return results.map(({ slug }) => slug)
    })

    it.effect("by an address finds the place that its name and its ZIP code find", () =>
      Effect.gen(function* () {
        const around = ["ambton", "ambton-city-council", "ambton-park-board", "ambton-schools"]
        const byZip = yield* find("62101")
        assert.sameMembers([...byZip], around)
        for (const q of ["100 Main Street, Ambton, IL", "100 Main St Ambton Illinois 62101", "Main Street, Ambton"]) {
          assert.sameMembers((yield* find(q)).slice(0, 4), around, q)
        }
        for (const q of ["Ambton", "ambton, il", "Ambtn"]) assert.strictEqual((yield* find(q))[0], "ambton", q)
        assert.include(yield* find("800 E Monroe St, Springfield, IL"), "springfield-school-board")
      })
    )

    it.effect("by the kind of body finds those of that kind first, and none that has only one of the words", () =>
      Effect.gen(function* () {
        for (const q of ["school board", "scool bord"]) {
          const found = yield* find(q)
          assert.strictEqual(found[0], "springfield-school-board", q)
          assert.include(found, "ambton-schools", q)
          for (const other of ["ambton-park-board", "tamarack-county-board"]) assert.notInclude(found, other, q)
        }
      })
    )

    it.effect("by a body's name finds the body first, and by a word that says nothing finds nothing", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* find("park board of ambton"))[0], "ambton-park-board")
        assert.deepStrictEqual(yield* find("of the"), [])
      })
    )

    it.effect("by a retired name finds the body that had it", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* find("capital area district"), ["springfield-school-board"])
      })
    )

    it.effect("by a slug finds the same in any case", () =>
      Effect.gen(function* () {
        for (const path of ["/api/places/", "/api/agencies/ambton-", "/api/in/ambton/ambton-"]) {
          const slug = path === "/api/places/" ? "ambton" : "city-council"
          const typed = `${path}${slug}`.replaceAll("ambton", "Ambton").replace("council", "COUNCIL")
          assert.deepStrictEqual(yield* get(typed, {}), yield* get(`${path}${slug}`, {}), typed)
        }
        for (const filter of ["place_slug", "agency_slug", "agency", "follow_agency", "follow_place"]) {
          const slug = /place/.test(filter) ? "Ambton" : "Ambton-City-Council"
          assert.strictEqual((yield* get("/api/meetings/browse", { [filter]: slug })).total, 1, filter)
        }
      })
    )

    it.effect("includes places of the record that the gazetteer lacks", () =>
      Effect.gen(function* () {
        const match = (city: string, region: string) => get("/api/geo", { city, region }) as Effect.Effect<GeoMatch>
        for (const region of ["IL", "il", "Illinois", "US-IL"]) {
          assert.strictEqual((yield* match("Ambton", region)).place?.slug, "ambton", region)
          assert.strictEqual((yield* match("springfield", region)).place?.slug, "springfield", region)
        }
        assert.deepStrictEqual(yield* match("Ambton", "Ohio"), { matched: false })
        for (const q of ["amb", "Ambton, Ill", "100 Main Street, Ambton, IL", "6210"]) {
          const { suggestions } = (yield* get("/api/search/geo", { q })) as unknown as GeoSuggestions
          assert.deepStrictEqual(suggestions[0], { place_id: "city:IL:ambton", label: "Ambton, IL", kind: "city" }, q)
        }
        const found = (yield* get("/api/search/geo/resolve", { place_id: "city:IL:ambton" })) as unknown as GeoPlace
        assert.include(found, { label: "Ambton, IL", latitude: 40.5, longitude: -89.5 })
        assert.strictEqual(found.place?.slug, "ambton")
        assert.strictEqual(found.county?.slug, "tamarack-county")
        assert.lengthOf(found.bodies, 4)
        const ofZip = (yield* get("/api/search/geo/resolve", { place_id: "zip:62101" })) as unknown as GeoPlace
        assert.deepStrictEqual(ofZip, { ...found, place_id: "zip:62101", label: "Ambton, IL 62101" })
      })
    )
  }
)
