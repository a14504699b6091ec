import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { checkedItems } from "../../../src/pipeline/stages/agenda/agenda.ts"
import { joinedItems, listedItems } from "../../../src/pipeline/stages/agenda/items.ts"
import { candidatesOf, placedItems } from "../../../src/pipeline/stages/chapters/placed-items.ts"
import { chosenClip } from "../../../src/pipeline/stages/clips/clips.ts"
import { soundFigures } from "../../../src/pipeline/stages/figures/figures.ts"
import { soundWords } from "../../../src/pipeline/stages/recap/recap.ts"
import { refinedSegment } from "../../../src/pipeline/stages/refine/refined-line.ts"
import { excerptsOf } from "../../../src/text/language/excerpts.ts"
import { numbersAreIn, numbersIn } from "../../../src/text/language/numbers.ts"
import { spanOfQuote, spokenWords } from "../../../src/text/language/spoken-words.ts"
import { decisionsOf, type Known } from "../../../src/text/plain-words/decisions.ts"
import { spokenVotes } from "../../../src/text/roll-calls/roll-calls.ts"
import { agendaItemId, said } from "../../support/builders.ts"
import { spokenEvenly } from "../../support/making.ts"

describe("numbers", () => {
  it("are read as digits and as words", () => {
    const reads = (text: string, ...numbers: ReadonlyArray<number>) =>
      assert.includeMembers([...numbersIn(text)], [...numbers], text)
    reads("two hundred forty thousand dollars", 240_000)
    reads("$3.5 million and 1,250 homes", 3_500_000, 1250)
    reads("one million two hundred thousand and five", 1_200_005)
    reads("the motion carries seven to zero", 7, 0)
    reads("forty-two", 42)
  })

  it("of a sentence must all have been spoken", () => {
    assert.isTrue(numbersAreIn("It costs 240,000 dollars.", "it costs two hundred forty thousand dollars"))
    assert.isTrue(numbersAreIn("It costs $3.5 million.", "three point five, so 3.5 million"))
    assert.isFalse(numbersAreIn("It costs 250,000 dollars.", "it costs two hundred forty thousand dollars"))
    assert.isFalse(numbersAreIn("It passed 7 to 1.", "the motion carries seven to zero"))
    assert.isTrue(numbersAreIn("One of the members spoke.", "she spoke"))
  })
})

describe("a quote", () => {
  const words = spokenWords(said(["We approve the greenway, tonight.", "We approve the budget."]))

  it("is found word for word, whatever its punctuation, even across segments", () => {
    assert.strictEqual(spanOfQuote(words, "approve the GREENWAY tonight we")?.end, words[5]?.end)
    assert.strictEqual(spanOfQuote(words, "we approve the", 1)?.start, 5)
  })

  it("is not found if a word differs, or if it is too short", () => {
    assert.isUndefined(spanOfQuote(words, "we approve a greenway"))
    assert.isUndefined(spanOfQuote(words, "we approve"))
    assert.isUndefined(spanOfQuote(words, ""))
  })
})

describe("a corrected line", () => {
  const names = new Set(["hernandez"])
  const segment = {
    ...{ start: 10, end: 14, text: "mister hernandes moves to a prove the budget" },
    words: spokenEvenly("mister hernandes moves to a prove the budget", 0.5, 10)
  }

  it("keeps the times of its words", () => {
    const refined = refinedSegment(segment, "Mister Hernandez moves to approve the budget.", names)
    assert.deepStrictEqual(
      refined?.words?.map(({ text, start }) => [text, start]),
      [
        ["Mister", 10],
        ["Hernandez", 10.5],
        ["moves", 11],
        ["to", 11.5],
        ["approve", 12.5],
        ["the", 13],
        ["budget.", 13.5]
      ]
    )
  })

  it("is refused if it drops or invents too much", () => {
    assert.isUndefined(refinedSegment(segment, "Hernandez moves.", names))
    assert.isUndefined(refinedSegment(segment, "I cannot help with that.", names))
    assert.isUndefined(refinedSegment(segment, "", names))
    assert.isUndefined(
      refinedSegment(
        segment,
        "Mister Hernandez moves to approve the budget because the mayor resigned in disgrace tonight.",
        names
      )
    )
  })

  it("keeps each number, denial and word of meaning that was heard", () => {
    const heard =
      "miss alvarez and mister baker do not support two hundred forty thousand dollars for the for the bridge"
    const says = (text: string) =>
      refinedSegment({ start: 0, end: 9, text: heard }, text, new Set(["alvarez", "baker"]))
    for (const sound of [
      "Miss Alvarez and Mister Baker don't support 240,000 dollars for the bridge.",
      "Miss Alvarez, and Mister Baker, do not support two hundred forty thousand dollars for the, for the bridge."
    ])
      assert.strictEqual(says(sound)?.text, sound)
    for (const altered of [
      "Miss Alvarez and Mister Baker do not support 250,000 dollars for the for the bridge.",
      "Miss Alvarez and Mister Baker do support 240,000 dollars for the for the bridge.",
      "Miss Baker and Mister Alvarez do not support 240,000 dollars for the for the bridge.",
      "Miss Alvarez and Mister Baker do not oppose 240,000 dollars for the for the bridge.",
      "Miss Alvarez and Mister Baker do not support 240,000 dollars for the for the mayor's bridge.",
      "Miss Alvarez and Mister Baker do not support 240,000 dollars."
    ])
      assert.isUndefined(says(altered), altered)
  })
})

