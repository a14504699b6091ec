import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readCounty } from "../../src/record/sample/read.ts"

const county = `county: Fen County
state: IL
places:
  - name: Fen
    kind: city
    zips: [62199]
    latitude: 40.1
    longitude: -89.1
bodies:
  - board
matters:
  - key: pond
    place: fen
    body: board
    identifier: Case 1
    title: The pond
    kind: other
    status: passed
`

const board = `name: Fen Board
kind: other
places: [fen]
host: fen.example
weekday: Monday
at: 19:00
room: Hall
speakers:
  Chair: Chair Ada Bell
members: |
  Bell | Ada Bell | chair | Chair
---
# A meeting
key: pond
weeks: -1
title: Regular Meeting
agenda: |
  1 | Call to order

  2 | The pond | Dredging. | Approved
summaries: |
  2 | A deeper pond.
script: |
  @1
  Chair: We are in order.
  @2 | The pond
  Chair #pond: It is shallow.
briefing: |
  The pond is shallow
  * It is to be dredged. #pond
  == Pond %depth
  The pond is shallow. #pond
  It has pike. !unsupported
figures:
  - key: depth
    title: Depth
    alt: A bar of 3.
    mark: bar
    y: Feet
    values:
      - [Now, 3]
recap:
  headline: A pond
  summary: It is shallow.
  decisions: |
    2 | Approved | 1-0
matters: |
  2 | pond
votes: |
  2 | Dredge | pass | yes: Bell | pond
clips:
  - key: shallow
    title: It is shallow
    from: pond
    to: pond
    item: 2
    state: proposal
`

const folder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-county-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
)

/** Reads a county of these two files, or returns the complaint about them, without the folder. */
const read = Effect.fnUntraced(function* (files: { readonly county: string; readonly board: string }) {
  const at = yield* folder
  fs.writeFileSync(path.join(at, "county.yaml"), files.county)
  fs.writeFileSync(path.join(at, "board.yaml"), files.board)
  return yield* Effect.mapError(readCounty(at), ({ message }) => message.slice(message.lastIndexOf("/") + 1))
})

/** The replaced text, its replacement, and how it is refused. */
const mistakes: ReadonlyArray<readonly [written: string, instead: string, problem: string]> = [
  ["name: Fen Board", "name: Fen: Board", "board.yaml:1: Nested mappings are not allowed in compact mappings"],
  ["host: fen.example\n", "", "board.yaml:1: host is missing"],
  ["room: Hall", "room: Hall\nfloor: 2", "board.yaml:8: floor is not a known field"],
  ["places: [fen]", "places: [bog]", "board.yaml:3: places must be slugs of places in county.yaml"],
  [
    "weekday: Monday",
    "weekday: Mondays",
    "board.yaml:5: weekday must be one of Sunday, Monday, Tuesday, Wednesday, Thursday, Friday, Saturday"
  ],
  ["at: 19:00", "at: 7 PM", "board.yaml:6: at must be a time such as 19:00"],
  ["weeks: -1", "weeks: soon", "board.yaml:15: weeks must be a finite number"],
  ["weeks: -1", "weeks: 1.5", "board.yaml:15: weeks must be an integer"],
  ["  2 | The pond |", "  2: The pond |", "board.yaml:20: agenda must be: number | text"],
  ["  2 | A deeper", "  3 | A deeper", "board.yaml:22: summaries names 3, which is not on the agenda"],
  ["  @1\n", "", "board.yaml:23: script must begin with a part (@number)"],
  ["  @1\n", "  @7\n", "board.yaml:24: script names 7, which is not on the agenda"],
  [
    "Chair: We are",
    "We are",
    "board.yaml:25: script must be a turn (Name: text or Name #label: text) or a part (@number or @number | chapter)"
  ],
  ["  == Pond", "  Pond", "board.yaml:28: briefing must be a headline, lines that begin with *, and topics (== title)"],
  ["#pond\n  It", "#fond\n  It", "board.yaml:32: briefing names fond, which is not the label of a turn"],
  ["!unsupported", "!unsure", "board.yaml:33: briefing names unsure, which is not a verdict"],
  ["%depth", "%deep", "board.yaml:31: briefing names deep, which is not a figure"],
  ["[Now, 3]", "[Now, three]", "board.yaml:41: figures.0.values.0.1 must be a finite number"],
  ["    2 | Approved", "    4 | Approved", "board.yaml:46: recap.decisions names 4, which is not on the agenda"],
  ["  2 | pond", "  2 | lake", "board.yaml:48: matters names a matter that is not in county.yaml"],
  ["yes: Bell", "yes: Ball", "board.yaml:50: votes names Ball, who is not one of the members"],
  ["Bell | pond", "Bell | lake", "board.yaml:50: votes names lake, which is not the label of a turn"],
  [
    "pass | yes: Bell",
    "yes: Bell",
    "board.yaml:50: votes must be: number | motion | pass, fail or roll | yes: names; no: names | label"
  ],
  ["    to: pond", "    to: lake", "board.yaml:55: clips.0.to names lake, which is not the label of a turn"],
  [
    "state: proposal",
    "state: new",
    "board.yaml:57: clips.0.state must be one of published, proposal, dismissed, alternate"
  ]
]

describe("a file of the sample", () => {
  it.effect("is read with every value as text except numbers", () =>
    Effect.gen(function* () {
      const { places, bodies } = yield* read({ county, board })
      assert.deepStrictEqual(
        places.map(({ slug, zips, latitude }) => ({ slug, zips, latitude })),
        [{ slug: "fen", zips: ["62199"], latitude: 40.1 }]
      )
      const [body] = bodies
      assert.strictEqual(body?.at, "19:00")
      assert.strictEqual(body?.agency.slug, "fen-board")
      assert.deepStrictEqual(body?.meetings[0]?.figures?.[0]?.values, [["Now", 3]])
    })
  )

  it.effect.each(mistakes)("with %j as %j is refused: %s", ([from, to, problem]) =>
    Effect.gen(function* () {
      assert.include(board, from)
      assert.strictEqual(yield* Effect.flip(read({ county, board: board.replace(from, to) })), problem)
    })
  )

  it.effect("is refused if it is empty, or missing", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Effect.flip(read({ county: "", board })), "county.yaml:1: is empty")
      const missing = county.replace("- board", "- council")
      assert.strictEqual(yield* Effect.flip(read({ county: missing, board })), "council.yaml:1: cannot be read")
    })
  )
})
