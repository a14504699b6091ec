import { assert, describe, it } from "@effect/vitest"
import { agendaOf } from "../../../src/record/formats/legistar/agenda.ts"
import { ballotsOf } from "../../../src/record/formats/legistar/decisions.ts"
import { callsOff, isCalledOff, whenOf } from "../../../src/record/formats/legistar/status.ts"
import { place } from "../../support/builders.ts"

describe("callsOff", () => {
  for (const note of [
    "CANCELLED DUE TO SNOW",
    "Canceled",
    "*** MEETING CANCELLED ***",
    "This hearing has been deferred to May 3, 2021",
    "has been postponed",
    "Please note: the meeting was cancelled",
    "Jointly with the Committee on Finance - DEFERRED",
    "The meeting will not be held",
    "Meeting rescheduled to June 5"
  ]) {
    it(`yes: ${note}`, () => assert.isTrue(callsOff(note)))
  }

  for (const note of [
    "Meeting in Recess",
    "Rescheduled from May 3",
    "In place of the meeting cancelled on May 3",
    "Continuation of the January 5 meeting, which was deferred",
    "Oversight - Succumbing to Deferred Maintenance",
    "Deferred items from last week",
    "Jointly with the Committee on Finance",
    "",
    null
  ]) {
    it(`no: ${note}`, () => assert.isFalse(callsOff(note)))
  }

  it("also follows from the status of the agenda or the minutes, and a recess does not count", () => {
    assert.isTrue(isCalledOff({ AgendaStatusName: "Final", MinutesStatusName: "Deferred" }))
    assert.isTrue(isCalledOff({ AgendaStatusName: "Cancelled" }))
    assert.isFalse(isCalledOff({ AgendaStatusName: "Final", MinutesStatusName: "Recessed" }))
  })
})

describe("whenOf", () => {
  it("keeps the local day of a date with an offset", () => {
    assert.deepStrictEqual(whenOf({ Date: "2004-06-24T23:00:00-04:00" }), {
      date: "2004-06-24",
      minutes: 1380,
      instant: "2004-06-25T03:00:00Z"
    })
  })

  it("treats midnight as an unknown time, unless there is a time beside it", () => {
    assert.deepStrictEqual(whenOf({ Date: "2019-07-29T00:00:00" }), {
      date: "2019-07-29",
      minutes: undefined,
      instant: undefined
    })
    assert.strictEqual(whenOf({ Date: "2019-07-29T00:00:00", Time: "12:15 PM" })?.minutes, 735)
    assert.strictEqual(whenOf({ Date: "2019-07-29T00:00:00", Time: "12:05 a.m." })?.minutes, 5)
  })

  it("treats the first day of year 1 as no date", () => {
    assert.isUndefined(whenOf({ Date: "0001-01-01T00:00:00Z" }))
    assert.isUndefined(whenOf({ Date: null }))
    assert.isUndefined(whenOf({ Date: "soon" }))
  })
})

describe("agendaOf", () => {
  it("follows the order of the agenda, puts items found only in the minutes last, and reports items without text", () => {
    const { items, silent } = agendaOf(
      [
        { ID: 3, Title: "", AgendaSequence: 0, MinutesSequence: 2, MinutesNote: "Also attending: Boyland" },
        { ID: 2, Title: "Second", AgendaSequence: 2, MinutesSequence: 9 },
        { ID: 1, Title: "First", AgendaSequence: 1, MinutesSequence: 8, AgendaNumber: "1." },
        { ID: 4, Title: null, AgendaSequence: 3 }
      ],
      "x",
      false
    )
    assert.deepStrictEqual(
      items.map(({ number, title }) => [number, title]),
      [
        ["1.", "First"],
        [undefined, "Second"],
        [undefined, "Item"],
        [undefined, "Also attending: Boyland"]
      ]
    )
    assert.deepStrictEqual(silent, [4])
    assert.strictEqual(new Set(items.map(({ id }) => id)).size, 4)
  })

  it("keeps all of a long text, under a title made of its first sentence", () => {
    const text = `A Local Law to amend the charter. ${"It goes on and on. ".repeat(100)}`
    const { items } = agendaOf(
      [{ ID: 1, Title: text, MatterFile: "Int 1", ActionName: "Approved", PassedFlagName: "Pass" }],
      "x",
      false
    )
    assert.deepInclude(items[0], {
      number: "Int 1",
      title: "A Local Law to amend the charter.",
      description: text.trim(),
      outcome: "Approved: Pass"
    })
    const endless = agendaOf([{ ID: 1, Title: "word ".repeat(2000) }], "x", false).items[0]
    assert.isAtMost(endless?.title.length ?? 0, 300)
    assert.strictEqual(endless?.description?.length, 9999)
  })

  it("keeps the file number if the agenda's number is a note", () => {
    const item = { ID: 1, Title: "Boycott", MatterFile: "Res 0224-2010" }
    const numbers = ["~SPONSOR", "12.", ""].map(
      (AgendaNumber) => agendaOf([{ ...item, AgendaNumber }], "x", false).items[0]?.number
    )
    assert.deepStrictEqual(numbers, ["Res 0224-2010", "12.", "Res 0224-2010"])
  })

  it("keeps offsets into the recording only while they increase along the minutes", () => {
    const at = (...seconds: ReadonlyArray<number>) =>
      agendaOf(
        seconds.map((VideoIndex, n) => ({
          ID: n,
          Title: "x",
          AgendaSequence: n + 1,
          MinutesSequence: n + 1,
          VideoIndex
        })),
        "x",
        true
      ).items.map(({ start }) => start)
    assert.deepStrictEqual(at(18, 193, 193), [18, 193, 193])
    assert.deepStrictEqual(at(18, 193, 20), [undefined, undefined, undefined])
  })
})

describe("ballotsOf", () => {
  it("loses no vote: of an unknown word, and of somebody without a name or a slug", () => {
    const answers = [
      { Slug: "zoe-nunez", FullName: "Zoë Núñez", word: "Recused by rule" },
      { Slug: "sam-li", FullName: null, word: "Affirmative" },
      { word: "Negative" },
      { FullName: "Ada Marsh", word: "" }
    ]
    assert.deepStrictEqual(ballotsOf({ ...place("york") }, answers), {
      ballots: [
        { person: "york-zoe-nunez", name: "Zoë Núñez", option: "other", note: "Recused by rule" },
        { person: "york-sam-li", name: "sam li", option: "yes" },
        { name: "Unnamed", option: "no" }
      ],
      silent: ["Ada Marsh"]
    })
  })
})
