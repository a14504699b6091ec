import XMLBuilder from "fast-xml-builder"

/** Elements by name: a text, elements within, or many of one name. `@name` is an attribute, `#` the text beside attributes. */
export interface Elements {
  readonly [name: string]: string | Elements | ReadonlyArray<string | Elements>
}

const builder = new XMLBuilder({
  attributeNamePrefix: "@",
  textNodeName: "#",
  ignoreAttributes: false,
  suppressEmptyNode: true,
  suppressBooleanAttributes: false
})

/** What XML 1.0 cannot hold, not even as a reference: control characters and halves of a surrogate pair. */
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** Elements as XML. A title of the record may hold anything; what XML cannot hold is written as U+FFFD. */
export const xmlOf = (elements: Elements): string => builder.build(elements).replace(unwritable, "\ufffd")

/** A document with one root, in UTF-8. */
export const xmlDocument = (root: Elements): string => `<?xml version="1.0" encoding="utf-8"?>\n${xmlOf(root)}`
