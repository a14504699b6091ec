import { assert, describe, it } from "@effect/vitest"
import { piecesOf, placed } from "../../src/client/words.ts"
import { turnsOf } from "../../src/pages/meeting/turns.ts"
import { captionsView, namesIn } from "../../src/text/captions-view.ts"

const line = (start: number, text: string, speaker?: string) => ({
  start,
  end: start + 2,
  text,
  ...(speaker === undefined ? {} : { speaker }),
  words: text.split(" ").map((word, at) => ({ start: start + at / 10, end: start + at / 10 + 0.1, text: word }))
})
const texts = (...asked: Parameters<typeof captionsView>) => captionsView(...asked).segments.map(({ text }) => text)

describe("captions as a page shows them", () => {
  it("are in sentence case where they are in capitals, with the names of the record", () => {
    const said = [
      line(0, "GOOD EVENING. I'M MAYOR MARSH, AND THIS IS THE SPRINGFIELD CITY COUNCIL"),
      line(2, "FOR MONDAY, MAY 5. MR. OKAFOR OF THE DPW MAY BEGIN. THE MAYOR SAID SO")
    ]
    assert.deepStrictEqual(texts(said, ["Ada Marsh", "Springfield City Council"]), [
      "Good evening. I'm Mayor Marsh, and this is the Springfield City Council",
      "for Monday, May 5. Mr. Okafor of the DPW may begin. The mayor said so"
    ])
    const mixed = [line(0, "The EPA wrote. I'M not sure WHY.")]
    assert.deepStrictEqual(texts(mixed), [mixed[0]?.text])
  })

  it("begin a turn at each mark of another speaker, even within a line, and words keep their times", () => {
    const segments = [
      line(0, ">> ALL IN FAVOR OF THE MOTION? >> AYE, ALL OF US."),
      line(2, ">> THE MOTION CARRIES TODAY.")
    ]
    const turns = turnsOf(captionsView(segments).segments, [])
    assert.deepStrictEqual(
      turns.map(({ text, segments, lengths }) => [text, segments, lengths]),
      [
        ["All in favor of the motion?", 1, "27"],
        ["Aye, all of us.", 0, "+15"],
        ["The motion carries today.", 1, "25"]
      ]
    )
    let [next, split]: [number, Parameters<typeof piecesOf>[2]] = [0, []]
    const heard = turns.map(({ text, segments: count, lengths }) => {
      const { pieces, left } = piecesOf(segments.slice(next, next + count), lengths, split)
      ;[next, split] = [next + count, left]
      return placed(text, pieces).map(({ start, from, to }) => [start, text.slice(from, to)])
    })
    assert.deepStrictEqual(heard[0]?.at(-1), [0.6, "motion?"])
    assert.deepStrictEqual(
      heard[1]?.map(([, word]) => word),
      ["Aye,", "all", "of", "us."]
    )
    assert.deepStrictEqual(heard[1]?.[0]?.[0], 0.8)
    assert.deepStrictEqual(
      heard[2]?.map(([, word]) => word),
      ["The", "motion", "carries", "today."]
    )
  })

  it("say a doubled line once, but each vote, and begin with a word", () => {
    const segments = [
      line(0, ". all right. Thank you all so much."),
      line(2, "We begin the roll call now."),
      line(4, "We begin the roll call now."),
      line(6, "Aye."),
      line(8, "Aye.")
    ]
    const view = captionsView(segments)
    assert.deepStrictEqual(
      view.segments.map(({ text }) => text),
      ["all right. Thank you all so much.", "We begin the roll call now.", "", "Aye.", "Aye."]
    )
    assert.strictEqual(view.repeats, 1)
    const [turn] = turnsOf(view.segments, [])
    assert.strictEqual(turn?.text, "all right. Thank you all so much. We begin the roll call now. Aye. Aye.")
    const { pieces } = piecesOf(segments, turn?.lengths)
    const last = placed(turn?.text ?? "", pieces).at(-1)
    assert.deepStrictEqual([last?.start, last?.to], [8, turn?.text.length])
  })

  it("leave what is well written as it is", () => {
    const segments = [line(0, "Good evening.", "Ada Marsh"), line(2, "We begin.", "Ada Marsh")]
    const { segments: shown, recased, repeats } = captionsView(segments)
    assert.deepStrictEqual([recased, repeats, shown.some(({ altered }) => altered)], [false, 0, false])
    assert.strictEqual(turnsOf(shown, [])[0]?.lengths, undefined)
  })

  it("know the names in a briefing's sentences, not the words that begin them", () => {
    assert.deepStrictEqual(
      [...namesIn(["Council heard Ada Marsh of Mill Street. Nobody spoke."])],
      ["Ada Marsh", "Mill Street"]
    )
  })
})
