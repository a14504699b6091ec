/** The first element that matches, if any. */
export const one = <E extends HTMLElement>(selector: string, within: ParentNode = document): E | undefined =>
  within.querySelector<E>(selector) ?? undefined

export const all = <E extends HTMLElement>(selector: string, within: ParentNode = document): ReadonlyArray<E> => [
  ...within.querySelectorAll<E>(selector)
]

/** The control for an action: `data-act`. */
export const act = <E extends HTMLElement = HTMLButtonElement>(name: string): E | undefined =>
  one<E>(`[data-act="${name}"]`)

/** Announces what happened, on the screen and to screen readers. */
export const say = (text: string): void => {
  const line = one("[data-say]")
  if (line !== undefined) line.textContent = text
}

/** Copies the text, and returns whether the clipboard allowed it; if not, it says so. */
export const copy = async (text: string, done: string, tell = say): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    tell(done)
    return true
  } catch {
    tell("The browser did not allow copying.")
    return false
  }
}

/** Toggles what a button opens, closing what another one opened, and updates `aria-expanded`. */
export const toggle = (panel: HTMLElement | undefined, open = panel?.hidden === true): void => {
  for (const button of all("[aria-controls]")) {
    const its = document.getElementById(button.getAttribute("aria-controls") ?? "")
    if (its === null || panel === undefined || (its !== panel && !open)) continue
    its.hidden = its !== panel || !open
    button.setAttribute("aria-expanded", String(!its.hidden))
  }
}

/**
 * Highlights ranges of text under a name that the style sheet knows (CSS Custom Highlight API), without touching
 * elements.
 */
export const mark = (name: string, ranges: ReadonlyArray<Range>): void => {
  if (!("highlights" in CSS)) return
  if (ranges.length === 0) CSS.highlights.delete(name)
  else CSS.highlights.set(name, new Highlight(...ranges))
}

export const isCalm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches

export const isPlain = (event: MouseEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey && event.button === 0
