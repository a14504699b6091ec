import type { MeetingFacts } from "./row.ts"
import { isState } from "./zones.ts"

/** A place as flags and rows name it. */
type KnownPlace = Required<Pick<MeetingFacts, "place" | "place_kind" | "state">> & Pick<MeetingFacts, "county">

const newYork: KnownPlace = { place: "New York", place_kind: "city", state: "NY" }
const seattle: KnownPlace = { place: "Seattle", place_kind: "city", county: "King County", state: "WA" }

/** The place behind the host of a Legistar site. New York spans five counties and so has none. */
const hosts: Readonly<Record<string, KnownPlace>> = {
  "legistar.council.nyc.gov": newYork,
  "nyc.legistar.com": newYork,
  "seattle.legistar.com": seattle
}

/** The same by the name under which Legistar keeps a client's files, `https://legistar2.granicus.com/seattle/...`. */
const clients: Readonly<Record<string, KnownPlace>> = { nyc: newYork, seattle }

/** The place behind the address of a Legistar site, or of a file that Legistar keeps for one, where it is known. */
export const placeOfSite = (address: string | null | undefined): KnownPlace | undefined => {
  if (!address || !URL.canParse(address)) return undefined
  const { host, pathname } = new URL(address)
  const known = hosts[host.toLowerCase()]
  if (known !== undefined || !/(^|\.)legistar\d*\.(granicus\.)?com$/i.test(host)) return known
  return clients[pathname.split("/")[1]?.toLowerCase() ?? ""]
}

/** The place that a file's name begins with, in Legistar's short name for it: `nyc-matters.ndjson`. */
export const placeOfName = (file: string): KnownPlace | undefined =>
  clients[/([a-z]+)[^/]*$/i.exec(file)?.[1]?.toLowerCase() ?? ""]

/** The place that the name of a source or folder gives: `seattle-wa` is Seattle, WA. */
export const factsOfTrail = (trail: ReadonlyArray<string>): MeetingFacts => {
  for (const name of trail) {
    const [, place, letters] = /^([a-z]+(?:[-_][a-z]+)*)[-_]([a-z]{2})$/i.exec(name) ?? []
    const state = letters?.toUpperCase()
    if (place === undefined || state === undefined || !isState(state)) continue
    const city = place.replace(/[-_]/g, " ").replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
    const county = countyOfCity(city, state)
    return { place: city, state, ...(county === undefined ? {} : { county }) }
  }
  return {}
}

/** The county of a known city, by name and state. */
const countyOfCity = (city: string, state: string): string | undefined =>
  Object.values(hosts).find((place) => place.place === city && place.state === state)?.county
