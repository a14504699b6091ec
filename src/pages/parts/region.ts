import type { PlaceRef } from "../../../schema/place.ts"
import { stateName } from "../../geocoder/states.ts"

/** The region a record covers, if one name covers it: `Tamarack County, Illinois`, else the state, else nothing. */
export const regionOf = (places: ReadonlyArray<PlaceRef>): string => {
  const states = new Set(places.map(({ state }) => state))
  const counties = new Set(places.map(({ kind, name, county }) => (kind === "county" ? name : county)))
  const [state] = states
  const [county] = counties
  if (state === undefined || states.size > 1) return ""
  return counties.size === 1 && county !== undefined ? `${county}, ${stateName(state)}` : stateName(state)
}
