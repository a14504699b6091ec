import { act, one } from "./dom.ts"

/** What this browser remembers, so that the next meeting begins as the reader left this one. */
const key = "small-player"

/** A browser may refuse to remember anything. */
const remembered = {
  get: (): boolean => {
    try {
      return localStorage.getItem(key) !== null
    } catch {
      return false
    }
  },
  set: (small: boolean): void => {
    try {
      if (small) localStorage.setItem(key, "")
      else localStorage.removeItem(key)
    } catch {
      // It is small on this page only.
    }
  }
}

/** Lets readers make the recording small where it stays above the words. */
export const smallPlayer = (): void => {
  const box = one(".player")
  const button = act("small")
  if (box === undefined || button === undefined) return
  const show = (small: boolean): void => {
    box.classList.toggle("small", small)
    button.setAttribute("aria-pressed", String(small))
  }
  show(remembered.get())
  button.hidden = false
  button.addEventListener("click", () => {
    const small = !box.classList.contains("small")
    show(small)
    remembered.set(small)
  })
}
