import type { BodyKind } from "../../schema/agency.ts"
import type { Random } from "./random.ts"

type List = readonly [string, ...ReadonlyArray<string>]

const list = (words: string): List => {
  const [first = "", ...rest] = words.split(" ")
  return [first, ...rest]
}

const firstNames = list(
  "Ada Bella Carlos Dana Elena Felix Grace Hector Ines James Karen Luis Maria Nathan Olivia Peter Quinn Rosa Samuel Teresa Ursula Victor Wanda Xavier Yolanda Zachary Amir Bridget Curtis Denise Earl Fiona"
)
const lastNames = list(
  "Abbott Barrera Castellano Delgado Everhart Fitzgerald Goldstein Hawthorne Iverson Jankowski Kincannon Lindqvist Marsh Nakamura Okafor Pemberton Quintero Rasmussen Sandoval Thibodeaux Underwood Villanueva Whitfield Yarborough Zimmerman Ashcroft Blackwood Carmichael Donnelly Eastman Fairbanks Greenfield Hollingsworth Ingram Jefferson Kowalski Lockhart Montgomery Northcutt"
)
export const personName = (random: Random): string => `${random.pick(firstNames)} ${random.pick(lastNames)}`

export const placeHeads = list(
  "Cedar Maple Willow Granite Silver Copper Prairie Harbor Summit Crystal Eagle Falcon Bison Juniper Magnolia Sycamore Heron Cardinal Laurel Hickory Birch Amber Stone Iron Clear Spring Winter Autumn Golden Rocky Pleasant Liberty Union Franklin Madison Monroe Jackson Clinton Marion Salem Bristol Dover Chester Lexington Arlington Burlington Clayton Dayton Hudson Milton"
)
export const placeTails = list(
  "Falls Grove Heights Springs Ridge Valley Point Creek Hills Park Lake Junction Crossing Landing Meadows Bluff Haven Prairie Station Rapids Harbor Glen Fork Mills Bend View Island Gap Hollow Plains"
)
export const countyNames: List = [...placeHeads, ...lastNames]

/** The weights give the largest states the most places. */
export const states: ReadonlyArray<readonly [code: string, zone: string, weight: number]> = [
  ["TX", "America/Chicago", 30],
  ["CA", "America/Los_Angeles", 24],
  ["IL", "America/Chicago", 18],
  ["OH", "America/New_York", 12],
  ["TN", "America/Chicago", 8],
  ["WA", "America/Los_Angeles", 6],
  ["CO", "America/Denver", 4],
  ["VT", "America/New_York", 2]
]

/** The bodies of a place, in the order in which places get them. */
export const bodyNames: Readonly<Record<"city" | "county", ReadonlyArray<readonly [name: string, kind: BodyKind]>>> = {
  city: [
    ["City Council", "city_council"],
    ["Planning Commission", "planning_commission"],
    ["School Board", "school_board"],
    ["Finance Committee", "committee"],
    ["Library Board", "other"],
    ["Parks and Recreation Board", "other"],
    ["Public Safety Committee", "committee"],
    ["Zoning Board of Appeals", "other"],
    ["Housing Authority", "other"],
    ["Transportation Committee", "committee"]
  ],
  county: [
    ["Board of Commissioners", "county_board"],
    ["Budget Committee", "committee"],
    ["Board of Health", "other"],
    ["Regional Planning Commission", "planning_commission"],
    ["Beer Board", "other"],
    ["Election Commission", "other"],
    ["Solid Waste Committee", "committee"]
  ]
}

export const meetingTitles: List = [
  "Regular Meeting",
  "Regular Meeting",
  "Regular Meeting",
  "Special Meeting",
  "Work Session",
  "Public Hearing",
  "Budget Workshop",
  "Joint Session"
]

/** The beginning of an agenda item's title; words of its own follow. */
export const itemHeads: List = [
  "Approve the minutes of",
  "Ordinance to amend",
  "Resolution authorizing",
  "Public hearing on",
  "Contract with",
  "Report on",
  "Rezoning of",
  "Discussion of",
  "Appointments to",
  "Grant application for",
  "First reading:",
  "Second reading:"
]
