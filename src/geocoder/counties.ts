/** County names that the source misspells and no rule corrects, by state and county FIPS code. */
const official: Readonly<Record<string, string>> = {
  AK020: "Anchorage Municipality",
  AK105: "Hoonah-Angoon Census Area",
  AK158: "Kusilvak Census Area",
  AK198: "Prince of Wales-Hyder Census Area",
  AK230: "Skagway Municipality",
  AK232: "Skagway-Hoonah-Angoon Census Area",
  AK275: "Wrangell City and Borough",
  CA075: "San Francisco County",
  CT110: "Capitol Planning Region",
  CT120: "Greater Bridgeport Planning Region",
  CT170: "South Central Connecticut Planning Region",
  LA059: "LaSalle Parish",
  NM011: "De Baca County"
}

/**
 * Names of county equivalents in states that have no counties. Connecticut's planning regions have codes of their own.
 */
const sort = (state: string, fips: string): string => {
  if (state === "LA") return "Parish"
  if (state === "AK") return "Borough"
  return state === "CT" && fips >= "100" ? "Planning Region" : "County"
}

/** The Census gives cities outside any county codes from 510 (Virginia's, Baltimore, St. Louis, Carson City). */
const independentFrom = "510"

/**
 * The city that a county equivalent is, if it is one: "Roanoke" for "Roanoke (city)", "Richmond" for "City of
 * Richmond".
 */
export const independentCity = (fips: string, source: string): string | undefined =>
  fips >= independentFrom ? source.replace(/^City of | \(city\)?$/g, "") : undefined

/**
 * A county's full name ("Sangamon County", "Orleans Parish", "Nome Census Area"), from the source's, which usually
 * lacks the type. Undefined for places in no county: independent cities, the District of Columbia.
 */
export const countyName = (state: string, fips: string, source: string): string | undefined => {
  if (source === "" || state === "DC" || state === "MH" || fips >= independentFrom) return undefined
  const written = official[state + fips]
  if (written !== undefined) return written
  const name = source.replace(/^Saint /, "St. ").replace(/ \(CA\)$/, " Census Area")
  return / (County|Parish|Borough|Census Area|Municipality)$/.test(name) ? name : `${name} ${sort(state, fips)}`
}

const sorts = /(?<=.) (county|parish|city and borough|borough|census area|municipality|planning region)$/

/** A normalized county name without its type; undefined if it has none. */
export const countyBase = (normalized: string): string | undefined => {
  const base = normalized.replace(sorts, "")
  return base === normalized ? undefined : base
}
