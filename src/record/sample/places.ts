import type { BundlePlace } from "../../../schema/bundle.ts"
import { slugify } from "../slug.ts"

/** The county of every place of the sample. Neither is on any map, and no ZIP code begins with 621. */
const county = "Tamarack County"

const place = (
  name: string,
  kind: BundlePlace["kind"],
  zips: ReadonlyArray<string>,
  latitude: number,
  longitude: number
): BundlePlace => ({ type: "place", slug: slugify(name), name, kind, state: "IL", county, zips, latitude, longitude })

export const places: ReadonlyArray<BundlePlace> = [
  place(county, "county", ["62101", "62102", "62104", "62107", "62109"], 40.36, -89.72),
  place("Larkmoor", "city", ["62101", "62102"], 40.371, -89.744),
  place("Peña Springs", "city", ["62104"], 40.298, -89.655),
  place("Corliss Mills", "city", ["62107"], 40.415, -89.61),
  place("Ostrander Ferry", "city", ["62109"], 40.332, -89.868)
]
