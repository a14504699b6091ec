import { assert, describe, it } from "@effect/vitest"
import type { PlaceSummary } from "../../schema/place.ts"
import { examples } from "../../src/api/examples/index.ts"
import { htmlOf } from "../../src/page-tree/html.ts"
import { el } from "../../src/page-tree/tree.ts"
import { placesPage } from "../../src/pages/places.ts"

const [example] = examples.listPlaces.places
if (example === undefined) throw new Error("The examples hold no place")

const city = (name: string, state: string, county?: string): PlaceSummary => {
  const { county: _, ...place } = example
  return { ...place, kind: "city", name, state, ...(county === undefined ? {} : { county }) }
}

/** The headings of the list and the places below each of them. */
const listed = (...places: ReadonlyArray<PlaceSummary>) => {
  const html = htmlOf(el("main", {}, placesPage({ places, looked: undefined }).main))
  return [...html.matchAll(/<section class="list"><h2>([^<]*)<\/h2>(.*?)<\/section>/gs)].map(
    ([, heading, list = ""]) =>
      `${heading}: ${[...list.matchAll(/<a [^>]*>([^<]*)/g)].map(([, name]) => name).join(" ")}`
  )
}

describe("the list of places", () => {
  it("has the counties of a state, and last the places in none", () => {
    assert.deepStrictEqual(
      listed(
        city("Zell", "TN", "Ada County"),
        city("Alone", "TN"),
        city("Aub", "TN", "Ada County"),
        city("Ob", "TN", "Bo")
      ),
      ["Ada County: Aub Zell", "Bo: Ob", "Elsewhere in Tennessee: Alone"]
    )
  })

  it("distinguishes counties of one name by their states, and names a state's only group after it", () => {
    assert.deepStrictEqual(listed(city("A", "TN", "Knox"), city("B", "KY", "Knox"), city("C", "NY")), [
      "Knox, Kentucky: B",
      "New York: C",
      "Knox, Tennessee: A"
    ])
  })
})
