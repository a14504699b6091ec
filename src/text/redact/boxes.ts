import type { Address } from "./address.ts"
import { pastNames } from "./complexes.ts"
import { houseAt } from "./house-numbers.ts"
import { type Tokens, wordAt } from "./tokens.ts"
import { pastLetter } from "./units.ts"

const boxes = [
  ["po", "box"],
  ["p", "o", "box"],
  ["post", "office", "box"],
  ["post", "office", "drawer"],
  ["po", "bx"],
  ["po", "drawer"],
  ["p", "o", "drawer"],
  ["pmb"],
  ["p", "m", "b"]
]
const ruralRoutes = [
  ["rural", "route"],
  ["rural", "rt"],
  ["rr"],
  ["rfd"],
  ["star", "route"],
  ["hc"],
  ["highway", "contract"]
]
const routes = [["route"], ["rt"]]

/** Where a phrase from this list that begins at this token ends. */
export const phraseAt = (
  tokens: Tokens,
  at: number,
  phrases: ReadonlyArray<ReadonlyArray<string>>
): number | undefined => {
  const found = phrases.find((words) => words.every((word, next) => tokens[at + next]?.word === word))
  return found === undefined ? undefined : at + found.length
}

/** `P.O. Box 12`, `Rural Route 3, Box 40`, `route 2 box 114`; `Box 12` alone may be any box. */
export const boxAt = (tokens: Tokens, at: number): Address | undefined => {
  const numbered = (from: number): number | undefined => {
    const start = /^(?:is|its|number)$/u.test(wordAt(tokens, from)) ? from + 1 : from
    const number = houseAt(tokens, wordAt(tokens, start) === "number" ? start + 1 : start)
    return number === undefined ? undefined : pastLetter(tokens, number.end)
  }
  const box = phraseAt(tokens, at, boxes)
  if (box !== undefined) {
    // `PO Drawer K`
    const end = numbered(box) ?? (/^[a-z]$/u.test(wordAt(tokens, box)) ? box + 1 : undefined)
    // `PO Box 12, Jane Doe.`
    const isFirst = at === 0 || tokens[at - 1]?.breaks === "sentence"
    return end === undefined ? undefined : { end: isFirst ? end : pastNames(tokens, end), form: "box" }
  }
  const rural = phraseAt(tokens, at, ruralRoutes)
  const route = rural ?? phraseAt(tokens, at, routes)
  if (route !== undefined) {
    const number = numbered(route)
    const behind = /^(?:box|bx)$/u.test(wordAt(tokens, number ?? route)) ? numbered((number ?? route) + 1) : undefined
    const end = behind ?? (rural === undefined ? undefined : number)
    return end === undefined ? undefined : { end, form: "box" }
  }
  const slot = wordAt(tokens, at) === "box" ? numbered(at + 1) : undefined
  if (slot !== undefined && phraseAt(tokens, slot, routes) !== undefined) {
    const end = houseAt(tokens, phraseAt(tokens, slot, routes) ?? slot)?.end
    if (end !== undefined) return { end, form: "slot" }
  }
  return slot === undefined ? undefined : { end: pastNames(tokens, slot), form: "slot" }
}
