import * as fs from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { marks } from "../../../src/text/redact/marks.ts"
import { agendaAddresses, applied, type Removal, redact, removalsIn } from "../../../src/text/redact/redact.ts"
import { measure, phrasesIn } from "./phrases.ts"

const none: ReadonlySet<string> = new Set()

const published = (...texts: ReadonlyArray<string>) =>
  redact(
    texts.map((text, at) => ({ start: at, end: at + 1, text })),
    none
  ).segments.map(({ text }) => text)

/** Words of half a second each. */
const timed = (text: string, start = 0) => ({
  start,
  end: start + text.split(" ").length / 2,
  text,
  words: text.split(" ").map((word, at) => ({ start: start + at / 2, end: start + (at + 1) / 2, text: word }))
})

describe("spoken home addresses", () => {
  it("are removed in every phrasing used to write the rules, and nothing else is", () => {
    const phrases = phrasesIn("phrases.txt")
    assert.isAtLeast(phrases.filter(({ addresses }) => addresses.length > 0).length, 300)
    assert.isAtLeast(phrases.filter(({ addresses }) => addresses.length === 0).length, 150)
    const { missed, wrong } = measure(phrases)
    assert.deepStrictEqual({ missed, wrong }, { missed: [], wrong: [] })
  })

  it("are found in phrasings that no rule was tuned for with recall 0.976 and precision 0.952", () => {
    const { recall, precision, missed, wrong } = measure(phrasesIn("held-out.txt"))
    assert.isAtLeast(recall, 0.97, missed.join("\n"))
    assert.isAtLeast(precision, 0.95, wrong.join("\n"))
  })

  it("are found in 84 other phrasings with recall 0.988, which was 0.881 the first time", () => {
    const { recall, precision, missed, wrong } = measure(phrasesIn("held-out-2.txt"))
    assert.isAtLeast(recall, 0.98, missed.join("\n"))
    assert.isAtLeast(precision, 0.98, wrong.join("\n"))
  })

  it("were found in 40 more the first time with recall 0.925 and precision 0.974, and 20 others were left alone", () => {
    const { recall, precision, missed, wrong } = measure(phrasesIn("held-out-3.txt"))
    assert.isAtLeast(recall, 0.92, missed.join("\n"))
    assert.isAtLeast(precision, 0.97, wrong.join("\n"))
  })

  it("become one word that lasts as long as the spoken address", () => {
    const [segment] = redact([timed("I live at twenty-two fourteen Maple Street, and I object.")], none).segments
    assert.strictEqual(segment?.text, `I live at ${marks.home}, and I object.`)
    assert.deepStrictEqual(
      segment?.words?.map(({ text, start, end }) => [text, start, end]),
      [
        ["I", 0, 0.5],
        ["live", 0.5, 1],
        ["at", 1, 1.5],
        [marks.home, 1.5, 3.5],
        ["and", 3.5, 4],
        ["I", 4, 4.5],
        ["object.", 4.5, 5]
      ]
    )
  })

  it("leave a mark in each segment that they span", () => {
    const { segments, addresses } = redact([timed("My address is 2214"), timed("Maple Street, thank you.", 2)], none)
    assert.strictEqual(addresses, 1)
    assert.deepStrictEqual(
      segments.map(({ text }) => text),
      [`My address is ${marks.home}`, `${marks.home}, thank you.`]
    )
    assert.deepStrictEqual(segments[1]?.words?.[0], { start: 2, end: 3, text: marks.home })
  })

  it("remove their segment's word times if those do not match the text", () => {
    const words = [{ start: 0, end: 1, text: "2214-Maple" }]
    const [segment] = redact([{ start: 0, end: 4, text: "I live at 2214 Maple.", words }], none).segments
    assert.deepStrictEqual(segment, { start: 0, end: 4, text: `I live at ${marks.home}.` })
  })

  it("are nobody's home if the cue is another speaker's", () => {
    const said = (speaker: string, text: string) => ({ start: 0, end: 1, speaker, text })
    const texts = redact(
      [said("Doe", "That is where I live"), said("Clerk", "at 500 Main Street the bids are due.")],
      none
    )
    assert.strictEqual(texts.addresses, 0)
    assert.strictEqual(
      redact([said("Doe", "That is where I live"), said("Doe", "at 500 Main Street.")], none).addresses,
      1
    )
  })

  it("stay if the agenda names them, in any spoken form", () => {
    const known = agendaAddresses(["Rezoning of 2214 Maple Street (Ward 3)", "Minutes"])
    const lines = ["I live at twenty-two fourteen Maple.", "I live at 2216 Maple."].map((text) => ({
      start: 0,
      end: 1,
      text
    }))
    assert.deepStrictEqual(
      redact(lines, known).segments.map(({ text }) => text),
      ["I live at twenty-two fourteen Maple.", `I live at ${marks.home}.`]
    )
  })

  it("go with the phone numbers, e-mail addresses and boxes of people; those of offices stay", () => {
    assert.deepStrictEqual(
      published(
        "My cell is 865-555-0142.",
        "You can call me at eight six five, triple five, oh one four two.",
        "Call the clerk's office at 865-555-0100.",
        "My email is jane dot doe at gmail dot com.",
        "Email me at lrust@milton.gov.",
        "Dale Hutto, PO Box 3307.",
        "Mail payments to PO Box 100."
      ),
      [
        `My cell is ${marks.phone}.`,
        `You can call me at ${marks.phone}.`,
        "Call the clerk's office at 865-555-0100.",
        `My email is ${marks.email}.`,
        "Email me at lrust@milton.gov.",
        `Dale Hutto, ${marks.box}.`,
        "Mail payments to PO Box 100."
      ]
    )
  })

  it("go whole, with their grid, unit and building, and with the name before an at sign", () => {
    const ways = [
      "We live at [[430 East 200 South]], the yellow house.",
      "I live at [[2B, 640 Trask]], and there's no heat.",
      "I live at [[1300 Lakeview Mesa, 4D]] with my mother.",
      "My home is [[1722 Highland Park Avenue, B-6]].",
      "I live at [[1907 Crescent Bluff, upper]].",
      "my name is ana ruiz and i live at [[one oh eight dash forty jewel avenue]]",
      "Darlene Vosburg. I live at [[N4417 County Road QQ]].",
      "I live at [[14 Live Oak Place]].",
      "Geneva Tubbs, eighty-one. I live at [[Cumberland Towers 1402]]."
    ]
    for (const way of ways) {
      assert.deepStrictEqual(published(way.replaceAll(/\[\[|\]\]/gu, "")), [way.replace(/\[\[.*\]\]/u, marks.home)])
    }
    assert.deepStrictEqual(published("My cell is 409-555-0121, Denise."), [`My cell is ${marks.phone}, Denise.`])
    assert.deepStrictEqual(
      published("Write to both of us, edie.pratt@yahoo.com and monty@lake-mail.com, we live together."),
      [`Write to both of us, ${marks.email} and ${marks.email}, we live together.`]
    )
  })

  it("are found in capitals, and beside a full name, but not those of its office", () => {
    assert.deepStrictEqual(
      published(
        "PAUL HUNT, 6906 BIG SPRING ROAD, MILTON.",
        "Lee Moss, 800 Market Street, Suite 500, for the applicant."
      ),
      [`PAUL HUNT, ${marks.home}, MILTON.`, "Lee Moss, 800 Market Street, Suite 500, for the applicant."]
    )
  })

  it("are found by rules whose labeled captions repeat none of them", () => {
    const labels = fs.readFileSync("bench/redaction/captions.tsv", "utf8").split("\n").slice(1, -1)
    assert.isAtLeast(labels.length, 500)
    for (const [, , , , , label, text] of labels.map((line) => line.split("\t"))) {
      assert.isTrue(text === "-" || label === "stays")
    }
  })

  it("are an office if several people give one in a meeting, or somebody who speaks for a client at another time", () => {
    const given = "Ann Moss, 140 Dale Avenue."
    assert.deepStrictEqual(published(given, "We begin."), ["Ann Moss, [address removed].", "We begin."])
    assert.deepStrictEqual(published(given, "Ann Moss, 140 Dale Avenue."), [
      "Ann Moss, [address removed].",
      "Ann Moss, [address removed]."
    ])
    const others = [given, "We begin. Thank you.", "Lou Ferrante, 140 Dale Avenue."]
    assert.deepStrictEqual(published(...others), others)
    const client = [given, "We begin. Thank you.", "Ann Moss, 140 Dale Avenue, here for the applicant."]
    assert.deepStrictEqual(published(...client), client)
  })

  it("go where only their number is said again, and counts of as many stay", () => {
    assert.deepStrictEqual(published("I live at 3333 Hunter Road. That's three three three three, as I said."), [
      `I live at ${marks.home}. That's ${marks.home}, as I said.`
    ])
    assert.deepStrictEqual(published("I live at 200 Hunter Road. We have 200 people on the list."), [
      `I live at ${marks.home}. We have 200 people on the list.`
    ])
  })

  it("are no counts, widths and lists of streets, and what was left beside a mark stays", () => {
    const lines = [
      "I have lived in my house 30 years, and it is a two-lane road.",
      "They want an 800-foot boulevard beside my house.",
      "A, Timber Lane. B, Willow Lane. C, Kangaroo Lane. D, Banjo Lane, and we live there too.",
      `I live at ${marks.home}, Route 1.`
    ]
    assert.deepStrictEqual(published(...lines), lines)
    assert.deepStrictEqual(published("We live at 80 Foot Hills Drive."), [`We live at ${marks.home}.`])
  })

  it("stay where a body just named a business there, and go where a resident follows in the same meeting", () => {
    const permit = [
      "Next is a beer permit for the Corner Deli, 2600 Whitman Lane. Is the applicant here? Name and address, please.",
      "Steve Maris, 2600 Whitman Lane.",
      "No record. We need the health department approval. Move to approve. Second. All those in favor? Aye.",
      "Next is public forum. Please state your name and address, you have five minutes."
    ]
    const resident = "Ann Moss, 418 Juniper Lane. I live next door and my children cannot sleep."
    assert.deepStrictEqual(published(...permit, resident), [
      ...permit,
      `Ann Moss, ${marks.home}. I live next door and my children cannot sleep.`
    ])
  })

  it("take nothing with them, and are all gone the first time", () => {
    const lines = fs
      .readFileSync("bench/redaction/phrases.tsv", "utf8")
      .split("\n")
      .slice(1, -1)
      .map((line) => line.replace(/^\w+\t/u, "").replaceAll(/\[\[|\]\]/gu, ""))
    for (const line of lines) {
      const segments = line.split(" / ").map((text, at) => ({ start: at, end: at + 1, text }))
      const removals = removalsIn(segments, none)
      const once = applied(segments, removals)
      segments.forEach(({ text }, at) => {
        const parts = removals.flatMap(({ kind, parts }) => parts.map((part) => ({ ...part, mark: marks[kind] })))
        const here = parts.filter(({ segment }) => segment === at).toSorted((a, b) => b.from - a.from)
        const expected = here.reduce((rest, { from, to, mark }) => rest.slice(0, from) + mark + rest.slice(to), text)
        assert.strictEqual(once[at]?.text, expected)
      })
      assert.deepStrictEqual(redact(once, none).segments, once, line)
    }
  })

  it("are put back or taken out by choice, where ranges overlap too", () => {
    const segments = [{ start: 0, end: 1, text: "I live at 2214 Maple Street. My cell is 865-555-0142." }]
    const removals = removalsIn(segments, none)
    assert.deepStrictEqual(
      removals.map(({ kind, rule }) => [kind, rule]),
      [
        ["home", "lives"],
        ["phone", "own-phone"]
      ]
    )
    assert.strictEqual(applied(segments, [])[0]?.text, segments[0]?.text)
    const chosen: ReadonlyArray<Removal> = [
      ...removals.slice(1),
      { kind: "home", rule: "operator", parts: [{ segment: 0, from: 0, to: 14 }] },
      { kind: "home", rule: "operator", parts: [{ segment: 0, from: 10, to: 27 }] }
    ]
    assert.strictEqual(applied(segments, chosen)[0]?.text, `${marks.home}. My cell is ${marks.phone}.`)
  })

  it("are removed from hostile text too, and nothing else of it is lost", () => {
    for (const text of [
      "",
      "   ",
      "[address removed]",
      "1 ".repeat(20_000),
      "live at ".repeat(20_000),
      "a dot ".repeat(20_000),
      "my cell at ".repeat(20_000),
      "lot 1 ".repeat(20_000),
      "4a at ".repeat(20_000),
      "box 1 route 2 ".repeat(10_000),
      "Jane Doe, ".repeat(20_000),
      ...Object.values(marks),
      "\u202e\u0000💥 Ⅻ ½"
    ]) {
      assert.deepStrictEqual(published(text), [text])
    }
    assert.deepStrictEqual(published("I live at 2214 Maple Street. ".repeat(2000)), [
      `I live at ${marks.home}. `.repeat(2000)
    ])
  })
})
