import { execFileSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import ffmpeg from "@ffmpeg-installer/ffmpeg"
import fc from "fast-check"
import { parseText, tokenizeVTTCue, type VTTNode } from "media-captions"
import type { Segment } from "../../../schema/transcript.ts"
import { type Cue, cuesOf, plainText, subRip, webVtt } from "../../../src/services/meetings/captions.ts"

const parse = (text: string, type: "vtt" | "srt") => parseText(text, { type, strict: type === "vtt", errors: true })

/** A real player's reading of one format, written as the other. */
const readByFfmpeg = (text: string, format: "webvtt" | "srt", as: "webvtt" | "srt") =>
  execFileSync(ffmpeg.path, ["-v", "error", "-f", format, "-i", "-", "-f", as, "-"], { input: text, encoding: "utf8" })

const textOf = (nodes: ReadonlyArray<VTTNode>): string =>
  nodes.map((node) => (node.type === "text" ? node.data : textOf(node.children))).join("")

const folded = (text: string) => text.replace(/\s+/gu, " ").trim()

/** Words as people say them, and characters that would break a careless file. */
const nasty = fc.constantFrom(
  "&",
  "<",
  ">",
  "-->",
  "--->",
  "&amp;",
  "<v Bob>",
  "</v>",
  "<i>",
  "a\n\nb",
  "\r\n",
  "\r",
  "NOTE",
  "WEBVTT",
  "42",
  "00:01:02.000 --> 00:01:03.000",
  "\u2028",
  "\u00a0",
  "…",
  "é",
  "会議",
  "{\\an8}",
  "<00:01:02.000>",
  "&lrm;"
)
const words = fc.oneof(nasty, fc.string({ unit: "grapheme", maxLength: 12 }), fc.lorem({ maxCount: 1 }))
const text = fc.array(words, { minLength: 1, maxLength: 30 }).map((all) => all.join(" "))

/** Below 100 hours, which is as far as this parser reads. */
const second = fc.integer({ min: 0, max: 359_000_000 }).map((millis) => millis / 1000)

const untimed = fc
  .record({ start: second, length: fc.integer({ min: 0, max: 60_000 }), text, speaker: fc.option(text) })
  .map(
    ({ start, length, text, speaker }): Segment => ({
      start,
      end: start + length / 1000,
      text,
      ...(speaker === null ? {} : { speaker })
    })
  )

const timed = fc
  .record({
    start: second,
    spoken: fc.array(fc.tuple(words, fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 0, max: 900 })), {
      maxLength: 60
    })
  })
  .map(({ start, spoken }): Segment => {
    let at = Math.round(start * 1000)
    const words = spoken.map(([text, gap, length]) => {
      const begin = at + gap
      at = begin + length
      return { start: begin / 1000, end: at / 1000, text }
    })
    return { start, end: at / 1000, text: words.map((word) => word.text).join(" "), words }
  })

const transcript = fc.array(fc.oneof(untimed, timed), { maxLength: 12 })

const speakerOf = (segment: Segment) => folded(segment.speaker ?? "") || undefined

/** The text of the cues of some segments, in the order of their segments. */
const saidBy = (cues: ReadonlyArray<Cue>) => folded(cues.map((cue) => cue.text).join(" "))

