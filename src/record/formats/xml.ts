import { Result } from "effect"
import sax from "sax"

/** What a reader of XML is told, in document order; names are without their prefix. */
export interface XmlReader {
  readonly open: (name: string, attributes: ReadonlyMap<string, string>) => void
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

/** Deeper documents are no captions, and no documents that people write. */
const deepest = 200

const withoutPrefix = (name: string): string => name.slice(name.indexOf(":") + 1)

/**
 * Reads XML as it is in the world. Entities that a document defines itself stay as they are written, so none can grow;
 * nothing outside the document is asked for. Fails, with words for a report, if it is no XML.
 */
export const readXml = (text: string, reader: XmlReader): Result.Result<void, string> => {
  const parser = sax.parser(true, { trim: false, normalize: false, xmlns: false, position: false })
  let depth = 0
  let fault: string | undefined
  parser.onerror = (error) => {
    // An entity of its own is text.
    if (!/invalid character entity|invalid character in entity/i.test(error.message)) fault ??= "is not XML"
    parser.resume()
  }
  parser.onopentag = ({ name, attributes }) => {
    depth++
    if (depth > deepest) fault ??= "is nested too deep"
    const plain = Object.entries(attributes).map(([key, value]) => [withoutPrefix(key), String(value)] as const)
    reader.open(withoutPrefix(name), new Map(plain))
  }
  parser.ontext = (found) => reader.text?.(found)
  parser.oncdata = (found) => reader.text?.(found)
  parser.onclosetag = (name) => {
    depth--
    reader.close?.(withoutPrefix(name))
  }
  for (let at = 0; at < text.length && fault === undefined; at += 65_536) parser.write(text.slice(at, at + 65_536))
  if (fault === undefined) parser.close()
  return fault === undefined ? Result.void : Result.fail(fault)
}
