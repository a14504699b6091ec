import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import type { Verdict } from "../../schema/briefing.ts"
import { servedBriefing, type Verdicts, type WrittenBriefing } from "../../src/text/served-briefing.ts"
import { claimId, figureId } from "../support/builders.ts"

const sentence = (text: string, claim?: string, start = 10) => ({
  text,
  citations: [{ start, end: start + 2.5 }],
  ...(claim === undefined ? {} : { claim: claimId(claim) })
})

const verdictsOf = (verdicts: Readonly<Record<string, Verdict | null>>): Verdicts =>
  Object.fromEntries(Object.entries(verdicts).map(([name, verdict]) => [claimId(name), verdict]))

const long = `The council ${"very ".repeat(40)}carefully weighed it.`

const written: WrittenBriefing = {
  headline: "A bridge for all",
  headline_claim: claimId("headline"),
  worth_watching: [
    { text: "The vote on the bridge", start: 30, claim: claimId("vote") },
    { text: "A quarrel", start: 99, claim: claimId("quarrel") },
    { text: "The rain" }
  ],
  topics: [
    { title: "Bridge", sentences: [sentence(long, "long"), sentence("It passed.", "passed", 30)], figures: [] },
    { title: "Clinic", sentences: [sentence("It closes.", "closes")], figures: [figureId("map")] },
    { title: "Later", sentences: [], figures: [figureId("chart")] }
  ]
}

const supported = { headline: "supported", vote: "supported", quarrel: "supported" } as const
const all = { ...supported, long: "supported", passed: "supported", closes: "supported" } as const
const served = (verdicts: Readonly<Record<string, Verdict | null>>, isChecked = true) =>
  servedBriefing(written, verdictsOf(verdicts), { isChecked, servesUnchecked: false })
const texts = (found: ReturnType<typeof served>) =>
  found?.topics.flatMap((topic) => topic.sentences.map((one) => one.text))

describe("the served part of a briefing", () => {
  it("is all of it, without the names of its claims, if every claim is supported", () => {
    assert.deepStrictEqual(served(all), {
      headline: "A bridge for all",
      worth_watching: [
        { text: "The vote on the bridge", start: 30 },
        { text: "A quarrel", start: 99 },
        { text: "The rain" }
      ],
      topics: [
        {
          title: "Bridge",
          sentences: [
            { text: long, citations: [{ start: 10, end: 12.5 }] },
            { text: "It passed.", citations: [{ start: 30, end: 32.5 }] }
          ],
          figures: []
        },
        {
          title: "Clinic",
          sentences: [{ text: "It closes.", citations: [{ start: 10, end: 12.5 }] }],
          figures: [figureId("map")]
        },
        { title: "Later", sentences: [], figures: [figureId("chart")] }
      ],
      unchecked_sentences: 0,
      removed_sentences: 0
    })
  })

  it("is nothing while a verdict is missing, unless the check is disabled", () => {
    assert.isUndefined(served({ ...all, closes: null }))
    assert.deepStrictEqual(served({ ...all, closes: null }, false), served(all))
  })

  it("leaves out a topic that loses all its sentences, and counts them", () => {
    const found = served({ ...all, closes: "contradicted" })
    assert.deepStrictEqual(
      found?.topics.map(({ title }) => title),
      ["Bridge", "Later"]
    )
    assert.strictEqual(found?.removed_sentences, 1)
  })

  it("replaces an unsupported headline with a short served sentence, or else the first one", () => {
    assert.strictEqual(served({ ...all, headline: "unsupported" })?.headline, "It passed.")
    assert.strictEqual(served({ ...all, headline: "unsupported", passed: "unsupported" })?.headline, "It closes.")
    const onlyLong = { ...all, headline: "contradicted", passed: "unsupported", closes: "unsupported" } as const
    assert.strictEqual(served(onlyLong)?.headline, long)
    const none = served({ ...onlyLong, long: "unsupported" })
    assert.isDefined(none)
    assert.notProperty(none, "headline")
  })

  it("replaces an unsupported line with the served sentence of the same second, or leaves the line out", () => {
    const unsupported = { ...all, vote: "unsupported", quarrel: "unsupported" } as const
    assert.deepStrictEqual(served(unsupported)?.worth_watching, [
      { text: "It passed.", start: 30 },
      { text: "The rain" }
    ])
    assert.deepStrictEqual(served({ ...unsupported, passed: "unsupported" })?.worth_watching, [{ text: "The rain" }])
  })

  it("has no unknown claim, once others were checked", () => {
    const { closes: _, ...others } = all
    assert.deepStrictEqual(texts(served(others)), [long, "It passed."])
    assert.deepStrictEqual(texts(served(others, false)), [long, "It passed.", "It closes."])
    assert.deepStrictEqual(texts(served({})), [long, "It passed.", "It closes."])
  })

  const names = ["a", "b", "c", "d"] as const
  const topics = fc.array(
    fc.array(fc.option(fc.constantFrom(...names), { nil: undefined }), { maxLength: 4 }).map((claims) => ({
      title: "Topic",
      sentences: claims.map((claim) => sentence(claim ?? "no claim", claim)),
      figures: []
    })),
    { maxLength: 4 }
  )
  const found = fc.dictionary(
    fc.constantFrom(...names),
    fc.constantFrom<Verdict | null>("supported", "unsupported", "contradicted", "unchecked", null)
  )

  it("never has a sentence whose claim was not supported, and counts every sentence left out", () => {
    fc.assert(
      fc.property(topics, found, fc.boolean(), fc.boolean(), (topics, found, isChecked, servesUnchecked) => {
        const verdicts = verdictsOf(found)
        const briefing = { headline: "Headline", worth_watching: [], topics }
        const served = servedBriefing(briefing, verdicts, { isChecked, servesUnchecked })
        const isPending = isChecked && Object.values(found).includes(null)
        assert.strictEqual(served === undefined, isPending)
        if (served === undefined) return
        const isVerified = isChecked && Object.keys(found).length > 0
        const sent = texts(served) ?? []
        const whole = topics.flatMap((topic) => topic.sentences.map(({ text }) => text))
        assert.strictEqual(sent.length + served.removed_sentences, whole.length)
        const unchecked = whole.filter((text) => text !== "no claim" && verdicts[claimId(text)] === "unchecked")
        assert.strictEqual(served.unchecked_sentences, unchecked.length)
        for (const text of new Set(whole)) {
          const verdict = verdicts[claimId(text)] ?? null
          const isServed =
            ["no claim", "supported"].includes(text === "no claim" ? text : String(verdict)) ||
            (verdict === null && !isVerified) ||
            (verdict === "unchecked" && (servesUnchecked || !isChecked))
          assert.strictEqual(sent.includes(text), isServed, text)
        }
      })
    )
  })
})
