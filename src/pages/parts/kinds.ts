import type { BodyKind } from "../../../schema/agency.ts"

/** What kind of body it is, as people say it. */
export const bodyKindNames: Readonly<Record<BodyKind, string>> = {
  city_council: "City council",
  school_board: "School board",
  planning_commission: "Planning commission",
  county_board: "County board",
  committee: "Committee",
  other: "Public body"
}
