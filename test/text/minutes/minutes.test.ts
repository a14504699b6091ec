import { assert, describe, it } from "@effect/vitest"
import { type Minutes, readMinutes } from "../../../src/text/minutes/minutes.ts"

const signs = { yes: "+", no: "-", abstain: "~", absent: "0", excused: "0" } as const

/** What is read, in a line each: who attended, and each motion with its end. */
const inShort = ({ attendance, motions }: Minutes) => ({
  attended: attendance.map(({ name, option, note }) => `${name}: ${note ?? option}`).join(", "),
  motions: motions.map(({ item, motion, moved_by, seconded_by, result, counts, ballots }) =>
    [
      `${item?.number === undefined ? "" : `${item.number}. `}${moved_by}/${seconded_by ?? ""}: ${motion ?? ""}`,
      result ?? "?",
      counts.map(({ option, value }) => `${value}${signs[option]}`).join(" "),
      ballots.map(({ name, option }) => `${name}${signs[option]}`).join(" ")
    ]
      .join(" | ")
      .trim()
  )
})

const minutes: ReadonlyArray<readonly [title: string, text: string, attended: string, motions: ReadonlyArray<string>]> =
  [
    [
      "a council's sentences with lists of names",
      `CITY OF MARLOW\nMembers Present: Mayor Ada Marsh, Councilmember Ben Okafor, Lucia Vega, and Tom Reed\nAbsent: None
Staff Present: Joan Clark, City Clerk\n\n1. Approval of Minutes
Motion by Okafor, seconded by Vega, to approve the minutes of March 3. Motion carried 4-0.\n
2. Greenway Contract
Councilmember Reed moved to award the contract to Dorn Inc., seconded by Councilmember Vega. Ayes: Marsh, Okafor, Vega.
Nays: Reed. Motion carried.`,
      "Ada Marsh: present, Ben Okafor: present, Lucia Vega: present, Tom Reed: present",
      [
        "1. Okafor/Vega: approve the minutes of March 3 | pass | 4+ 0- |",
        "2. Reed/Vega: award the contract to Dorn Inc. | pass | 3+ 1- | Marsh+ Okafor+ Vega+ Reed-"
      ]
    ],
    [
      "the labeled lines that agenda software prints",
      `Attendee Name Title Status Arrived\nBen Okafor Council Member Present 7:00 PM\nLucia Vega Vice Mayor Late 7:15 PM
Tom Reed Council Member Absent\n\nRESULT: ADOPTED [UNANIMOUS]\nMOVER: Ben Okafor, Council Member
SECONDER: Lucia Vega, Vice Mayor\nAYES: Ada Marsh, Ben Okafor, Lucia Vega\nABSENT: Tom Reed`,
      "Ben Okafor: present, Lucia Vega: late, Tom Reed: absent",
      ["Ben Okafor/Lucia Vega:  | pass | 3+ 0- 10 | Ada Marsh+ Ben Okafor+ Lucia Vega+ Tom Reed0"]
    ],
    [
      "counts before the names, over several lines",
      `Present: 4 - Council Member Okafor, Council Member Vega,\nCouncil Member Marsh, and Council Member Reed\n
A motion was made by Council Member Okafor, seconded by Council Member Vega, that this Resolution be adopted. The motion
carried by the following vote:\nAye: 3 - Okafor,\nVega, and Marsh\nNay: 1 - Reed\nAbstain: 0`,
      "Okafor: present, Vega: present, Marsh: present, Reed: present",
      ["Okafor/Vega: this Resolution be adopted | pass | 3+ 1- 0~ | Okafor+ Vega+ Marsh+ Reed-"]
    ],
    [
      "a county board's motions that carry before they are told",
      `SUPERVISORS PRESENT: Dane, Holt, and Ruiz\nABSENT: Supervisor Kerr\n
On motion of Supervisor Dane, seconded by Supervisor Holt, and unanimously carried, the Board approved the claims.`,
      "Dane: present, Holt: present, Ruiz: present, Kerr: absent",
      ["Dane/Holt: the Board approved the claims | pass |  |"]
    ],
    [
      "initials of mover and seconder",
      "ACTION: M/S Dane/Holt to approve the warrants. Carried 5-0.",
      "",
      ["Dane/Holt: approve the warrants | pass | 5+ 0- |"]
    ],
    [
      "a school board's roll call in a sentence",
      `Moved by Ms. Hart, supported by Mr. Lang to hire the coach. Roll call vote: Ms. Hart, yes; Mr. Lang, yes; Mr. Bose, no.
Motion carried.`,
      "",
      ["Hart/Lang: hire the coach | pass | 2+ 1- | Hart+ Lang+ Bose-"]
    ],
    [
      "a roll call of a member a line",
      `Members present:\nAnn Hart\nRavi Bose\nJo Lang\n\nMotion made by: Ann Hart\nMotion seconded by: Jo Lang\nVoting:
Ann Hart - Yes\nRavi Bose - No\nJo Lang - Yes\nMotion passed.`,
      "Ann Hart: present, Ravi Bose: present, Jo Lang: present",
      ["Ann Hart/Jo Lang:  | pass | 2+ 1- | Ann Hart+ Ravi Bose- Jo Lang+"]
    ],
    [
      "a motion that fails",
      "It was moved by Trustee Poe and seconded by Trustee Ames to table the matter. Motion failed, 2 ayes, 3 nays.",
      "",
      ["Poe/Ames: table the matter | fail | 2+ 3- |"]
    ],
    [
      "numbers in labels",
      "Motion by Poe, second by Ames, to adjourn. Ayes: 5 Nays: 0 Absent: 2. Motion carried.",
      "",
      ["Poe/Ames: adjourn | pass | 5+ 0- 20 |"]
    ],
    [
      "who seconds in a sentence of its own",
      "Commissioner Diaz moved to approve the plat. Commissioner Wu seconded the motion. The motion passed unanimously.",
      "",
      ["Diaz/Wu: approve the plat | pass |  |"]
    ],
    [
      "a vote with abstentions",
      `Moved by Ames, seconded by Poe, to adopt Ordinance 26-4. The vote was: Yes: Ames, Poe, Diaz; No: None; Abstain: Wu.
Motion carried 3-0-1.`,
      "",
      ["Ames/Poe: adopt Ordinance 26-4 | pass | 3+ 0- 1~ | Ames+ Poe+ Diaz+ Wu~"]
    ],
    [
      "a running line of attendance",
      `COUNCIL PRESENT: Mayor Tierney, Councilmembers Hewitt, Black, and Stein. ABSENT: Councilmember Johns. STAFF PRESENT:
City Manager Hurl.\n
Motion was made by Councilmember Hewitt, and seconded by Councilmember Stein, to adopt the agenda. With all members
voting in favor, the motion carried.`,
      "Tierney: present, Hewitt: present, Black: present, Stein: present, Johns: absent",
      ["Hewitt/Stein: adopt the agenda | pass |  |"]
    ],
    [
      "numbers in words",
      "Motion by Ames, seconded by Poe, to deny the variance. Motion carried, five ayes and two nays.",
      "",
      ["Ames/Poe: deny the variance | pass | 5+ 2- |"]
    ]
  ]

