import type { MeetingFacts } from "./row.ts"

/** A place as flags and rows name it. */
export type KnownPlace = Required<Pick<MeetingFacts, "place" | "place_kind" | "state">> & Pick<MeetingFacts, "county">

const newYork: KnownPlace = { place: "New York", place_kind: "city", state: "NY" }
const seattle: KnownPlace = { place: "Seattle", place_kind: "city", county: "King County", state: "WA" }

/** Whose Legistar site a host is. New York is five counties, and so in none. */
const hosts: Readonly<Record<string, KnownPlace>> = {
  "legistar.council.nyc.gov": newYork,
  "nyc.legistar.com": newYork,
  "seattle.legistar.com": seattle
}

/** The place whose Legistar site an address is of, where we know it. */
export const placeOfSite = (address: string | null | undefined): KnownPlace | undefined =>
  address && URL.canParse(address) ? hosts[new URL(address).host.toLowerCase()] : undefined

/** The county of a city that we know by name and state. */
export const countyOfCity = (city: string, state: string): string | undefined =>
  Object.values(hosts).find((place) => place.place === city && place.state === state)?.county
