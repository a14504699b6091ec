import { isUtf8 } from "node:buffer"
import { Result } from "effect"
import { type Item, type Origin, warning } from "./item.ts"

/** Supported encodings other than UTF-8. */
export type ForeignEncoding = "UTF-16LE" | "UTF-16BE" | "windows-1252"

/** Text, with its encoding if that is not UTF-8. */
export interface Decoded<A> {
  readonly value: A
  readonly encoding: ForeignEncoding | undefined
}

/** The note about a text that is not UTF-8. */
export const encodingMessage = (encoding: ForeignEncoding): string =>
  `is not UTF-8 and is read as ${encoding}${encoding === "windows-1252" ? ", line by line" : ""}; write UTF-8 if that garbles a name`

/** The note on the first line or record of a file that is not UTF-8. */
export const encodingNote = (origin: Origin, encoding: ForeignEncoding | undefined): ReadonlyArray<Item> =>
  encoding === undefined ? [] : [warning(origin, "", encodingMessage(encoding))]

/** How much of a text is searched for the zero bytes of UTF-16. */
const lookedAt = 512

/** Text in the Latin alphabet encoded as UTF-16 has a zero in nearly every second byte; no other text has. */
const hasZerosAt = (bytes: Uint8Array, parity: 0 | 1): boolean => {
  const pairs = Math.floor(bytes.length / 2)
  let at = 0
  let beside = 0
  for (let index = 0; index < 2 * pairs; index++) {
    if (bytes[index] !== 0) continue
    if (index % 2 === parity) at++
    else beside++
  }
  return pairs > 0 && at > pairs / 2 && beside < pairs / 20
}

/** UTF-16 by its byte order mark, or by its zero bytes if it has none. */
const utf16Of = (bytes: Uint8Array): "UTF-16LE" | "UTF-16BE" | undefined => {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return "UTF-16LE"
  if (first === 0xfe && second === 0xff) return "UTF-16BE"
  const head = bytes.subarray(0, lookedAt)
  return hasZerosAt(head, 1) ? "UTF-16LE" : hasZerosAt(head, 0) ? "UTF-16BE" : undefined
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })
const windows1252 = new TextDecoder("windows-1252")

const mark = Buffer.from("\uFEFF")

const withoutMark = (bytes: Uint8Array): Uint8Array =>
  mark.equals(bytes.subarray(0, mark.length)) ? bytes.subarray(mark.length) : bytes

const decodeLine = (bytes: Uint8Array): Decoded<string> =>
  isUtf8(bytes)
    ? { value: utf8.decode(bytes), encoding: undefined }
    : { value: windows1252.decode(bytes), encoding: "windows-1252" }

const newline = 0x0a

/** A line of a text, from 1; a failure if it is too long to be read. */
export interface TextLine {
  readonly line: number
  readonly text: Result.Result<string, string>
  /** Only on the first line of a file that is not UTF-8. */
  readonly encoding: ForeignEncoding | undefined
}

/** The longest line that is read, in bytes of UTF-8. */
export const longestLine = 64 * 1024 * 1024

const tooLong = (longest: number) =>
  Result.fail(`is longer than ${Math.round(longest / 1024 / 1024)} MB; write one record per line`)

/**
 * Splits bytes into decoded lines: UTF-16 by its byte order mark or its zero bytes, else UTF-8, and a line that is not
 * valid UTF-8 as windows-1252 (which most files called Latin-1 also are). One damaged line therefore costs no other
 * line its accents. A line over `longest` bytes is skipped without being held in memory.
 */
export const lineSplitter = (longest: number = longestLine) => {
  let head: ReadonlyArray<Uint8Array> | undefined = []
  let toUtf8 = (bytes: Uint8Array): Uint8Array => bytes
  let isNoted = false
  let encoding: ForeignEncoding | undefined
  let line = 0
  let open: Array<Uint8Array> = []
  let size = 0

  const close = (): TextLine => {
    line++
    const isTooLong = size > longest
    const bytes = open.length === 1 ? open[0] : Buffer.concat(open)
    open = []
    size = 0
    if (isTooLong || bytes === undefined) return { line, text: tooLong(longest), encoding: undefined }
    const decoded = decodeLine(bytes)
    const found = isNoted || decoded.value.trim() === "" ? undefined : (encoding ?? decoded.encoding)
    isNoted ||= found !== undefined
    return { line, text: Result.succeed(decoded.value.replace(/\r$/, "")), encoding: found }
  }

  const add = (bytes: Uint8Array) => {
    size += bytes.length
    if (size > longest) open = []
    else if (bytes.length > 0) open.push(bytes)
  }

  const split = (bytes: Uint8Array): ReadonlyArray<TextLine> => {
    const lines: Array<TextLine> = []
    let from = 0
    for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, from)) {
      add(bytes.subarray(from, at))
      lines.push(close())
      from = at + 1
    }
    add(bytes.subarray(from))
    return lines
  }

  const begin = (parts: ReadonlyArray<Uint8Array>): ReadonlyArray<TextLine> => {
    const bytes = Buffer.concat(parts)
    head = undefined
    encoding = utf16Of(bytes)
    if (encoding === undefined) return split(withoutMark(bytes))
    const decoder = new TextDecoder(encoding)
    toUtf8 = (part) => Buffer.from(decoder.decode(part, { stream: true }))
    return split(toUtf8(bytes))
  }

  return {
    push: (bytes: Uint8Array): ReadonlyArray<TextLine> => {
      if (head === undefined) return split(toUtf8(bytes))
      head = [...head, bytes]
      return head.reduce((sum, { length }) => sum + length, 0) < lookedAt ? [] : begin(head)
    },
    end: (): ReadonlyArray<TextLine> => {
      const rest = head === undefined ? [] : begin(head)
      return size === 0 ? rest : [...rest, close()]
    }
  }
}

/** Decodes a whole text, line by line as `lineSplitter` does. */
export const decodeText = (bytes: Uint8Array): Decoded<string> => {
  const encoding = utf16Of(bytes)
  if (encoding !== undefined) return { value: new TextDecoder(encoding).decode(bytes), encoding }
  const whole = withoutMark(bytes)
  if (isUtf8(whole)) return { value: utf8.decode(whole), encoding: undefined }
  const lines: Array<string> = []
  for (let from = 0; from < whole.length; ) {
    const at = whole.indexOf(newline, from)
    const to = at === -1 ? whole.length : at + 1
    lines.push(decodeLine(whole.subarray(from, to)).value)
    from = to
  }
  return { value: lines.join(""), encoding: "windows-1252" }
}