describe("minutes", () => {
  it.each(minutes)("are read from %s", (_, text, attended, motions) => {
    assert.deepStrictEqual(inShort(readMinutes([text])), { attended, motions })
  })

  it.each([
    [
      "a sum that the names contradict",
      "Motion by Ames, seconded by Poe, to pay. Ayes: Ames, Poe. Nays: Wu. Carried 3-1."
    ],
    ["the number of an ordinance", "Motion by Ames, seconded by Poe, to pay. The council adopted Ordinance 26-4."],
    ["a date", "Motion by Ames, seconded by Poe, to pay. Approved on 5-6-24. The resolution passed 3/5."],
    ["a result that the numbers deny", "Motion by Ames, seconded by Poe, to pay. Motion carried 2-5."]
  ])("leave out %s", (_, text) => {
    const [motion] = readMinutes([text]).motions
    assert.deepStrictEqual([motion?.counts, motion?.ballots], [[], []])
  })

  it("leave out lists with somebody who cannot be read, and what no motion is about", () => {
    const [motion] = readMinutes([
      "Motion by Ames, seconded by Poe, to pay. Ayes: Ames, Poe, (illegible). Nays: None. Motion carried."
    ]).motions
    assert.deepStrictEqual([motion?.result, motion?.counts, motion?.ballots], ["pass", [], []])
    assert.isEmpty(readMinutes(["Mr. Ames said that the motion by the board had carried 5-0 last year."]).motions)
    assert.isEmpty(readMinutes(["Also present: Joan Clark, Clerk\nStaff Present: Al Poe\nGuests: Jo Wu"]).attendance)
  })

  it("tell the page of a motion, without the lines that every page repeats", () => {
    const head = (at: number) => `Marlow City Council Minutes, Page ${at} of 3`
    const pages = [
      `${head(1)}\n1. Roads\nText.`,
      `${head(2)}\nMore.`,
      `${head(3)}\nMotion by Ames, seconded by Poe, to pave. Carried 3-0.`
    ]
    const { items, motions } = readMinutes(pages)
    assert.deepStrictEqual(items, [{ number: "1", title: "Roads", page: 1 }])
    assert.deepInclude(motions[0] ?? {}, { page: 3, item: { number: "1", title: "Roads" }, motion: "pave" })
  })

  it("are read in a time that grows with their length", () => {
    for (const part of ["Council ", "Motion by A A ", "Ada moved to ", "Ayes: A, ", "A. ", "1. A "])
      assert.isObject(readMinutes([part.repeat(20_000)]))
  })
})
