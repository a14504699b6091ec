import { Effect } from "effect"
import { pointOf } from "../../geocoder/geocoder.ts"
import { type Origin, onceWarning } from "./item.ts"
import { isUnsettled, zoneOf } from "./zones.ts"

/** The time zone of a place, and how it was chosen, where its county did not settle it. */
export interface PlaceZone {
  readonly timezone: string
  readonly note?: string
}

interface NamedPlace {
  readonly place: string
  readonly place_kind?: "city" | "county" | undefined
  readonly county?: string | undefined
  readonly state: string
}

/**
 * The time zone of a place. In a state with two zones, a place without a county that settles it is looked up in the
 * gazetteer; a place that the gazetteer does not know gets the zone of most of the state. Undefined for letters that
 * are not a state.
 */
export const zoneOfPlace = Effect.fnUntraced(function* ({
  place,
  place_kind: kind = "city",
  county,
  state
}: NamedPlace): Effect.fn.Return<PlaceZone | undefined> {
  const named = kind === "county" ? (county ?? place) : county
  const usual = zoneOf(state, named)
  if (usual === undefined) return undefined
  if (!isUnsettled(state, named)) return { timezone: usual }
  const found = yield* pointOf(kind, kind === "county" ? (named ?? place) : place, state, county)
  const timezone = zoneOf(state, named ?? found?.county, found) ?? usual
  const said = `is not given; ${state} has two time zones`
  return {
    timezone,
    note:
      found === undefined
        ? `${said}, ${place} is not in the gazetteer, and ${timezone} is a guess; give its county or its time zone`
        : `${said}, and ${timezone} is that of ${place}`
  }
})

/** The note on how a zone was chosen; a source gives it once per place. */
export const zoneNotes = (origin: Origin, note: string | undefined) =>
  note === undefined ? [] : [onceWarning(origin, "timezone", note)]
