import { type DefaultTreeAdapterTypes, parse } from "parse5"
import { decodeText } from "../../record/formats/encoding.ts"

/** Elements whose text nobody reads. */
const unread = new Set(["script", "style", "noscript", "template", "head", "nav", "svg", "iframe", "select", "button"])

/** Elements that stand within a line; every other begins one. */
const inline = new Set(
  "a abbr b bdi bdo cite code data del em font i ins label mark q s small span strong sub sup time u".split(" ")
)

/** Elements that stand side by side. */
const cells = new Set(["td", "th"])

/** The text that a web page shows, a line for each block. */
export const textOfPage = (bytes: Uint8Array): string => {
  let text = ""
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if (node.nodeName === "#text" && "value" in node) text += node.value.replace(/\s+/g, " ")
    if (unread.has(node.nodeName) || !("childNodes" in node)) return
    const edge = cells.has(node.nodeName) ? " " : inline.has(node.nodeName) ? "" : "\n"
    text += edge
    for (const child of node.childNodes) visit(child)
    text += edge
  }
  visit(parse(decodeText(Buffer.from(bytes)).value))
  return text
}
