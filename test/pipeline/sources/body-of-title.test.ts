import { assert, describe, it } from "@effect/vitest"
import { bodyOfEntry, bodyOfTitle, plainTitle, titleCallsOff } from "../../../src/pipeline/sources/body-of-title.ts"

/** Titles of entries, and the body that meets. */
const bodies: ReadonlyArray<readonly [body: string | undefined, ...titles: ReadonlyArray<string>]> = [
  [
    "City Council",
    "City Council Meeting 12/2/2026",
    "City Council 11-16-26",
    "City Council - December 2nd",
    "City Council Regular Meeting - Tue., December 2nd, 2026 7:00 PM",
    "2026-12-02 City Council",
    "City Council @ 7pm",
    "City Council (RESCHEDULED to December 9th)",
    "City Council Agenda",
    "City Council Agendas & Minutes",
    "Agenda - City Council - 12/02/2026",
    "CITY COUNCIL REGULAR MEETING",
    "Special City Council Meeting",
    "City Council Goal Setting Session",
    "City Council, Council Chambers",
    "City Council-Regular Meeting",
    "City Council Mtg-CANCELLED",
    "NO MEETING - City Council",
    "City Council - Committee of the Whole",
    "Joint Meeting of City Council and Planning Commission",
    "City Council/Planning Commission Joint Session",
    "Joint Work Session - City Council and Parks Board"
  ],
  [
    "Planning Commission",
    "CANCELLED - Planning Commission",
    "Planning Commission Minutes November 3, 2026",
    "Planning Comm. Mtg.",
    "Planning Commission Meeting (Hybrid)",
    "Planning Commission Meeting - 123 Main Street rezoning",
    "Planning Commission - Sale of Land hearing"
  ],
  ["Planning Board", "Planning Board RESCHEDULED TO 12/9/2026 - 7:00 PM", "Notice of Public Hearing - Planning Bd"],
  ["Planning and Zoning", "Planning & Zoning Meeting", "P&Z Meeting", "Planning & Zoning"],
  ["Planning and Zoning Commission", "P & Z Commission", "PLANNING & ZONING COMMISSION"],
  [
    "Zoning Board of Appeals",
    "ZBA Hearing",
    "ZBA",
    "Z.B.A.",
    "Zoning Board of Appeals (ZBA) - POSTPONED",
    "Public Hearing: Zoning Bd of Appeals"
  ],
  ["Board of Education", "BOE Meeting", "Board of Ed. Meeting", "Board of Education Special Session"],
  ["BOS", "BOS Mtg"],
  ["Library Board", "CANCELED Library Board due to snow"],
  ["Finance Committee", "Finance Comm mtg", "Meeting of the Finance Committee", "City Council - Finance Committee"],
  ["Zoning Hearing Board", "Zoning Hearing Board Meetings"],
  ["Joint Powers Board", "Joint Powers Board Annual Meeting"],
  ["Capital Improvements Committee", "Capital Improvements (CIP) Committee"],
  ["Committee on Civil Service and Labor", "Committee on Civil Service and Labor"],
  ["Committee on Parks, Recreation and Tourism", "Committee on Parks, Recreation and Tourism Meeting"],
  ["Town Meeting", "Special Town Meeting"],
  ["Select Board", "Selectboard Meeting"],
  ["Christmas Parade Committee", "Christmas Parade Committee"],
  [
    undefined,
    "Regular Meeting",
    "Library closed for board training",
    "Trash pickup board games night",
    "Applications due for Arts Commission",
    "Deadline to apply for the Planning Commission",
    "Coffee with a Council Member",
    "Council on Aging: chair yoga",
    "Board of Health flu clinic",
    "Council chambers closed for renovation",
    "City Hall closed 12/25"
  ]
]

describe("the title of a calendar's entry", () => {
  it("names the body that meets in one spelling, or none", () => {
    for (const [body, ...titles] of bodies) {
      for (const title of titles) assert.strictEqual(bodyOfTitle(title), body, title)
    }
  })

  it("that says only that somebody meets leaves it to its category or calendar to say who", () => {
    const around = ["Meetings", "Springfield City Council"]
    assert.strictEqual(bodyOfEntry("Regular Meeting 12/2/2026", around, "Springfield"), "Springfield City Council")
    assert.strictEqual(bodyOfEntry("Budget workshop for families", ["City Council"], "Springfield"), undefined)
    assert.strictEqual(bodyOfEntry("Yoga in the park", ["Parks and Recreation Board"], "Springfield"), undefined)
    assert.strictEqual(bodyOfEntry("City of Springfield Park Board", [], "Springfield"), "Park Board")
  })

  it("calls a meeting off if it is cancelled or moved to another day, and not if it is moved to another room", () => {
    for (const title of [
      "CANCELLED - City Council",
      "City Council (RESCHEDULED to December 9th)",
      "City Council MOVED TO 12/9/2026",
      "City Council: POSTPONED",
      "NO MEETING - City Council"
    ])
      assert.isTrue(titleCallsOff(title), title)
    for (const title of [
      "City Council - MOVED TO Library",
      "City Council (rescheduled from Dec 2)",
      "City Council - RESCHEDULED"
    ])
      assert.isFalse(titleCallsOff(title), title)
    assert.strictEqual(plainTitle("City Council Meeting (RESCHEDULED to December 9th)"), "City Council Meeting")
    assert.strictEqual(plainTitle("POSTPONED: City Council - Work Session"), "City Council - Work Session")
  })
})
