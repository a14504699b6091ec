import { act, all, copy, one, toggle } from "./dom.ts"
import { addressAt } from "./player.ts"
import type { Chosen, Span } from "./selection.ts"
import { linkToShare } from "./share.ts"
import type { TranscriptPart } from "./transcript.ts"
import { clock } from "./words.ts"

/** Between the words and the bar, in pixels; the handles of a touch screen hang below the words. */
const gap = () => (matchMedia("(pointer: coarse)").matches ? 36 : 10)

/** One bar for selected words: copy, cite, clip, share. It is shown beside them and opens nothing by itself. */
export const selectionBar = (transcript: TranscriptPart, clip: ((span: Span) => void) | undefined): void => {
  const bar = one("[data-picked]")
  const box = one("[data-turns]")
  const styles = one("#pick-styles", bar)
  const status = one("[data-pick-say]", bar)
  if (bar === undefined || box === undefined) return
  let chosen: Chosen | undefined
  /** A touch in the bar may take the selection away; the bar stays until another one elsewhere. */
  let isHeld = false
  let isPressed = false

  const tell = (text: string): void => {
    if (status !== undefined) status.textContent = text
  }
  const link = ({ start, q }: Chosen): string => addressAt(start, q)
  const place = (): void => {
    if (chosen === undefined) return
    const rects = [...chosen.range.getClientRects()]
    const [first, last, around] = [rects[0], rects.at(-1), box.getBoundingClientRect()]
    if (first === undefined || last === undefined) return
    const bars = [one("[data-search]"), one(".player")].map((over) => over?.getBoundingClientRect())
    const ceiling = Math.max(0, ...bars.map((over) => (over === undefined || over.top > 1 ? 0 : over.bottom)))
    const { height, width } = bar.getBoundingClientRect()
    const [above, below] = [first.top - gap() - height, last.bottom + gap()]
    const isBelow = (last.bottom > ceiling && below + height < innerHeight) || above < ceiling || above > innerHeight
    bar.style.top = `${(isBelow ? below : above) - around.top}px`
    const left = (isBelow ? last.left : first.left) - around.left
    bar.style.left = `${Math.max(0, Math.min(left, around.width - width))}px`
  }
  const hide = (): void => {
    const hadFocus = bar.contains(document.activeElement)
    bar.hidden = true
    if (styles !== undefined) styles.hidden = true
    act("pick-cite")?.setAttribute("aria-expanded", "false")
    if (hadFocus) one("a.moment", chosen?.last)?.focus({ preventScroll: true })
    chosen = undefined
  }
  const show = (next: Chosen): void => {
    const isOther = next.said !== chosen?.said
    chosen = next
    if (isOther) tell("")
    // After the words, from where the Tab key goes on.
    if (bar.previousElementSibling !== next.last) next.last.after(bar)
    bar.hidden = false
    place()
  }
  let latest: Chosen | undefined
  const settle = (): void => {
    if (isPressed) return
    if (latest !== undefined) show(latest)
    else if (!isHeld && !bar.contains(document.activeElement)) hide()
  }
  let timer = 0
  transcript.onChosen((next) => {
    latest = next
    clearTimeout(timer)
    timer = setTimeout(settle, 200)
  })
  document.addEventListener("pointerdown", (event) => {
    isHeld = event.target instanceof Node && bar.contains(event.target)
    isPressed = event.pointerType === "mouse" && !isHeld
  })
  for (const name of ["pointerup", "pointercancel"]) {
    document.addEventListener(name, () => {
      isPressed = false
      clearTimeout(timer)
      timer = setTimeout(settle, 50)
    })
  }
  addEventListener("resize", place)
  // A press on a button would take the selection away.
  bar.addEventListener("mousedown", (event) => event.preventDefault())

  /** One stop of the Tab key; arrows go on from there (ARIA Authoring Practices, "Toolbar"). */
  const stops = () => all("button", bar).filter((button) => button.closest("[hidden]") === null)
  const stopAt = (button: HTMLElement | undefined): void => {
    for (const one of all("button", bar)) one.tabIndex = one === button ? 0 : -1
  }
  stopAt(all("button", bar)[0])
  bar.addEventListener("focusin", (event) => {
    if (event.target instanceof HTMLButtonElement) stopAt(event.target)
  })
  bar.addEventListener("keydown", (event) => {
    const buttons = stops()
    const at = document.activeElement instanceof HTMLElement ? buttons.indexOf(document.activeElement) : -1
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    buttons.at(to % buttons.length)?.focus()
  })
  document.addEventListener("keydown", (event) => {
    if (bar.hidden) return
    if (event.key === "Escape") {
      event.preventDefault()
      latest = undefined
      hide()
    }
    // Words have no focus: it is on what holds the transcript, and the Tab key would go on from its beginning.
    if (event.key === "Tab" && !event.shiftKey && document.activeElement?.contains(box) === true) {
      event.preventDefault()
      stops()
        .find(({ tabIndex }) => tabIndex === 0)
        ?.focus()
    }
  })

  for (const button of all("[data-fill]", bar)) {
    button.addEventListener("click", () => {
      if (chosen === undefined) return
      const filled = { said: chosen.said, clock: clock(chosen.start), url: link(chosen) }
      const text = (button.dataset.fill ?? "").replace(
        /\{(said|clock|url)\}/g,
        (_, name: keyof typeof filled) => filled[name]
      )
      void copy(text, button.dataset.done ?? "", tell)
    })
  }
  act("pick-cite")?.addEventListener("click", () => {
    toggle(styles)
    place()
  })
  act("pick-clip")?.addEventListener("click", async () => {
    // Without them, the clip would begin and end with the paragraphs.
    await transcript.timed()
    const span = latest ?? chosen
    if (span === undefined) return
    hide()
    clip?.(span)
  })
  act("pick-share")?.addEventListener("click", async () => {
    if (chosen === undefined) return
    const { start, q, said } = chosen
    const shared = await linkToShare({ t: start, q })
    if (!shared.ok) tell(shared.why)
    else if (!("share" in navigator)) {
      if (await copy(shared.url, "Copied a link to share.", tell)) shared.count("link")
    } else {
      try {
        await navigator.share({ title: document.title, text: said, url: shared.url })
        shared.count("native")
      } catch {
        // Closing the device's share sheet is a change of mind, not an error.
      }
    }
  })
}
