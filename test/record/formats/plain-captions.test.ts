import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { parseText } from "media-captions"
import { plainCues } from "../../../src/record/formats/plain-captions.ts"

/** Lines that a caption file may have, at home and out of place. */
const line = fc.constantFrom(
  "",
  "",
  "",
  "00:00:01.000 --> 00:00:02.500",
  "00:00:03.250 --> 01:59:59.999",
  "00:00:01.000 --> 00:00:02.500 align:start",
  "00:00:05.000 --> 00:00:05.000",
  "00:60:01.000 --> 00:61:02.000",
  "0:00:01.000 --> 00:00:02.000",
  "00:00:01.000  --> 00:00:02.000",
  "00:01.000 --> 00:02.000",
  "NOTE a note",
  "STYLE",
  "REGION",
  "WEBVTT",
  "7",
  "position: 5",
  " line=3",
  " ",
  "The <i>motion</i> & the --> second",
  "said once",
  "said twice"
)
const file = fc
  .tuple(
    fc.constantFrom("WEBVTT", "WEBVTT - title", "\n"),
    fc.array(line, { maxLength: 14 }),
    fc.constantFrom("\n", "\r\n", "\r")
  )
  .map(([head, lines, ending]) => [head, "", ...lines].join(ending))

const cueLines = fc.record({ start: fc.nat(300_000_000), length: fc.nat(9999), text: fc.array(line, { maxLength: 3 }) })
const time = (millis: number) => new Date(millis).toISOString().slice(11, 23)
/** A file of nothing but cues. */
const plain = fc
  .tuple(fc.array(cueLines, { minLength: 1 }), fc.constantFrom("\n", "\r\n"))
  .map(([cues, ending]) =>
    [
      "WEBVTT",
      "",
      ...cues.flatMap(({ start, length, text }) => [
        `${time(start % 80_000_000)} --> ${time((start % 80_000_000) + length + 1)}`,
        ...text.filter((said) => /^[Ts ]./.test(said) && !said.includes("=")),
        ""
      ])
    ].join(ending)
  )

const read = (text: string) =>
  Effect.promise(() => parseText(text, { type: "vtt", strict: false, errors: true })).pipe(
    Effect.map(({ cues, errors }) => ({
      cues: cues.map(({ startTime, endTime, text }) => ({ startTime, endTime, text: text.trim() })),
      errors
    }))
  )

describe("plainCues", () => {
  it.effect("reads what the library reads, or nothing", () =>
    Effect.gen(function* () {
      for (const text of [...fc.sample(file, 3000), ...fc.sample(plain, 1000)]) {
        const cues = plainCues(text)
        if (cues === undefined) continue
        const mine = cues.map((cue) => ({ ...cue, text: cue.text.trim() }))
        assert.deepStrictEqual({ cues: mine, errors: [] }, yield* read(text), JSON.stringify(text))
      }
    })
  )

  it("reads every file of nothing but cues", () => {
    for (const text of fc.sample(plain, 1000)) assert.isDefined(plainCues(text), JSON.stringify(text))
  })
})