describe("an agenda", () => {
  it("is parsed by the numbers at the beginning of its lines", () => {
    const lines = [
      "CITY COUNCIL",
      "Agenda",
      "1. Call to order",
      "4.a. Minutes of May 5",
      "IV. Old business",
      "About the creek.",
      "Page 2",
      "Questions? Call 555-0100."
    ]
    assert.deepStrictEqual(listedItems(lines), [
      { number: "1", title: "Call to order" },
      { number: "4.a", title: "Minutes of May 5" },
      { number: "IV", title: "Old business", description: "About the creek. Questions? Call 555-0100." }
    ])
  })

  it("keeps every item of its text, whatever a model leaves out, puts elsewhere or calls otherwise", () => {
    const [call, alder, birch, closed] = [
      { number: "1", title: "Call to order" },
      { number: "2", title: "Contract for Alder Road", description: "For paving." },
      { number: "3", title: "Contract for Birch Road" },
      { number: "1", title: "Closed session" }
    ] as const
    const listed = [call, alder, birch, closed]
    assert.deepStrictEqual(joinedItems([], listed), listed)
    const found = [
      { number: "2", title: "Contract for Birch Road" },
      { number: "2", title: "Contract for Alder Road and its sidewalks" },
      { title: "Public comment" },
      { number: "1", title: "Call to order" },
      { number: "1", title: "Closed session" }
    ]
    assert.deepStrictEqual(joinedItems(found.slice(1), listed), [
      call,
      { ...alder, title: "Contract for Alder Road and its sidewalks" },
      { title: "Public comment" },
      birch,
      closed
    ])
    // The number says which one it is; the text says what it is called.
    assert.deepStrictEqual(joinedItems(found.slice(0, 1), listed), listed)
  })

  it("has no item, and no number, that its text lacks", () => {
    const text = "1. Creek greenway for $240,000"
    const item = { title: "Creek greenway", summary: "It costs $240,000." }
    assert.isTrue(Result.isSuccess(checkedItems([item], text, false)))
    const invented = [
      { ...item, title: "Resignation of the mayor" },
      { ...item, summary: "It costs $250,000." }
    ]
    for (const one of invented) {
      assert.isTrue(Result.isFailure(checkedItems([item, one], text, false)))
      assert.deepStrictEqual(checkedItems([item, one], text, true), Result.succeed([item]))
      assert.isTrue(Result.isFailure(checkedItems([one], text, true)))
    }
  })

  it("is placed in the order of its items, where their numbers or titles are spoken", () => {
    const items = [
      { number: "1", title: "Call to order" },
      { number: "2", title: "Creek greenway" },
      { number: "3", title: "Library roof repair" },
      { title: "Adjournment" }
    ]
    const segments = said([
      "Later tonight the library roof repair comes up.",
      "Item number two, please.",
      "I like it.",
      "Now the library roof repair.",
      "Is there a motion for adjournment?"
    ])
    assert.deepStrictEqual(
      [...placedItems(candidatesOf(items, segments))].toSorted(([a], [b]) => a - b),
      [
        [1, 1],
        [2, 3],
        [3, 4]
      ]
    )
  })
})

