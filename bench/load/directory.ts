import type { BundleAgency, BundlePlace } from "../../schema/bundle.ts"
import { bodyNames, countyNames, placeHeads, placeTails, states } from "./names.ts"
import { drawerOf, randomOf } from "./random.ts"

/** A body, with its time zone and weight. */
interface LoadedBody {
  readonly agency: BundleAgency
  /** IANA. */
  readonly timezone: string
  /** Its share of the record's meetings, relative to other bodies' weights. */
  readonly weight: number
}

export interface Directory {
  readonly places: ReadonlyArray<BundlePlace>
  readonly bodies: readonly [LoadedBody, ...ReadonlyArray<LoadedBody>]
}

/** The numbers for a million meetings; they shrink with the square root of the record's size. */
const most = { bodies: 5000, places: 1500 }

/** Shares fall with this power of a body's rank, so that a few bodies are large and many small. */
const skew = 0.6

const sluggish = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")

/** The places and bodies of a record of `size` meetings. */
export const directoryOf = (seed: string, size: number): Directory => {
  const random = randomOf(seed, "directory")
  const share = Math.sqrt(Math.min(1, size / 1_000_000))
  const count = {
    places: Math.max(6, Math.round(most.places * share)),
    bodies: Math.max(12, Math.round(most.bodies * share))
  }
  const stateOf = drawerOf(states.map(([, , weight]) => weight))
  const seen = new Map<string, number>()
  /** A slug that occurs again gets a number. */
  const slugOf = (text: string): string => {
    const slug = sluggish(text)
    const before = seen.get(slug) ?? 0
    seen.set(slug, before + 1)
    return before === 0 ? slug : `${slug}-${before + 1}`
  }

  const zones = new Map<string, string>()
  const places = Array.from({ length: count.places }, (_, at): BundlePlace => {
    const [state = "IL", zone = "America/Chicago"] = states[stateOf(random)] ?? []
    const county = `${random.pick(countyNames)} County`
    const kind = at % 7 === 6 ? "county" : "city"
    const name = kind === "county" ? county : `${random.pick(placeHeads)} ${random.pick(placeTails)}`
    const slug = slugOf(`${name} ${state}`)
    zones.set(slug, zone)
    return {
      type: "place",
      slug,
      name,
      kind,
      state,
      ...(kind === "county" ? {} : { county, zips: [String(10_000 + random.below(89_999))] }),
      latitude: Math.round((30 + 15 * random.next()) * 1e4) / 1e4,
      longitude: Math.round((-120 + 45 * random.next()) * 1e4) / 1e4
    }
  })

  const agencyAt = (at: number): BundleAgency => {
    const place = places[at % places.length] ?? places[0]
    if (place === undefined) throw new Error("A record has places.")
    const named = bodyNames[place.kind]
    const round = Math.floor(at / places.length)
    const [name, kind] = named[round % named.length] ?? ["Board", "other"]
    const slug = slugOf(`${place.slug} ${name}`)
    const beside = places[random.below(places.length)]?.slug
    const isShared = beside !== undefined && beside !== place.slug && random.chance(0.03)
    return {
      type: "agency",
      slug,
      // The other place has a body of that name too.
      segment: isShared ? slug : slug.slice(place.slug.length + 1),
      name: `${place.name} ${name}`,
      kind,
      places: isShared ? [place.slug, beside] : [place.slug],
      website: `https://${place.slug}.example.gov/${sluggish(name)}`
    }
  }

  // Ranks are random, so that the largest bodies are of every kind and place.
  const ranks = Array.from({ length: count.bodies }, (_, at) => at)
  for (let at = ranks.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    const held = ranks[at] ?? 0
    ranks[at] = ranks[other] ?? 0
    ranks[other] = held
  }
  const [first, ...rest] = ranks.map((rank, at): LoadedBody => {
    const agency = agencyAt(at)
    return { agency, timezone: zones.get(agency.places[0] ?? "") ?? "America/Chicago", weight: (rank + 1) ** -skew }
  })
  if (first === undefined) throw new Error("A record has bodies.")
  return { places, bodies: [first, ...rest] }
}
