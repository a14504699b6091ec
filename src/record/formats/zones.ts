import tzLookup from "@photostructure/tz-lookup"

/** The zone of most of each state (IANA tz database), used if the county does not decide it. */
const zoneOfState: Readonly<Record<string, string>> = Object.fromEntries(
  (
    [
      ["America/New_York", "CT DC DE FL GA KY MA MD ME NC NH NJ NY OH PA RI SC VA VT WV"],
      ["America/Chicago", "AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI"],
      ["America/Denver", "CO MT NM UT WY"],
      ["America/Los_Angeles", "CA NV OR WA"],
      ["America/Detroit", "MI"],
      ["America/Indiana/Indianapolis", "IN"],
      ["America/Boise", "ID"],
      ["America/Phoenix", "AZ"],
      ["America/Anchorage", "AK"],
      ["Pacific/Honolulu", "HI"],
      ["America/Puerto_Rico", "PR"],
      ["America/St_Thomas", "VI"],
      ["Pacific/Guam", "GU"],
      ["Pacific/Saipan", "MP"],
      ["Pacific/Pago_Pago", "AS"]
    ] as const
  ).flatMap(([zone, states]) => states.split(" ").map((state) => [state, zone]))
)

/** Whole counties in another zone than most of their state. Counties that the line divides are left out. */
const zoneOfCounties: ReadonlyArray<readonly [state: string, zone: string, counties: string]> = [
  [
    "TN",
    "America/New_York",
    "Anderson, Blount, Bradley, Campbell, Carter, Claiborne, Cocke, Grainger, Greene, Hamblen, Hamilton, Hancock, Hawkins, Jefferson, Johnson, Knox, Loudon, McMinn, Meigs, Monroe, Morgan, Polk, Rhea, Roane, Scott, Sevier, Sullivan, Unicoi, Union, Washington"
  ],
  [
    "KY",
    "America/Chicago",
    "Adair, Allen, Ballard, Barren, Breckinridge, Butler, Caldwell, Calloway, Carlisle, Christian, Clinton, Crittenden, Cumberland, Daviess, Edmonson, Fulton, Graves, Grayson, Green, Hancock, Hart, Henderson, Hickman, Hopkins, Livingston, Logan, Lyon, Marshall, McCracken, McLean, Metcalfe, Monroe, Muhlenberg, Ohio, Russell, Simpson, Todd, Trigg, Union, Warren, Webster"
  ],
  ["FL", "America/Chicago", "Bay, Calhoun, Escambia, Holmes, Jackson, Okaloosa, Santa Rosa, Walton, Washington"],
  [
    "IN",
    "America/Chicago",
    "Gibson, Jasper, Lake, LaPorte, Newton, Perry, Porter, Posey, Spencer, Starke, Vanderburgh, Warrick"
  ],
  ["MI", "America/Menominee", "Dickinson, Gogebic, Iron, Menominee"],
  ["KS", "America/Denver", "Greeley, Hamilton, Sherman, Wallace"],
  [
    "NE",
    "America/Denver",
    "Arthur, Banner, Box Butte, Chase, Cheyenne, Dawes, Deuel, Dundy, Garden, Grant, Hooker, Keith, Kimball, Morrill, Perkins, Scotts Bluff, Sheridan, Sioux"
  ],
  [
    "SD",
    "America/Denver",
    "Bennett, Butte, Corson, Custer, Dewey, Fall River, Haakon, Harding, Jackson, Lawrence, Meade, Oglala Lakota, Pennington, Perkins, Ziebach"
  ],
  ["ND", "America/Denver", "Adams, Billings, Bowman, Golden Valley, Grant, Hettinger, Slope, Stark"],
  ["TX", "America/Denver", "El Paso, Hudspeth"],
  ["OR", "America/Boise", "Malheur"],
  ["ID", "America/Los_Angeles", "Benewah, Bonner, Boundary, Clearwater, Kootenai, Latah, Lewis, Nez Perce, Shoshone"]
]

const countyKey = (state: string, county: string | undefined): string => `${state} ${county?.toLowerCase()}`

const zoneOfCounty: ReadonlyMap<string, string> = new Map(
  zoneOfCounties.flatMap(([state, zone, counties]) =>
    counties.split(", ").map((county) => [countyKey(state, `${county} county`), zone] as const)
  )
)

/** Counties that the line divides. */
const dividedCounties: ReadonlySet<string> = new Set(
  ["FL Gulf", "ID Idaho", "ND Dunn", "ND Sioux", "NE Cherry", "SD Stanley"].map(
    (county) => `${county.slice(0, 3)}${county.slice(3).toLowerCase()} county`
  )
)

/** The states with more than one zone, each with the zones beside that of most of it. */
const otherZones = Map.groupBy(zoneOfCounties, ([state]) => state)

/** A point in degrees (WGS 84). */
interface Point {
  readonly latitude: number
  readonly longitude: number
}

/** The zone at a point, if it is one of the state's: a point on a border may belong to the neighbor. */
const zoneAt = (state: string, { latitude, longitude }: Point): string | undefined => {
  const zone = tzLookup(latitude, longitude)
  return otherZones.get(state)?.some(([, other]) => other === zone) ? zone : undefined
}

/** Whether a state has more than one zone and the county, if it is known, does not settle which. */
export const isUnsettled = (state: string, county: string | undefined): boolean =>
  otherZones.has(state) && (county === undefined || dividedCounties.has(countyKey(state, county)))

/**
 * The time zone of a place: its county's if the state is divided ("Knox County", TN is on Eastern time), that at its
 * coordinates if the county is divided too or unknown, else its state's; undefined for letters that are not a state.
 */
export const zoneOf = (state: string, county: string | undefined, at?: Point): string | undefined =>
  zoneOfCounty.get(countyKey(state, county)) ??
  (at !== undefined && isUnsettled(state, county) ? zoneAt(state, at) : undefined) ??
  zoneOfState[state]

/** Whether two letters stand for a state, the District of Columbia or a territory. */
export const isState = (letters: string): boolean => letters in zoneOfState
