import type { BodyKind } from "../../../schema/agency.ts"

/** What kind of body a name means; the first match counts, so a committee of a council is a committee. */
const kinds: ReadonlyArray<readonly [RegExp, BodyKind]> = [
  [/\b(?:sub-?committees?|committees?|task force|working group)\b/, "committee"],
  [
    /\b(?:boards? of education|school (?:board|committee|district)|education board|board of school|school trustees)\b/,
    "school_board"
  ],
  [/\b(?:planning|plan)\b.*\b(?:commissions?|board)\b|\bzoning (?:and \w+ )?commission\b/, "planning_commission"],
  [
    /\b(?:county|parish|borough) (?:board|council|commission|commissioners|court|legislature|supervisors|freeholders)\b|\bboard of (?:county )?(?:commissioners|supervisors|freeholders)\b|\bcounty board\b|\bpolice jury\b/,
    "county_board"
  ],
  [
    /\b(?:city|town|village|borough|township|municipal|common|metro|metropolitan) council\b|\bboard of (?:mayor and )?(?:aldermen|alderpersons|selectmen)\b|\bselect board\b|^(?:city )?council\b|\bcity commission\b/,
    "city_council"
  ]
]

/**
 * The kind of a body by its name alone: "Committee on Finance" is a committee, "Board of Supervisors" a county board.
 */
export const bodyKind = (name: string): BodyKind => {
  const plain = name.toLowerCase().replace(/&/g, "and").replace(/\s+/g, " ").trim()
  return kinds.find(([words]) => words.test(plain))?.[1] ?? "other"
}
