/** The one that a page has, if it has it. */
export const one = <E extends HTMLElement>(selector: string, within: ParentNode = document): E | undefined =>
  within.querySelector<E>(selector) ?? undefined

export const all = <E extends HTMLElement>(selector: string, within: ParentNode = document): ReadonlyArray<E> => [
  ...within.querySelectorAll<E>(selector)
]

/** The control that does something: `data-act`. */
export const act = <E extends HTMLElement = HTMLButtonElement>(name: string): E | undefined =>
  one<E>(`[data-act="${name}"]`)

/** Says what has happened, to those who look and to those who listen. */
export const say = (text: string): void => {
  const line = one("[data-say]")
  if (line !== undefined) line.textContent = text
}

/** Whether the text could be put on the clipboard; where not, it says so. */
export const copy = async (text: string, done: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    say(done)
    return true
  } catch {
    say("The browser did not allow copying.")
    return false
  }
}

/** Shows what a button opens, in place of what another one had opened, or hides it again; the buttons say so. */
export const toggle = (panel: HTMLElement | undefined, open = panel?.hidden === true): void => {
  for (const button of all("[aria-controls]")) {
    const its = document.getElementById(button.getAttribute("aria-controls") ?? "")
    if (its === null || panel === undefined || (its !== panel && !open)) continue
    its.hidden = its !== panel || !open
    button.setAttribute("aria-expanded", String(!its.hidden))
  }
}

/** Marks ranges of text by a name that the style knows (CSS Custom Highlight API), without touching an element. */
export const mark = (name: string, ranges: ReadonlyArray<Range>): void => {
  if (!("highlights" in CSS)) return
  if (ranges.length === 0) CSS.highlights.delete(name)
  else CSS.highlights.set(name, new Highlight(...ranges))
}

export const isCalm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches

export const isPlain = (event: MouseEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey && event.button === 0
