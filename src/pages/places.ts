import { Effect, Schema } from "effect"
import type { LocationResults } from "../../schema/geo.ts"
import type { PlaceSummary } from "../../schema/place.ts"
import { stateName } from "../geocoder/states.ts"
import { el, heading, type Kid, prose, web } from "../page-tree/tree.ts"
import { Directory } from "../services/directory/directory.ts"
import { Locations } from "../services/directory/locations.ts"
import type { Load, Page } from "./page.ts"
import { regionOf } from "./parts/region.ts"
import { queryDecoder, withQuery } from "./query.ts"
import { nothingHeld, plural } from "./said.ts"

export interface PlacesView {
  readonly places: ReadonlyArray<PlaceSummary>
  /** The search, and its results. */
  readonly looked: LocationResults | undefined
}

const form = (q: string | undefined): Kid => [
  web(
    el(
      "form",
      { class: "ask", role: "search", action: "/places", method: "get" },
      el("label", { for: "q" }, "Find your town: a name, an address or a ZIP"),
      el(
        "div",
        { class: "row" },
        el("input", { id: "q", type: "search", name: "q", value: q, autocomplete: "postal-code", spellcheck: "false" }),
        el("button", { type: "submit" }, "Find")
      )
    )
  ),
  prose(
    el(
      "p",
      {},
      "To find a place or a body, fetch ",
      el("code", {}, "/md/places?q=NAME"),
      ", with a name, an address or a ZIP."
    )
  )
]

const results = ({ query, results }: LocationResults): Kid =>
  el(
    "section",
    { class: "list", "aria-labelledby": "found" },
    heading(
      el("span", { id: "found" }, results.length === 0 ? `Nothing is called “${query}”` : `Found for “${query}”`)
    ),
    results.length === 0
      ? el("p", { class: "note" }, "Try another spelling, or a ZIP. Every place on record is listed below.")
      : el(
          "ul",
          { class: "dotted" },
          results.map(({ name, path, detail, meetings_held }) =>
            el(
              "li",
              {},
              el("a", { href: path }, name),
              " ",
              el("span", { class: "num" }, `${detail} · ${plural(meetings_held, "meeting")}`)
            )
          )
        )
  )

/** The places of one county or, without a county on record, of the rest of a state. */
interface Group {
  readonly state: string
  readonly county: string | undefined
  readonly places: ReadonlyArray<PlaceSummary>
}

/** By state and county; places in no county come last in their state. */
const groupsOf = (places: ReadonlyArray<PlaceSummary>): ReadonlyArray<Group> =>
  [...Map.groupBy(places, ({ state }) => state)]
    .toSorted(([a], [b]) => stateName(a).localeCompare(stateName(b), "en"))
    .flatMap(([state, inState]) =>
      [...Map.groupBy(inState, ({ kind, name, county }) => (kind === "county" ? name : county))]
        .toSorted(
          ([a], [b]) => Number(a === undefined) - Number(b === undefined) || (a ?? "").localeCompare(b ?? "", "en")
        )
        .map(([county, places]) => ({ state, county, places }))
    )

const nameOf = ({ state, county }: Group, all: ReadonlyArray<Group>): string => {
  const isAlone = all.filter((other) => other.state === state).length === 1
  if (county === undefined) return isAlone ? stateName(state) : `Elsewhere in ${stateName(state)}`
  return all.every((other) => other.state === state) ? county : `${county}, ${stateName(state)}`
}

const groups = (places: ReadonlyArray<PlaceSummary>): Kid =>
  places.length === 0
    ? el("p", { class: "note" }, nothingHeld)
    : groupsOf(places).map((group, _, all) =>
        el(
          "section",
          { class: "list" },
          heading(nameOf(group, all)),
          el(
            "ul",
            { class: "dotted" },
            group.places
              .toSorted(
                (a, b) =>
                  Number(b.kind === "county") - Number(a.kind === "county") || a.name.localeCompare(b.name, "en")
              )
              .map(({ kind, name, path, bodies, meetings_held }) =>
                el(
                  "li",
                  {},
                  el("a", { href: path }, name),
                  " ",
                  el(
                    "span",
                    { class: "num" },
                    `${kind === "county" ? "County, " : ""}${plural(bodies, "body", "bodies")} · ${plural(meetings_held, "meeting")}`
                  )
                )
              )
          )
        )
      )

/** `/places`: every place on record by county, and a field that finds one. */
export const placesPage = ({ places, looked }: PlacesView): Page => {
  const region = regionOf(places)
  return {
    head: {
      title: "Places",
      description: `The ${plural(places.length, "place")} whose public bodies are on record${region === "" ? "" : `, in ${region}`}.`,
      path: withQuery("/places", { q: looked?.query }),
      access: "open",
      current: "places",
      searches: true,
      json: looked === undefined ? "/api/places" : withQuery("/api/search/locations", { q: looked.query })
    },
    main: el(
      "div",
      { class: "wide top narrow" },
      heading("Places"),
      form(looked?.query),
      looked !== undefined && results(looked),
      groups(places)
    )
  }
}

const decode = queryDecoder(Schema.Struct({ q: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(200))) }))

export const loadPlaces: Load<Directory | Locations> = Effect.fn("PlacesPage.load")(function* (asked) {
  const { q = "" } = yield* decode(asked.query)
  const { places } = yield* (yield* Directory).places
  return placesPage({ places, looked: q.trim() === "" ? undefined : yield* (yield* Locations).search(q) })
})