describe("a clip", () => {
  const segments = Array.from({ length: 60 }, (_, at) => ({ start: at * 5, end: at * 5 + 5, text: "we cut the roof" }))
  const item = { id: agendaItemId("one"), number: "4", title: "Library roof repair" }
  const choose = (from: number, to: number, title = "The library roof", known: ReadonlyArray<Known> = []) =>
    chosenClip(segments, item, known, { from: 10, to: 50 }, { worth_it: true, title, from, to })

  it("begins and ends with lines of its discussion, and lasts no longer than a clip may", () => {
    assert.deepStrictEqual(choose(12, 20), Result.succeed({ title: "The library roof", start: 60, end: 105 }))
    for (const [from, to] of [
      [9, 20],
      [12, 50],
      [20, 12],
      [10, 49],
      [12, 12]
    ] as const)
      assert.isTrue(Result.isFailure(choose(from, to)), `${from} to ${to}`)
  })

  it("is named after its item where its title says what is neither on the agenda nor heard in it", () => {
    const titleOf = (title: string, known: ReadonlyArray<Known> = []) =>
      Result.getOrThrow(choose(12, 20, title, known))?.title
    for (const title of ["The mayor resigns", "Roof repair approved 9-0", "Library closes its roof", ""])
      assert.strictEqual(titleOf(title), "Item 4: Library roof repair", title)
    const [vote] = spokenVotes([
      { start: 70, end: 75, text: "I move to approve the repair. All in favor? Aye. The motion carries five to two." }
    ])
    const known = [{ vote, decision: { agenda_item: item.id, outcome: "Approved", vote: "5-2", start: 70 } }]
    assert.strictEqual(titleOf("The mayor resigns", known), "Item 4: Library roof repair. Approved 5-2")
    assert.strictEqual(titleOf("Roof repair approved 5-2", known), "Roof repair approved 5-2")
    assert.strictEqual(titleOf("Roof repair approved 7-0", known), "Item 4: Library roof repair. Approved 5-2")
  })
})

describe("a figure", () => {
  const segments = said(["The bridge costs 300 thousand dollars.", "The path costs 240 thousand dollars."])
  const figure = (value: number) => ({
    ...{ title: "Costs", form: "bar" as const, axis: "Part", unit: "Dollars" },
    points: [
      { label: "Bridge", value: 300_000, line: 0, quote: "costs 300 thousand dollars" },
      { label: "Path", value, line: 1, quote: "costs 240 thousand dollars" }
    ]
  })

  it("shows spoken numbers, each where it is cited", () => {
    const found = Result.getOrThrow(soundFigures(segments, { figures: [figure(240_000)] }, false))
    assert.strictEqual(found[0]?.alt, "Bar chart of dollars by part. Bridge, 300,000; Path, 240,000.")
    assert.isTrue(Result.isFailure(soundFigures(segments, { figures: [figure(250_000)] }, false)))
    assert.isTrue(Result.isFailure(soundFigures(segments, { figures: [figure(250_000)] }, true)))
    const both = soundFigures(segments, { figures: [figure(250_000), figure(240_000)] }, true)
    assert.deepStrictEqual(both, Result.succeed(found))
  })
})

describe("a recap", () => {
  const agenda = [{ id: agendaItemId("one"), title: "Budget of the library", start: 0 }]
  const far = Array.from({ length: 40 }, () => "we talk about other things")
  const segments = said([
    "I move to approve the budget of the library.",
    "The motion carries five to two.",
    ...far,
    "We like birds here."
  ])
  const known = decisionsOf(agenda, spokenVotes(segments, agenda))
  const decided = (outcome: string, line = 1, quote = "the motion carries five") =>
    soundWords(segments, agenda, known, { decisions: [{ outcome, line, quote }] }, false)

  it("has the decisions that code heard, with the second of each", () => {
    assert.deepStrictEqual(
      known.map(({ decision }) => decision),
      [{ agenda_item: agendaItemId("one"), outcome: "Approved", vote: "5-2", start: segments[1]?.start ?? 0 }]
    )
  })

  it("takes words for a decision only where each of them is on record, and none where nothing was decided", () => {
    const words = (outcome: string) => Result.getOrThrow(decided(outcome)).map((one) => one.outcome)
    assert.deepStrictEqual(words("The budget of the library was approved"), ["The budget of the library was approved"])
    for (const outcome of [
      "The budget of the library was denied",
      "The budget of the pool was approved",
      "The budget of the library was approved unanimously",
      "The budget of the library was approved 7-0",
      "The budget of the library was not approved"
    ])
      assert.deepStrictEqual(words(outcome), [], outcome)
    assert.isTrue(Result.isFailure(decided("The budget was approved", 1, "the motion fails five")))
    assert.isTrue(Result.isFailure(decided("The budget was approved", 42, "we like birds here")))
  })
})

describe("an excerpt", () => {
  it("is bounded, and all excerpts together contain every line once", () => {
    const segments = said(Array.from({ length: 100 }, (_, at) => `line ${at} ${"x".repeat(at)}`))
    const excerpts = excerptsOf(segments, 500)
    assert.isTrue(excerpts.every(({ text }) => text.length <= 500))
    assert.deepStrictEqual(
      excerpts.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)),
      [...segments.keys()]
    )
  })
})
