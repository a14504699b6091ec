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

const zoneOfCounty: ReadonlyMap<string, string> = new Map(
  zoneOfCounties.flatMap(([state, zone, counties]) =>
    counties.split(", ").map((county) => [`${state} ${county.toLowerCase()} county`, zone] as const)
  )
)

/**
 * The time zone of a place: its county's if the state is divided ("Knox County", TN is on Eastern time), else its
 * state's; undefined for letters that are not a state.
 */
export const zoneOf = (state: string, county: string | undefined): string | undefined =>
  zoneOfCounty.get(`${state} ${county?.toLowerCase()}`) ?? zoneOfState[state]

/** Whether two letters stand for a state, the District of Columbia or a territory. */
export const isState = (letters: string): boolean => letters in zoneOfState
