import type { Transcript } from "../../schema/transcript.ts"
import { type Placed, piecesOf, placed } from "./words.ts"

/** The words of each turn, fetched from the API once, when they are first needed. */
export const wordsOf = (address: string, turns: ReadonlyArray<HTMLElement>, texts: ReadonlyArray<string>) => {
  let words: ReadonlyArray<ReadonlyArray<Placed>> = []
  let asked: Promise<void> | undefined
  const fetched = async (): Promise<void> => {
    const answer = await fetch(address, { headers: { accept: "application/json" } })
    if (!answer.ok) throw new Error(`The transcript was answered with ${answer.status}`)
    const { segments }: Transcript = await answer.json()
    let next = 0
    let split: Parameters<typeof piecesOf>[2] = []
    words = turns.map((turn, index) => {
      const first = next
      next += Number(turn.dataset.n)
      const { pieces, left } = piecesOf(segments.slice(first, next), turn.dataset.to, split)
      split = left
      return placed(texts[index] ?? "", pieces)
    })
  }
  return {
    /** Undefined until they have arrived. */
    at: (turn: number): ReadonlyArray<Placed> | undefined => words[turn],
    /** Without word times, a turn's own time is used, so a failure needs no message. The next call tries again. */
    ask: (): Promise<void> =>
      (asked ??= fetched().catch(() => {
        asked = undefined
      }))
  }
}
