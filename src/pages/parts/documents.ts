import type { DocumentCard, DocumentKind } from "../../../schema/document.ts"
import { type El, el, type Kid } from "../../page-tree/tree.ts"
import { plainDate, plural } from "../said.ts"

export const kindWords: Readonly<Record<DocumentKind, string>> = {
  agenda: "Agenda",
  packet: "Agenda packet",
  minutes: "Minutes",
  attachment: "Attachment"
}

/** The size of a file for people. */
export const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`

const factsOf = ({ kind, title, pages, bytes, state, changed_at }: DocumentCard): ReadonlyArray<string> =>
  [
    title.toLowerCase().includes(kindWords[kind].toLowerCase()) ? [] : kindWords[kind],
    pages === undefined || pages === 0 ? [] : plural(pages, "page"),
    bytes === undefined ? [] : sizeOf(bytes),
    changed_at === undefined ? [] : `changed on ${plainDate(changed_at.slice(0, 10))}`,
    state === "unread" ? "not read" : []
  ].flat()

/** A way to a document: to its page, or where nothing was read of it yet, to where the body publishes it. */
const documentLink = ({ state, path, source_url, title }: DocumentCard): El =>
  state === "listed" && source_url !== undefined
    ? el("a", { href: source_url, rel: "external" }, title)
    : el("a", { href: path }, title)

/** A document in a list. */
export const documentShown = (document: DocumentCard): Kid => {
  const facts = factsOf(document)
  return el(
    "li",
    {},
    documentLink(document),
    facts.length > 0 && [" ", el("span", { class: "note" }, `(${facts.join(", ")})`)]
  )
}