describe("cuesOf", () => {
  it("loses no word, and gives each cue an end after its start", () => {
    fc.assert(
      fc.property(fc.oneof(untimed, timed), (segment) => {
        const cues = cuesOf([segment])
        // Cut between words only, so it reads the same except for spaces.
        assert.strictEqual(saidBy(cues).replaceAll(" ", ""), segment.text.replace(/\s/gu, ""))
        for (const cue of cues) {
          assert.isAbove(cue.end, cue.start)
          assert.strictEqual(cue.speaker, speakerOf(segment))
        }
      })
    )
  })

  it("orders cues by their start, as WebVTT requires", () => {
    fc.assert(
      fc.property(transcript, (segments) => {
        const starts = cuesOf(segments).map((cue) => cue.start)
        assert.deepStrictEqual(
          starts,
          starts.toSorted((a, b) => a - b)
        )
      })
    )
  })

  const said =
    "The motion carries. We now turn to item seven, which is the extension of the creek greenway from the mill to the park, and I believe that staff has a presentation."
  const spoken: Segment = {
    start: 10,
    end: 30,
    speaker: "Mayor",
    text: said,
    words: said.split(" ").map((text, at) => ({ start: 10 + at * 0.5, end: 10.4 + at * 0.5, text }))
  }

  it("cuts a long segment between words, into two lines of 42 characters and 7 seconds", () => {
    const cues = cuesOf([spoken])
    assert.isAbove(cues.length, 2)
    for (const cue of cues) {
      assert.isAtMost(cue.end - cue.start, 7000)
      const lines = cue.text.split("\n")
      assert.isAtMost(lines.length, 2)
      for (const line of lines) assert.isAtMost(line.length, 42)
    }
    assert.deepStrictEqual(cues[0], {
      start: 10_000,
      end: 16_900,
      speaker: "Mayor",
      text: "The motion carries. We now turn to\nitem seven, which is the extension of"
    })
  })

  it("begins a new cue after a silence, and after a sentence that fills a line", () => {
    const at = (start: number, text: string) => ({ start, end: start + 0.3, text })
    const paused = {
      start: 0,
      end: 9,
      text: "Any discussion? Hearing none.",
      words: [at(0, "Any"), at(0.4, "discussion?"), at(5, "Hearing"), at(5.4, "none.")]
    }
    assert.deepStrictEqual(
      cuesOf([paused]).map(({ start, text }) => [start, text]),
      [
        [0, "Any discussion?"],
        [5000, "Hearing none."]
      ]
    )
    const sentence = "I would like to move approval of the minutes. Second."
    const quick = { start: 0, end: 5, text: sentence, words: sentence.split(" ").map((text, n) => at(n * 0.3, text)) }
    assert.deepStrictEqual(
      cuesOf([quick]).map((cue) => cue.text),
      ["I would like to move\napproval of the minutes.", "Second."]
    )
  })

  it("keeps a segment whole if it has no word times, or words that differ from its text", () => {
    const { words, ...plain } = spoken
    assert.deepStrictEqual(
      cuesOf([plain]).map((cue) => [cue.start, cue.end, cue.text]),
      [[10_000, 30_000, said]]
    )
    assert.strictEqual(cuesOf([{ ...spoken, text: said.replace("creek", "river") }]).length, 1)
    assert.strictEqual(cuesOf([{ ...spoken, words: words?.slice(0, 5) ?? [] }]).length, 1)
  })

  it("cuts between the words of a language without spaces, and keeps punctuation in place", () => {
    const japanese = {
      start: 0,
      end: 20,
      text: "会議を始めます。「次は」予算です。",
      words: [
        { start: 0, end: 1, text: "会議を" },
        { start: 1, end: 2, text: "始めます" },
        { start: 9, end: 10, text: "次は" },
        { start: 10, end: 11, text: "予算です" }
      ]
    }
    assert.deepStrictEqual(
      cuesOf([japanese]).map((cue) => cue.text),
      ["会議を始めます。", "「次は」予算です。"]
    )
  })

  it("shows a cue without time until the next one, and at most a second", () => {
    const moments = [0, 0, 0.25, 9].map((start) => ({ start, end: start, text: "Aye." }))
    assert.deepStrictEqual(
      cuesOf(moments).map(({ start, end }) => [start, end]),
      [
        [0, 1000],
        [0, 250],
        [250, 1250],
        [9000, 10_000]
      ]
    )
  })
})

