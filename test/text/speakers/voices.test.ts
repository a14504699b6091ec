import { assert, describe, it } from "@effect/vitest"
import { joinPieces } from "../../../src/text/language/join-words.ts"
import { segmentsOf } from "../../../src/text/language/segments.ts"
import { type VoicedWord, withVoices } from "../../../src/text/speakers/voices.ts"

/** Words half a second apart, said by one voice. */
const said = (voice: string, start: number, text: string): ReadonlyArray<VoicedWord> =>
  text.split(" ").map((word, at) => ({ start: start + at / 2, end: start + at / 2 + 0.4, text: word, voice }))

const turnsOf = (pieces: Parameters<typeof withVoices>[0]) =>
  segmentsOf(joinPieces(withVoices(pieces))).map(({ speaker, text }) => [speaker, text])

describe("voices of pieces that overlap", () => {
  it("are one where they say the same words at the same time, whatever their labels", () => {
    const first = [
      ...said("A", 0, "The meeting will come to order."),
      ...said("B", 86, "I move to adopt the minutes as written.")
    ]
    const second = [
      // The recognizer hears them a little later, and calls the one who spoke second its first.
      ...said("A", 86.3, "I move to adopt the minutes as written."),
      ...said("B", 104, "Is there a second?")
    ]
    assert.deepStrictEqual(
      turnsOf([
        { start: 0, end: 100, words: first },
        { start: 85, end: 185, words: second }
      ]),
      [
        ["Speaker 1", "The meeting will come to order."],
        ["Speaker 2", "I move to adopt the minutes as written."],
        // Nobody heard this voice in both pieces, and the same label shows nothing.
        ["Speaker 3", "Is there a second?"]
      ]
    )
  })

  it("are new ones where the pieces disagree on who says what, or share too little", () => {
    const words = "we have three items on the consent agenda tonight"
    const split = [...said("A", 86, "we have three items on"), ...said("B", 88.5, "the consent agenda tonight")]
    const voicesOf = (later: ReadonlyArray<VoicedWord>) =>
      withVoices([
        { start: 0, end: 100, words: said("A", 86, words) },
        { start: 85, end: 185, words: later }
      ])[1]?.words.map(({ voice }) => voice)
    assert.deepStrictEqual(new Set(voicesOf(split)), new Set(["Speaker 2", "Speaker 3"]))
    assert.deepStrictEqual(new Set(voicesOf(said("A", 86, "we have"))), new Set(["Speaker 2"]))
    // The same words at another time are somebody else's.
    assert.deepStrictEqual(new Set(voicesOf(said("A", 90, words))), new Set(["Speaker 2"]))
    assert.deepStrictEqual(new Set(voicesOf(said("Z", 86, words))), new Set(["Speaker 1"]))
  })

  it("are none for a recognizer that tells none apart", () => {
    const words = [{ start: 1, end: 2, text: "Aye." }]
    assert.deepStrictEqual(turnsOf([{ start: 0, end: 10, words }]), [[undefined, "Aye."]])
  })
})
