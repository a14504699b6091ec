import type { Placed } from "./words.ts"

/** A span of the recording, in seconds. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Selected words of the transcript. */
export interface Chosen extends Span {
  /** The words in quotation marks, each speaker's after the name. */
  readonly said: string
  /** The first of them, as a link looks for them. */
  readonly q: string
  readonly range: Range
  /** The turn that the selection ends in. */
  readonly last: HTMLElement
}

interface Read {
  readonly turns: ReadonlyArray<HTMLElement>
  readonly nodes: ReadonlyArray<Text | undefined>
  readonly starts: ArrayLike<number>
  readonly wordsAt: (turn: number) => ReadonlyArray<Placed> | undefined
  /** The length of the recording, in seconds. */
  readonly length: () => number
}

/** How many words a link looks for. */
const wordsInLink = 8

const isLetter = (sign: string | undefined): boolean => sign !== undefined && /\S/.test(sign)

/** Half a word is meant as a whole one. */
const whole = (text: string, from: number, to: number): readonly [from: number, to: number] => {
  let [first, last] = [from, to]
  while (first < last && !isLetter(text[first])) first += 1
  while (last > first && !isLetter(text[last - 1])) last -= 1
  if (first === last) return [from, from]
  while (isLetter(text[first - 1])) first -= 1
  while (isLetter(text[last])) last += 1
  return [first, last]
}

/** Signs that a search would read as more than words. */
const plain = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}\s'’.,$%-]+/gu, " ")
    .split(/\s+/)
    .map((word) => word.replace(/^[-.,]+|[-.,]+$/g, ""))
    .filter((word) => word !== "")
    .slice(0, wordsInLink)
    .join(" ")

/** What is selected in the transcript; undefined if it is nothing, or not only there. */
export const chosenIn = ({ turns, nodes, starts, wordsAt, length }: Read): Chosen | undefined => {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const selected = selection.getRangeAt(0)
  const indexOf = (node: Node): number => turns.findIndex((turn) => turn.contains(node))
  let [first, last] = [indexOf(selected.startContainer), indexOf(selected.endContainer)]
  if (first < 0 || last < 0) return undefined
  let from = selected.startContainer === nodes[first] ? selected.startOffset : 0
  let to =
    selected.endContainer === nodes[last]
      ? selected.endOffset
      : selected.endContainer === turns[last] && selected.endOffset > 0
        ? (nodes[last]?.length ?? 0)
        : 0
  // A paragraph that is selected whole ends before the next one's first word.
  if (to === 0 && last > first) {
    last -= 1
    to = nodes[last]?.length ?? 0
  }
  if (from === nodes[first]?.length && first < last) {
    first += 1
    from = 0
  }
  if (first === last) [from, to] = whole(nodes[first]?.data ?? "", from, to)
  else {
    from = whole(nodes[first]?.data ?? "", from, nodes[first]?.length ?? 0)[0]
    to = whole(nodes[last]?.data ?? "", 0, to)[1]
  }
  const [begin, finish] = [nodes[first], nodes[last]]
  if (begin === undefined || finish === undefined || (first === last && from >= to)) return undefined

  const speakerOf = (turn: number): string => {
    let at = turn
    while (at > 0 && turns[at]?.dataset.goesOn !== undefined) at -= 1
    return turns[at]?.querySelector("strong")?.textContent ?? ""
  }
  const said: Array<{ readonly speaker: string; text: string }> = []
  for (let turn = first; turn <= last; turn += 1) {
    const text = (nodes[turn]?.data ?? "").slice(turn === first ? from : 0, turn === last ? to : undefined).trim()
    const [speaker, before] = [speakerOf(turn), said.at(-1)]
    if (text === "") continue
    if (before?.speaker === speaker) before.text += ` ${text}`
    else said.push({ speaker, text })
  }

  const range = document.createRange()
  range.setStart(begin, from)
  range.setEnd(finish, to)
  const start = wordsAt(first)?.find((word) => word.to > from)?.start ?? starts[first] ?? 0
  const end = wordsAt(last)?.findLast((word) => word.from < to)?.end ?? starts[last + 1] ?? length()
  const turn = turns[last]
  if (turn === undefined || said.length === 0) return undefined
  return {
    start,
    end: Math.max(end, start),
    said: said.map(({ speaker, text }) => `${speaker === "" ? "" : `${speaker}: `}“${text}”`).join(" "),
    q: plain(said[0]?.text ?? ""),
    range,
    last: turn
  }
}
