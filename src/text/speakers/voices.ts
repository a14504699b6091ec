import type { Word } from "../../../schema/transcript.ts"
import type { Piece } from "../language/join-words.ts"
import { keyOf } from "../language/spoken-words.ts"

/** A word, and the voice that a recognizer told apart, by its label in one piece of the recording. */
export interface VoicedWord extends Word {
  readonly voice?: string
}

type VoicedPiece = Piece<VoicedWord>

/** The most seconds between two recognitions of one word. */
const mostDrift = 1

/** The words that two labels must share to be one voice. */
const fewestShared = 3

/** How much of what either label says where pieces overlap it must share with the other. */
const leastShared = 0.8

const labelOf = ({ voice }: VoicedWord) => voice ?? ""

/**
 * The labels of a later piece that are a voice of the earlier one: both say the same words at the same time where the
 * pieces overlap, and hardly any with another. Labels are a recognizer's own in each piece, so that `A` and `A` are
 * otherwise two people.
 */
const sameVoices = (earlier: VoicedPiece, later: VoicedPiece): ReadonlyMap<string, string> => {
  const inOverlap = ({ words }: VoicedPiece) =>
    words.filter((word) => word.voice !== undefined && word.end > later.start && word.start < earlier.end)
  const [before, after] = [inOverlap(earlier), inOverlap(later)]
  const counts = new Map<string, { readonly from: string; readonly to: string; count: number }>()
  const taken = new Set<number>()
  for (const word of after) {
    const key = keyOf(word.text)
    const at = before.findIndex(
      (other, index) =>
        !taken.has(index) && keyOf(other.text) === key && Math.abs(other.start - word.start) <= mostDrift
    )
    const other = before[at]
    if (key === "" || other === undefined) continue
    taken.add(at)
    const pair = JSON.stringify([labelOf(other), labelOf(word)])
    const counted = counts.get(pair)
    if (counted === undefined) counts.set(pair, { from: labelOf(other), to: labelOf(word), count: 1 })
    else counted.count += 1
  }
  const pairs = [...counts.values()]
  const sharedBy = (side: "from" | "to", label: string) =>
    pairs.reduce((sum, pair) => sum + (pair[side] === label ? pair.count : 0), 0)
  return new Map(
    pairs
      .filter(
        ({ from, to, count }) =>
          count >= fewestShared &&
          count >= leastShared * sharedBy("from", from) &&
          count >= leastShared * sharedBy("to", to)
      )
      .map(({ from, to }) => [to, from])
  )
}

/**
 * The same pieces with voices that hold for the whole recording: `Speaker 1`, `Speaker 2`, in the order in which they
 * first speak. Somebody who is silent where two pieces overlap is counted as two, because nothing shows that it is one.
 */
export const withVoices = (pieces: ReadonlyArray<VoicedPiece>): ReadonlyArray<VoicedPiece> => {
  const named: Array<VoicedPiece> = []
  let voices = 0
  for (const piece of pieces) {
    const last = named.at(-1)
    const own = new Map(last === undefined ? [] : sameVoices(last, piece))
    const nameOf = (label: string): string => {
      const known = own.get(label) ?? `Speaker ${++voices}`
      own.set(label, known)
      return known
    }
    named.push({
      ...piece,
      words: piece.words.map((word) => (word.voice === undefined ? word : { ...word, voice: nameOf(word.voice) }))
    })
  }
  return named
}
