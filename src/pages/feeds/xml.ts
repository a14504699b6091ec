import XMLBuilder from "fast-xml-builder"

/**
 * Elements by name: a text, child elements, or several of one name. `@name` is an attribute, `#` the text beside
 * attributes.
 */
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

/** Characters that XML 1.0 cannot represent, not even as a reference: control characters and lone surrogates. */
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/**
 * Writes elements as XML. The record's titles may contain anything; characters that XML cannot represent become U+FFFD.
 */
export const xmlOf = (elements: Elements): string => builder.build(elements).replace(unwritable, "\ufffd")

/** A document with one root, in UTF-8. */
export const xmlDocument = (root: Elements): string => `<?xml version="1.0" encoding="utf-8"?>\n${xmlOf(root)}`
