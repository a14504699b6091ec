import type { Viewer } from "../../../schema/viewer.ts"
import { el, type Kid, web } from "../../page-tree/tree.ts"
import { signInAt } from "./paths.ts"

interface Alert {
  /** The query of browse whose new results are mailed: `matter=springfield-ord-2026-14`. */
  readonly query: string
  /** What the saved search is called. */
  readonly name: string
  /** The page that the button is on. */
  readonly path: string
  readonly viewer: Viewer
  /** What a mail tells: `Each new meeting that takes it up`. */
  readonly says: string
}

/** The button that follows a person or a matter: it saves the search for their meetings, whose finds are mailed. */
export const alertButton = ({ query, name, path, viewer, says }: Alert): Kid =>
  web(
    viewer._tag === "Reader"
      ? el(
          "form",
          { class: "follow", method: "post", action: "/account/searches" },
          el("input", { type: "hidden", name: "query", value: query }),
          el("input", { type: "hidden", name: "name", value: name.slice(0, 100) }),
          el("button", { type: "submit" }, "Follow"),
          el(
            "span",
            { class: "note" },
            `${says} is mailed to you. It stands among your `,
            el("a", { href: "/account/searches" }, "saved searches"),
            "."
          )
        )
      : el(
          "p",
          { class: "follow" },
          el("a", { href: signInAt(path) }, "Sign in to follow"),
          el("span", { class: "note" }, `${says}, by e-mail; an account is free.`)
        )
  )
