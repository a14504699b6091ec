import type { MeetingFacts } from "./row.ts"

/** A place in the words of flags and rows. */
type KnownPlace = Required<Pick<MeetingFacts, "place" | "place_kind" | "state">> & Pick<MeetingFacts, "county">

const newYork: KnownPlace = { place: "New York", place_kind: "city", state: "NY" }
const seattle: KnownPlace = { place: "Seattle", place_kind: "city", county: "King County", state: "WA" }

/** The place behind the host of a Legistar site. New York spans five counties and so has none. */
const hosts: Readonly<Record<string, KnownPlace>> = {
  "legistar.council.nyc.gov": newYork,
  "nyc.legistar.com": newYork,
  "seattle.legistar.com": seattle
}

/** The place behind the address of a Legistar site, where it is known. */
export const placeOfSite = (address: string | null | undefined): KnownPlace | undefined =>
  address && URL.canParse(address) ? hosts[new URL(address).host.toLowerCase()] : undefined

/** The county of a known city, by name and state. */
export const countyOfCity = (city: string, state: string): string | undefined =>
  Object.values(hosts).find((place) => place.place === city && place.state === state)?.county
