import { all, mark, one } from "./dom.ts"
import { folded } from "./words.ts"

interface Hit {
  readonly turn: number
  readonly range: Range
}

/** Finds words in the texts of turns: highlights each match, counts them, and steps through them. */
export const searchIn = (
  texts: ReadonlyArray<string>,
  rangeIn: (turn: number, from: number, to: number) => Range | undefined,
  show: (turn: number) => void
) => {
  const box = one("[data-search]")
  const input = box?.querySelector("input") ?? undefined
  const count = one("[data-count]", box)
  let lower: ReadonlyArray<string> | undefined
  let hits: ReadonlyArray<Hit> = []
  let here = -1

  const tell = (text: string): void => {
    if (count !== undefined) count.textContent = text
  }
  const find = (): void => {
    const wanted = folded(input?.value.trim() ?? "")
    const found: Array<Hit> = []
    if (wanted.length > 1) {
      lower ??= texts.map(folded)
      for (const [turn, text] of lower.entries()) {
        for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
          const range = rangeIn(turn, at, at + wanted.length)
          if (range !== undefined) found.push({ turn, range })
        }
      }
    }
    hits = found
    here = -1
    mark("here", [])
    mark(
      "found",
      found.map(({ range }) => range)
    )
    tell(wanted.length < 2 ? "" : found.length === 0 ? "Not said" : `${found.length} found`)
  }
  const step = (by: number): void => {
    if (hits.length === 0) return
    here = here < 0 ? (by > 0 ? 0 : hits.length - 1) : (here + by + hits.length) % hits.length
    const hit = hits[here]
    if (hit === undefined) return
    mark("here", [hit.range])
    show(hit.turn)
    tell(`${here + 1} of ${hits.length}`)
  }
  if (box !== undefined) box.hidden = false
  input?.addEventListener("input", find)
  input?.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return
    event.preventDefault()
    step(event.shiftKey ? -1 : 1)
  })
  for (const button of all("[data-step]", box)) {
    button.addEventListener("click", () => step(Number(button.dataset.step)))
  }
  return { focus: () => input?.focus() }
}
