import { Effect } from "effect"
import { parsedHtml } from "../sources/html-page.ts"

/** What is read of a node of a parsed page: an element has children, a text has data. */
interface Node {
  readonly type: string
  readonly name?: string
  readonly data?: string
  readonly children?: ReadonlyArray<Node>
}

/** Elements whose text nobody reads. */
const unread = new Set([
  "title",
  "script",
  "style",
  "noscript",
  "template",
  "head",
  "nav",
  "svg",
  "iframe",
  "select",
  "button"
])

/** Elements that stand within a line; every other begins one. */
const inline = new Set(
  "a abbr b bdi bdo cite code data del em font i ins label mark q s small span strong sub sup time u".split(" ")
)

/** Elements that stand side by side. */
const cells = new Set(["td", "th"])

/** The text that a web page shows, a line for each block. */
export const textOfPage = (bytes: Uint8Array): Effect.Effect<string> =>
  Effect.map(parsedHtml(Buffer.from(bytes)), ($) => {
    let text = ""
    const visit = ({ type, name = "", data = "", children }: Node): void => {
      if (type === "text") text += data.replace(/\s+/g, " ")
      if (unread.has(name) || children === undefined) return
      const edge = cells.has(name) ? " " : inline.has(name) ? "" : "\n"
      text += edge
      for (const child of children) visit(child)
      text += edge
    }
    for (const root of $.root().toArray()) visit(root)
    return text
  })
