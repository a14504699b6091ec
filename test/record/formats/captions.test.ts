import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { foldStutter, parseCaptions } from "../../../src/record/formats/captions.ts"
import { areMachineCaptions } from "../../../src/record/formats/machine.ts"
import { plainCues } from "../../../src/record/formats/plain-captions.ts"

const parsed = (text: string) => parseCaptions(text)

describe("parseCaptions", () => {
  it.effect("reads WebVTT with a byte order mark, CRLF, notes, styles, settings, voices, tags and references", () =>
    Effect.gen(function* () {
      const text =
        "\uFEFFWEBVTT - title\r\nKind: captions\r\n\r\nNOTE a note\r\n\r\nSTYLE\r\n::cue { color: red }\r\n\r\nintro\r\n" +
        "01:02.500 --> 00:01:05.000 align:start position:0%\r\n<v Mayor Ruiz>Good <i>morning</i> &amp; welcome</v>\r\nto all &lt;here&gt; caf&#233;\r\n\r\n" +
        "00:00:06.000 --> 00:00:07.000\r\n\r\n" +
        "01:00:07.000 --> 01:00:08.000\r\n<00:00:07.500><c.yellow>timed</c> 4 < 5 and R&D"
      const { segments, unreadable } = yield* parsed(text)
      assert.strictEqual(unreadable, 0)
      assert.deepStrictEqual(segments, [
        { start: 62.5, end: 65, speaker: "Mayor Ruiz", text: "Good morning & welcome" },
        { start: 62.5, end: 65, text: "to all <here> café" },
        { start: 3607, end: 3608, text: "timed 4 < 5 and R&D" }
      ])
    })
  )

  it.effect("reads SRT with a byte order mark, commas and positions", () =>
    Effect.gen(function* () {
      const { segments } = yield* parsed(
        '\uFEFF1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>Hello</i> {\\an8}there\r\n<font color="#fff">line two</font>\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nCHAIR: hi\r\n'
      )
      assert.deepStrictEqual(segments, [
        { start: 1, end: 2.5, text: "Hello there line two" },
        { start: 3, end: 4, text: "CHAIR: hi" }
      ])
    })
  )

  it.effect("counts the unreadable cues and keeps the others", () =>
    Effect.gen(function* () {
      const { segments, unreadable } = yield* parsed(
        "WEBVTT\n\nbroken --> 00:00:09.000\nlost\n\n00:00:10.000 --> 00:00:11.000\nkept\n"
      )
      assert.deepStrictEqual(segments, [{ start: 10, end: 11, text: "kept" }])
      assert.isAbove(unreadable, 0)
    })
  )

  it.effect("finds no cues in an empty file or in noise", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* parsed("")).segments, [])
      assert.deepStrictEqual((yield* parsed("\u0000\uFFFD\uFFFD no captions here")).segments, [])
    })
  )

  it.effect("reads files of nothing but cues as the library does, whatever they contain", () =>
    Effect.gen(function* () {
      const times = fc.constantFrom(
        "00:00:01.000",
        "00:00:02.500",
        "99:59:59.999",
        "00:60:00.000",
        "0:00:03.000",
        "00:04.000"
      )
      const line = fc.constantFrom(
        ...[
          "Good evening.",
          " two  blanks ",
          " ",
          "",
          "",
          "R&D &gt; x",
          "<v Ann>aye</v>",
          "a < b",
          "{\\an8}top",
          "line:0%",
          " size: 3"
        ],
        ...[
          "NOTE this",
          "WEBVTT",
          "7",
          "00:00:01.000 --> 00:00:02.000",
          "x --> y",
          "one\u2028two",
          "tab\there",
          "Señor…"
        ]
      )
      const timing = fc.tuple(
        times,
        fc.constantFrom(" --> ", " --> ", "-->", "  -->  "),
        times,
        fc.constantFrom("", "", " align:start")
      )
      const cue = fc.tuple(
        fc.oneof({ weight: 9, arbitrary: timing }, line),
        fc.array(line, { maxLength: 3 }),
        fc.constantFrom("\n\n", "\n", "\n\n\n", "")
      )
      const files = fc.sample(
        fc.tuple(fc.constantFrom("WEBVTT\n\n", "WEBVTT\n", "WEBVTT\n\n\n"), fc.array(cue, { maxLength: 4 })),
        4000
      )
      let plain = 0
      for (const [header, cues] of files) {
        const text =
          header +
          cues
            .map(
              ([first, lines, gap]) => [typeof first === "string" ? first : first.join(""), ...lines].join("\n") + gap
            )
            .join("")
        if (plainCues(text) !== undefined) plain++
        // Only the library reads carriage returns.
        assert.deepStrictEqual(yield* parsed(text), yield* parsed(text.replaceAll("\n", "\r\n")), JSON.stringify(text))
      }
      assert.isAbove(plain, 100)
    })
  )
})

describe("foldStutter", () => {
  const lines = (...texts: ReadonlyArray<string>) => texts.map((text, at) => ({ start: at, end: at + 1, text }))

  it("folds four or more identical lines into one that lasts as long", () => {
    assert.deepStrictEqual(foldStutter(lines("a", "you", "you", "you", "you", "b", "b")), [
      { start: 0, end: 1, text: "a" },
      { start: 1, end: 5, text: "you" },
      { start: 5, end: 6, text: "b" },
      { start: 6, end: 7, text: "b" }
    ])
  })

  it("returns the same array if there is nothing to fold", () => {
    const three = lines("you", "you", "you", "b")
    assert.strictEqual(foldStutter(three), three)
    assert.deepStrictEqual(foldStutter([]), [])
  })

  it("does not fold across speakers", () => {
    const two = lines("aye", "aye", "aye", "aye").map((line, at) => ({ ...line, speaker: at < 2 ? "A" : "B" }))
    assert.strictEqual(foldStutter(two), two)
  })
})

describe("captions are treated as a recognizer's own", () => {
  const cue = "00:01.000 --> 00:02.000\nGood evening.\n"
  const cases: ReadonlyArray<readonly [what: string, isMachine: boolean, text: string, name: string]> = [
    [
      "where words are timed inside cues",
      true,
      `WEBVTT\n\n00:01.000 --> 00:02.000\nGood<00:00:01.480><c> evening</c>\n`,
      "a.vtt"
    ],
    ["where a note says so", true, `WEBVTT\n\nNOTE Automatically generated\n\n${cue}`, "a.vtt"],
    ["where the header says so", true, `WEBVTT - made by Whisper large-v3\n\n${cue}`, "a.vtt"],
    ["where the file's name says so", true, `WEBVTT\n\n${cue}`, "council.auto.vtt"],
    [
      "but not for what is said in them",
      false,
      "WEBVTT\n\n00:01.000 --> 00:02.000\nA whisper of speech-to-text.\n",
      "a.vtt"
    ],
    ["but not for a name about cars", false, `WEBVTT\n\n${cue}`, "auto-shop-permit.raw-water-main.vtt"],
    [
      "but not for the time of a single voice",
      false,
      "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Mayor>Good evening.</v>\n",
      "a.vtt"
    ]
  ]
  for (const [what, isMachine, text, name] of cases) {
    it(what, () => assert.strictEqual(areMachineCaptions(text, name), isMachine))
  }
})