describe("WebVTT", () => {
  it("is unchanged after a real parser has read it", async () => {
    await fc.assert(
      fc.asyncProperty(transcript, async (segments) => {
        const cues = cuesOf(segments)
        const parsed = await parse(webVtt(cues), "vtt")
        assert.deepStrictEqual(parsed.errors, [])
        assert.deepStrictEqual(
          parsed.cues.map((cue) => {
            const [first] = tokenizeVTTCue(cue)
            return {
              start: Math.round(cue.startTime * 1000),
              end: Math.round(cue.endTime * 1000),
              ...(first?.type === "v" ? { speaker: first.voice } : {}),
              text: textOf(tokenizeVTTCue(cue))
            }
          }),
          cues.map((cue) => ({ ...cue }))
        )
      })
    )
  })

  it("is read by a player past 99 hours", () => {
    const vtt = webVtt(cuesOf([{ start: 445_678.5, end: 445_680, speaker: "Clerk", text: "Item <7> & done -->" }]))
    assert.include(vtt, "123:47:58.500 --> 123:48:00.000\n<v Clerk>Item &lt;7&gt; &amp; done --&gt;\n")
    assert.strictEqual(
      readByFfmpeg(vtt, "webvtt", "srt").trim(),
      "1\n123:47:58,500 --> 123:48:00,000\nItem <7> & done -->"
    )
  })

  it("is a file even if nothing was said", async () => {
    assert.strictEqual(webVtt(cuesOf([{ start: 0, end: 1, text: " \n " }])), "WEBVTT\n")
    assert.deepStrictEqual((await parse("WEBVTT\n", "vtt")).errors, [])
  })
})

describe("SubRip", () => {
  it("is unchanged after a real parser has read it", async () => {
    await fc.assert(
      fc.asyncProperty(transcript, async (segments) => {
        const cues = cuesOf(segments)
        const parsed = await parse(subRip(cues), "srt")
        assert.deepStrictEqual(parsed.errors, [])
        assert.deepStrictEqual(
          parsed.cues.map((cue) => [Math.round(cue.startTime * 1000), Math.round(cue.endTime * 1000)]),
          cues.map((cue) => [cue.start, cue.end])
        )
        const like = (text: string) => text.replaceAll("-->", "→").replace(/<(?=[a-z/])/gi, "‹")
        for (const [at, cue] of parsed.cues.entries()) {
          const { speaker, text = "" } = cues[at] ?? {}
          const named = speaker !== undefined && speaker !== cues[at - 1]?.speaker
          assert.strictEqual(cue.text, like(named ? `${speaker}: ${text}` : text))
        }
      })
    )
  })

  it("is read by a player with every character of its text", () => {
    const srt = subRip(
      cuesOf([
        { start: 0, end: 1.5, speaker: "Mayor", text: "Say <b>aye</b> & 3 < 4 --> so" },
        { start: 2, end: 3, speaker: "Mayor", text: "Aye." },
        { start: 445_678.5, end: 445_680, speaker: "Clerk", text: "Noted." }
      ])
    )
    assert.strictEqual(
      srt,
      "1\n00:00:00,000 --> 00:00:01,500\nMayor: Say ‹b>aye‹/b> & 3 < 4 → so\n\n2\n00:00:02,000 --> 00:00:03,000\nAye.\n\n3\n123:47:58,500 --> 123:48:00,000\nClerk: Noted.\n"
    )
    assert.strictEqual(readByFfmpeg(srt, "srt", "srt").trim(), srt.trim())
  })
})

describe("plain text", () => {
  it("has a line per segment and a paragraph per speaker", () => {
    assert.strictEqual(
      plainText([
        { start: 0, end: 1, text: "Roll call." },
        { start: 1, end: 2, speaker: "Clerk", text: "Adams?" },
        { start: 2, end: 3, speaker: "Clerk", text: " \n" },
        { start: 3, end: 4, speaker: "Clerk", text: "Baker?\nPresent?" },
        { start: 4, end: 5, speaker: "Baker", text: "Here." },
        { start: 5, end: 6, text: "(applause)" }
      ]),
      "Roll call.\n\nClerk: Adams?\nBaker? Present?\n\nBaker: Here.\n\n(applause)\n"
    )
    assert.strictEqual(plainText([]), "")
  })
})
