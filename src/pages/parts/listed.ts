import { type El, el, heading, type Kid } from "../../page-tree/tree.ts"

interface Listed {
  /** The heading's id, by which the section is named. */
  readonly id: string
  readonly title: string
  /** A further class. */
  readonly kind?: string
}

/** A list of a page under its own heading. */
export const listed = ({ id, title, kind }: Listed, ...kids: ReadonlyArray<Kid>): El =>
  el(
    "section",
    { class: kind === undefined ? "list" : `list ${kind}`, "aria-labelledby": id },
    heading(el("span", { id }, title)),
    kids
  )
