import { act, one, toggle } from "./dom.ts"
import type { Player } from "./player.ts"
import type { TranscriptPart } from "./transcript.ts"

/** Whether a key press is meant for something else. */
const elsewhere = "input, textarea, select, button, video, summary, [contenteditable]"

/** Keyboard shortcuts for existing controls; the page lists them behind a button. */
export const keys = (player: Player, transcript: TranscriptPart): void => {
  act("keys")?.addEventListener("click", () => toggle(one("#key-list")))
  const { video } = player
  const deeds: Readonly<Record<string, () => void>> = {
    "[": () => transcript.step(-1),
    "]": () => transcript.step(1),
    "/": transcript.focusSearch,
    ...(video === undefined
      ? {}
      : {
          k: () => (video.paused ? void video.play().catch(() => undefined) : video.pause()),
          j: () => player.go(Math.max(0, player.time() - 5), false),
          l: () => player.go(player.time() + 5, false)
        })
  }
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.target instanceof HTMLElement && event.target.closest(elsewhere) !== null) return
    const deed = deeds[event.key]
    if (deed === undefined) return
    event.preventDefault()
    deed()
  })
}
