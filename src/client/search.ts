import { all, mark, one } from "./dom.ts"
import { folded } from "./words.ts"

/** Where words are in the text of a turn, in UTF-16 units. */
export interface Hit {
  readonly turn: number
  readonly from: number
  readonly to: number
}

interface Searched {
  readonly texts: ReadonlyArray<string>
  /** When each turn begins, in seconds. */
  readonly starts: ArrayLike<number>
  readonly rangeIn: (turn: number, from: number, to: number) => Range | undefined
  /** Where the words of the address are said, as the server marked them. */
  readonly said: ReadonlyArray<Hit>
  /** The turn from which the first step goes on. */
  readonly from: number
  readonly show: (turn: number) => void
}

/** Every place of one text in the turns. */
const placesOf = (texts: ReadonlyArray<string>, wanted: string): ReadonlyArray<Hit> =>
  texts.flatMap((text, turn) => {
    const hits: Array<Hit> = []
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      hits.push({ turn, from: at, to: at + wanted.length })
    }
    return hits
  })

/** What is typed: letter for letter or, if that is nowhere, its words in the turns that have all of them. */
const hitsFor = (texts: ReadonlyArray<string>, typed: string): ReadonlyArray<Hit> => {
  const whole = placesOf(texts, typed)
  const words = typed.match(/[\p{L}\p{M}\p{N}']{2,}/gu) ?? []
  if (whole.length > 0 || words.length < 2) return whole
  const together = texts.map((text) => (words.every((word) => text.includes(word)) ? text : ""))
  return words.flatMap((word) => placesOf(together, word)).toSorted((a, b) => a.turn - b.turn || a.from - b.from)
}

/** Where in the hours the hits are: one rectangle for each turn that has some. */
const ruler = () => {
  const box = one("[data-ruler]")
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg")
  const attributes = { viewBox: "0 0 1000 6", preserveAspectRatio: "none", width: "100%", height: "6" }
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value)
  box?.append(svg)
  return (seconds: ReadonlyArray<number>, length: number, here: number | undefined): void => {
    if (box === undefined) return
    svg.replaceChildren(
      ...[...new Set(seconds), ...(here === undefined ? [] : [here])].map((second, at, { length: count }) => {
        const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect")
        const isHere = here !== undefined && at === count - 1
        const size = { x: Math.min(994, (1000 * second) / length), y: 0, width: isHere ? 8 : 4, height: 6 }
        for (const [name, value] of Object.entries(size)) rect.setAttribute(name, String(value))
        if (isHere) rect.setAttribute("class", "here")
        return rect
      })
    )
  }
}

/** Finds words in the texts of turns: highlights each match, counts them, and steps through them. */
export const searchIn = ({ texts, starts, rangeIn, said, from, show }: Searched) => {
  const box = one("[data-search]")
  const input = box?.querySelector("input") ?? undefined
  const count = one("[data-count]", box)
  const draw = ruler()
  let lower: ReadonlyArray<string> | undefined
  let hits: ReadonlyArray<Hit> = []
  let here = -1

  const rangeOf = ({ turn, from, to }: Hit): ReadonlyArray<Range> => {
    const range = rangeIn(turn, from, to)
    return range === undefined ? [] : [range]
  }
  const tell = (text: string): void => {
    if (count !== undefined) count.textContent = text
  }
  const mine = (): void => {
    const hit = hits[here]
    mark("here", hit === undefined ? [] : rangeOf(hit))
    draw(
      hits.map(({ turn }) => starts[turn] ?? 0),
      Number(box?.dataset.length),
      hit === undefined ? undefined : starts[hit.turn]
    )
    if (hit !== undefined) tell(`${here + 1} of ${hits.length}`)
  }
  const found = (all: ReadonlyArray<Hit>, at: number): void => {
    hits = all
    here = at
    mark("found", all.flatMap(rangeOf))
    tell(all.length === 0 ? "Not said" : `${all.length} found`)
    mine()
  }
  const find = (): void => {
    const wanted = folded(input?.value.trim() ?? "")
    lower ??= texts.map(folded)
    found(wanted.length < 2 ? [] : hitsFor(lower, wanted), -1)
    if (wanted.length < 2) tell("")
  }
  const step = (by: number): void => {
    if (hits.length === 0) return
    here = here < 0 ? (by > 0 ? 0 : hits.length - 1) : (here + by + hits.length) % hits.length
    mine()
    show(hits[here]?.turn ?? 0)
  }
  if (box !== undefined) box.hidden = false
  // The words of the address: the page is at one of them already, and the next step goes on from there.
  if ((input?.value ?? "") !== "") {
    if (said.length > 0) {
      found(
        said,
        said.findIndex(({ turn }) => turn >= from)
      )
    } else find()
  }
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
