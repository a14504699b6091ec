import type { Page } from "playwright-core"

/** Selects words of the transcript, as whoever drags over them. */
export const select = (page: Page, words: string) =>
  page.evaluate(`(() => {
    const turn = [...document.querySelectorAll(".turn > span")].find((span) => span.textContent.includes(${JSON.stringify(words)}))
    turn.scrollIntoView({ block: "center", behavior: "instant" })
    const at = turn.textContent.indexOf(${JSON.stringify(words)})
    getSelection().setBaseAndExtent(turn.firstChild, at, turn.firstChild, at + ${words.length})
  })()`)

/** What a button put on the clipboard. */
export const copied = (page: Page) => page.evaluate<string>("navigator.clipboard.readText()")
