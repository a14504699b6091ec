import { all, isCalm, isPlain, mark, one } from "./dom.ts"
import type { Player } from "./player.ts"
import { type Hit, searchIn } from "./search.ts"
import { type Chosen, chosenIn } from "./selection.ts"
import { wordsOf } from "./word-times.ts"
import { lastBefore, type Placed } from "./words.ts"

export interface TranscriptPart {
  /** Goes to the next turn (1) or the previous one (-1). */
  readonly step: (by: number) => void
  readonly focusSearch: () => void
  /**
   * Calls back when words are selected, and again when their exact times are known; with nothing when they no longer
   * are.
   */
  readonly onChosen: (listener: (chosen: Chosen | undefined) => void) => void
  /** Waits for the times of the words; a selection is told again with them. */
  readonly timed: () => Promise<void>
}

const nothing: TranscriptPart = { step: () => {}, focusSearch: () => {}, onChosen: () => {}, timed: async () => {} }

/** The text of a turn: a single node that nothing changes. */
const textOf = (turn: HTMLElement): Text | undefined => {
  const text = turn.lastElementChild?.firstChild
  return text instanceof Text ? text : undefined
}

/** Takes the server's marks out of the turns, which leaves each a single text, and returns where they were. */
const unmarked = (turns: ReadonlyArray<HTMLElement>): ReadonlyArray<Hit> =>
  turns.flatMap((element, turn) => {
    const text = element.lastElementChild
    if (text?.querySelector("mark") == null) return []
    const hits: Array<Hit> = []
    let from = 0
    for (const node of text.childNodes) {
      const to = from + (node.textContent?.length ?? 0)
      if (node instanceof HTMLElement) hits.push({ turn, from, to })
      from = to
    }
    text.textContent = text.textContent ?? ""
    return hits
  })

const inSight = (element: HTMLElement): boolean => {
  const { top, bottom } = element.getBoundingClientRect()
  return top < innerHeight && bottom > 0
}

/** Scrolls to a turn: into the middle, or to the beginning of one that is too long for that on a small screen. */
const bring = (turn: HTMLElement | undefined, behavior: ScrollBehavior = "instant"): void =>
  turn?.scrollIntoView({ block: turn.offsetHeight > innerHeight / 3 ? "start" : "center", behavior })

export const transcriptOf = (player: Player): TranscriptPart => {
  const box = one("[data-turns]")
  if (box === undefined) return nothing
  const { video } = player
  const turns = all(".turn", box)
  const starts = Float64Array.from(turns, (turn) => Number(turn.dataset.s))
  const said = unmarked(turns)
  const nodes = turns.map(textOf)
  const texts = nodes.map((node) => node?.data ?? "")
  const words = wordsOf(box.dataset.words ?? "", turns, texts)
  const follow = one<HTMLButtonElement>("[data-follow]")
  let following = true
  let active = turns.findIndex((turn) => turn.id === "said")

  const rangeIn = (turn: number, from: number, to: number): Range | undefined => {
    const node = nodes[turn]
    if (node === undefined || to > node.length) return undefined
    const range = document.createRange()
    range.setStart(node, from)
    range.setEnd(node, to)
    return range
  }
  const setFollowing = (on: boolean): void => {
    following = on
    follow?.setAttribute("aria-pressed", String(on))
  }

  /** Words rarely overlap, but long silences are common: a word ends shortly after its last sound. */
  const wordAt = (turn: number, time: number): Placed | undefined => {
    const word = words.at(turn)?.findLast(({ start }) => start <= time)
    return word === undefined || time > word.end + 0.6 ? undefined : word
  }
  let shown: Placed | undefined
  player.onTime((time) => {
    // The turn's own time is rounded down to a tenth.
    const turn = lastBefore(starts, time)
    if (turn !== active) {
      turns[active]?.removeAttribute("aria-current")
      turns[turn]?.setAttribute("aria-current", "true")
      active = turn
      if (following && video?.paused === false && inSight(box)) {
        bring(turns[turn], isCalm() ? "instant" : "smooth")
      }
    }
    const word = video === undefined ? undefined : wordAt(turn, time)
    if (word === shown) return
    shown = word
    const range = word === undefined ? undefined : rangeIn(turn, word.from, word.to)
    mark("now", range === undefined ? [] : [range])
  })
  video?.addEventListener("play", () => void words.ask())
  follow?.addEventListener("click", () => setFollowing(!following))
  for (const name of ["wheel", "touchmove"]) {
    box.addEventListener(name, () => video?.paused === false && setFollowing(false), { passive: true })
  }

  // Clicking a word plays it. Dragging over words selects them and plays nothing.
  const choose = async (event: MouseEvent): Promise<void> => {
    if (!(event.target instanceof HTMLElement) || !isPlain(event) || getSelection()?.isCollapsed === false) return
    const turn = event.target.closest<HTMLElement>(".turn")
    if (turn === null || event.target.closest("a, strong") !== null) return
    const caret = document.caretPositionFromPoint?.(event.clientX, event.clientY)
    await words.ask()
    const index = turns.indexOf(turn)
    const offset = caret?.offsetNode === nodes[index] ? caret?.offset : undefined
    const word = offset === undefined ? undefined : words.at(index)?.findLast(({ from }) => from <= offset)
    player.go(word?.start ?? starts[index] ?? 0, true)
  }
  box.addEventListener("click", (event) => void choose(event))

  /** Addresses hold whole seconds, rounded down, so the first word that begins within that second is meant. */
  const meant = (second: number): number => Math.max(second, starts[lastBefore(starts, second + 0.999)] ?? 0)
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || !isPlain(event)) return
    const link = event.target.closest<HTMLAnchorElement>('a.moment[href^="?t="]')
    if (link === null) return
    event.preventDefault()
    player.go(meant(Number(new URL(link.href).searchParams.get("t"))), true)
    if (video === undefined) bring(turns[active])
  })

  const listeners: Array<(chosen: Chosen | undefined) => void> = []
  const tell = (): Chosen | undefined => {
    const length = () => video?.duration || Number(one("#stage")?.dataset.duration ?? 0)
    const chosen = chosenIn({ turns, nodes, starts, wordsAt: words.at, length })
    for (const listener of listeners) listener(chosen)
    return chosen
  }
  const timed = async (): Promise<void> => {
    await words.ask()
    tell()
  }
  document.addEventListener("selectionchange", () => {
    if (tell() !== undefined) void timed()
  })

  const search = searchIn({
    texts,
    starts,
    rangeIn,
    said,
    from: Math.max(active, 0),
    show: (turn) => {
      setFollowing(false)
      bring(turns[turn])
    }
  })
  arrive()
  return {
    step: (by) => player.go(starts[Math.min(Math.max(active + by, 0), starts.length - 1)] ?? 0, false),
    focusSearch: search.focus,
    onChosen: (listener) => void listeners.push(listener),
    timed
  }

  /** Opens the page at `?t=`. The words come first, because the recording may be slow, or absent. */
  function arrive(): void {
    const asked = new URLSearchParams(location.search).get("t")
    if (asked === null || !(Number(asked) >= 0)) return
    const time = meant(Number(asked))
    const turn = turns[Math.max(lastBefore(starts, time), 0)]
    const there = (): void => bring(turn)
    there()
    // Content far off screen gets its real height only when it is near.
    requestAnimationFrame(() => requestAnimationFrame(there))
    player.open(time)
  }
}
