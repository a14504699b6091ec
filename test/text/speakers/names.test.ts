import { assert, describe, it } from "@effect/vitest"
import { namesOfVoices } from "../../../src/text/speakers/names.ts"

/** Turns of a meeting, two seconds each, as `voice: text` lines. */
const meeting = (...lines: ReadonlyArray<string>) =>
  lines.map((line, at) => {
    const [speaker = "", text = ""] = line.split(/: (.*)/s)
    return { start: at * 3, end: at * 3 + 2, speaker, text }
  })

const named = (roster: ReadonlyArray<string>, ...lines: ReadonlyArray<string>) =>
  namesOfVoices(meeting(...lines), roster).map(({ voice, name, shownAt }) => [voice, name, shownAt])

describe("the names of voices", () => {
  it("are those that they answer to in a roll call, completed by the roster, with the moment", () => {
    assert.deepStrictEqual(
      named(
        ["Seema Singh", "Janet Testerman", "Amelia Parker", "Charles Parker"],
        "S1: The clerk will call the roll.",
        "S2: Mayor Kincannon?",
        "S1: Here.",
        "S2: Thank you. Singh?",
        "S3: Present.",
        "S2: Councilmember Testerman.",
        "S4: Here.",
        "S2: Councilwoman Parker?",
        "S5: I am here."
      ),
      [
        ["S1", "Mayor Kincannon", 3],
        ["S3", "Seema Singh", 9],
        ["S4", "Janet Testerman", 15],
        // Two of the roster have this surname, so it stays as it is said.
        ["S5", "Councilwoman Parker", 21]
      ]
    )
  })

  it("are those that they introduce themselves by", () => {
    assert.deepStrictEqual(
      named(
        [],
        "S1: Next speaker, please.",
        "S2: Good evening, Mayor and council. My name is Jane Q. Doe, and I live on the east side.",
        "S3: Um, my name is José De León. I am here about item four.",
        "S4: Hi. My name is Anne-Marie O'Brien with the library."
      ),
      [
        ["S2", "Jane Q. Doe", 3],
        ["S3", "José De León", 6],
        ["S4", "Anne-Marie O'Brien", 9]
      ]
    )
  })

  it("are none where it could be somebody else's, or is no name", () => {
    for (const lines of [
      ["S1: He said my name is Jane Doe.", "S2: Here."],
      ["S1: When they ask me I say my name is Jane Doe."],
      ["S1: My name is Jane."],
      ["S1: my name is jane doe"],
      ["S1: My name is on the list."],
      ["S1: Thank you, Mayor.", "S2: Thank you, Councilmember Singh.", "S1: Yes."],
      // Two answers make no roll call.
      ["S1: Mayor Kincannon?", "S2: Yes.", "S1: Councilmember Singh?", "S3: Yes."],
      // One voice that answers for everybody was not told apart.
      ["S1: Mayor Doe?", "S2: Here.", "S1: Member Roe?", "S2: Here.", "S1: Member Poe?", "S2: Here."],
      // An answer to a question is none to a name.
      ["S1: Mayor Doe?", "S2: I have a question.", "S1: Member Roe?", "S3: Go ahead.", "S1: Member Poe?", "S4: No."],
      // A surname without an office, of nobody on the roster.
      ["S1: Doe?", "S2: Here.", "S1: Roe?", "S3: Here.", "S1: Poe?", "S4: Here."]
    ]) {
      assert.deepStrictEqual(named([], ...lines), [], lines.join(" "))
    }
  })

  it("are none for a voice that two names are claimed for, and the fullest of those that agree", () => {
    const call = ["S1: Mayor Doe?", "S2: Aye.", "S1: Member Roe?", "S3: Aye.", "S1: Member Poe?", "S4: Aye."]
    assert.deepStrictEqual(named([], ...call, "S2: My name is Ann Other.", "S3: My name is Richard Roe."), [
      ["S3", "Richard Roe", 21],
      ["S4", "Member Poe", 12]
    ])
  })
})
