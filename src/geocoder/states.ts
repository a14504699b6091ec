import { normalizeName } from "./names.ts"

const names: Readonly<Record<string, string>> = {
  AL: "Alabama",
  AK: "Alaska",
  AZ: "Arizona",
  AR: "Arkansas",
  CA: "California",
  CO: "Colorado",
  CT: "Connecticut",
  DE: "Delaware",
  DC: "District of Columbia",
  FL: "Florida",
  GA: "Georgia",
  HI: "Hawaii",
  ID: "Idaho",
  IL: "Illinois",
  IN: "Indiana",
  IA: "Iowa",
  KS: "Kansas",
  KY: "Kentucky",
  LA: "Louisiana",
  ME: "Maine",
  MD: "Maryland",
  MA: "Massachusetts",
  MI: "Michigan",
  MN: "Minnesota",
  MS: "Mississippi",
  MO: "Missouri",
  MT: "Montana",
  NE: "Nebraska",
  NV: "Nevada",
  NH: "New Hampshire",
  NJ: "New Jersey",
  NM: "New Mexico",
  NY: "New York",
  NC: "North Carolina",
  ND: "North Dakota",
  OH: "Ohio",
  OK: "Oklahoma",
  OR: "Oregon",
  PA: "Pennsylvania",
  RI: "Rhode Island",
  SC: "South Carolina",
  SD: "South Dakota",
  TN: "Tennessee",
  TX: "Texas",
  UT: "Utah",
  VT: "Vermont",
  VA: "Virginia",
  WA: "Washington",
  WV: "West Virginia",
  WI: "Wisconsin",
  WY: "Wyoming",
  AS: "American Samoa",
  GU: "Guam",
  MH: "Marshall Islands",
  MP: "Northern Mariana Islands",
  PR: "Puerto Rico",
  VI: "Virgin Islands"
}

/** Older abbreviations that people still write. */
const traditional: Readonly<Record<string, string>> = {
  ala: "AL",
  ariz: "AZ",
  ark: "AR",
  calif: "CA",
  colo: "CO",
  conn: "CT",
  del: "DE",
  fla: "FL",
  ill: "IL",
  ind: "IN",
  kan: "KS",
  kans: "KS",
  mass: "MA",
  mich: "MI",
  minn: "MN",
  miss: "MS",
  mont: "MT",
  neb: "NE",
  nebr: "NE",
  nev: "NV",
  okla: "OK",
  ore: "OR",
  penn: "PA",
  penna: "PA",
  tenn: "TN",
  tex: "TX",
  wash: "WA",
  "west va": "WV",
  wis: "WI",
  wisc: "WI",
  wyo: "WY",
  "north dak": "ND",
  "south dak": "SD",
  "north car": "NC",
  "south car": "SC"
}

const codes: ReadonlyMap<string, string> = new Map([
  ...Object.keys(names).map((code) => [code.toLowerCase(), code] as const),
  ...Object.entries(names).map(([code, name]) => [normalizeName(name), code] as const),
  ...Object.entries(traditional)
])

/** The name of a state by its two letters; the letters themselves if they belong to no state. */
export const stateName = (code: string): string => names[code] ?? code

/**
 * The two capital letters of a US state, district or territory, from any spelling: `IL`, `il`, `US-IL` (ISO 3166-2),
 * `Illinois`, `Ill.`, `State of Illinois`; undefined if there is none.
 */
export const stateCode = (nameOrCode: string): string | undefined =>
  codes.get(normalizeName(nameOrCode).replace(/^(us|usa|united states|state of|commonwealth of) (?=.)/, ""))

/** The states whose code or name begins with what has been typed so far. */
export const statesStarting = (typed: string): ReadonlySet<string> => {
  const start = normalizeName(typed)
  return new Set([...codes].filter(([name]) => start !== "" && name.startsWith(start)).map(([, code]) => code))
}
