import { all } from "./dom.ts"
import type { Player } from "./player.ts"
import type { TranscriptPart } from "./transcript.ts"

/** The most characters of a selection that an address carries. */
const longestWords = 500

/** Opens the form for a mistake at the words that were selected last, or else at the second that plays. */
export const mistakes = (player: Player, transcript: TranscriptPart): void => {
  let chosen: { readonly start: number; readonly words: string } | undefined
  transcript.onChosen((span) => {
    if (span === undefined) return
    chosen = { start: span.start, words: (getSelection()?.toString() ?? "").trim().slice(0, longestWords) }
  })
  // What plays since then is what is meant.
  player.video?.addEventListener("play", () => {
    chosen = undefined
  })
  for (const link of all<HTMLAnchorElement>("a[data-mistake]")) {
    link.addEventListener("click", () => {
      const start = chosen?.start ?? player.time()
      const address = new URL(link.href)
      if (start > 0) address.searchParams.set("t", String(Math.floor(start)))
      if (chosen !== undefined) address.searchParams.set("words", chosen.words)
      link.href = address.href
    })
  }
}
