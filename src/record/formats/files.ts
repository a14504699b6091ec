import { createGunzip } from "node:zlib"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, FileSystem, Result, Stream } from "effect"
import { type Decoded, decodeText, type ForeignEncoding, lineSplitter, longestLine, type TextLine } from "./encoding.ts"
import { ReadError } from "./item.ts"
import { zstdBytes } from "./zst.ts"

/** The largest JSON document that is read whole, in bytes; anything larger belongs in lines (NDJSON). */
const largestDocument = 256 * 1024 * 1024

/** How much of a file is read to recognize it. */
const headBytes = 64 * 1024

/** One of the JSON values of a file: a line of NDJSON or an element of an array, counted from 1. */
export interface JsonRecord {
  readonly line: number
  readonly value: Result.Result<unknown, string>
  /** Only on the first record of a file that is not UTF-8. */
  readonly encoding: ForeignEncoding | undefined
}

/** The name of a file without its compression suffix. */
export const plainName = (name: string): string => name.replace(/\.(gz|zst)$/i, "")

const unreadable = (path: string) => (cause: unknown) =>
  new ReadError({ path, problem: `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}` })

/** The bytes of a file, decompressed if its name ends in `.gz` or `.zst`; `-` is standard input. */
const bytesOf = (path: string): Stream.Stream<Uint8Array, ReadError, FileSystem.FileSystem> => {
  const onError = unreadable(path)
  if (path === "-") return NodeStream.fromReadable({ evaluate: () => process.stdin, onError, closeOnDone: false })
  const lower = path.toLowerCase()
  if (lower.endsWith(".zst")) return Stream.fromAsyncIterable(zstdBytes(path), onError)
  const raw = Stream.unwrap(FileSystem.FileSystem.use((fs) => Effect.succeed(fs.stream(path)))).pipe(
    Stream.mapError(onError)
  )
  return lower.endsWith(".gz") ? NodeStream.pipeThroughDuplex(raw, { evaluate: () => createGunzip(), onError }) : raw
}

const parse = (text: string): Result.Result<unknown, string> =>
  Result.try({
    // A raw NUL breaks JSON: at the end it is padding, and elsewhere the importer removes it from its text and reports
    // it.
    try: (): unknown => JSON.parse(text.includes("\0") ? text.replace(/\0+$/, "").replaceAll("\0", "\\u0000") : text),
    catch: () => "is not JSON"
  })

/** The text of a whole file. Fails if it is larger than a document may be. */
export const textOf = Effect.fnUntraced(function* (path: string) {
  const { parts } = yield* Stream.runFoldEffect(
    bytesOf(path),
    () => ({ size: 0, parts: [] as Array<Uint8Array> }),
    (whole, bytes) => {
      whole.size += bytes.length
      whole.parts.push(bytes)
      return whole.size > largestDocument
        ? Effect.fail(
            new ReadError({ path, problem: "is too large to read whole; write it as NDJSON, one record per line" })
          )
        : Effect.succeed(whole)
    }
  )
  return decodeText(Buffer.concat(parts))
})

/** The first 64 KiB of a file as text. */
export const headOf = (path: string): Effect.Effect<string, ReadError, FileSystem.FileSystem> =>
  bytesOf(path).pipe(
    Stream.scan(
      () => Buffer.alloc(0),
      (head, bytes) => Buffer.concat([head, bytes])
    ),
    Stream.takeUntil((head) => head.length >= headBytes),
    Stream.runLast,
    Effect.map((last) => (last._tag === "Some" ? decodeText(last.value.subarray(0, headBytes)).value : ""))
  )

/** The one JSON document of a file. */
export const documentOf = (
  path: string
): Effect.Effect<Decoded<Result.Result<unknown, string>>, ReadError, FileSystem.FileSystem> =>
  Effect.map(textOf(path), ({ value, encoding }) => ({ value: parse(value), encoding }))

/** The lines of a file that are not empty, each with its number from 1. */
export const linesOf = (
  path: string,
  longest: number = longestLine
): Stream.Stream<TextLine, ReadError, FileSystem.FileSystem> =>
  Stream.suspend(() => {
    const splitter = lineSplitter(longest)
    return bytesOf(path).pipe(
      Stream.map(splitter.push),
      Stream.concat(Stream.fromEffect(Effect.sync(splitter.end))),
      Stream.flattenIterable,
      Stream.filter(({ text }) => Result.isFailure(text) || text.success.trim() !== "")
    )
  })

/** How many lines a file has. */
export const lineCount = (path: string): Effect.Effect<number, ReadError, FileSystem.FileSystem> =>
  Stream.runFold(
    bytesOf(path),
    () => 0,
    (count, bytes) => {
      let lines = count
      for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) lines++
      return lines
    }
  )

/** A file of NDJSON, a line at a time. */
export const ndjsonOf = (path: string): Stream.Stream<JsonRecord, ReadError, FileSystem.FileSystem> =>
  Stream.map(linesOf(path), ({ line, text, encoding }) => ({ line, value: Result.flatMap(text, parse), encoding }))

/** The records of a file: NDJSON, or one JSON array or object, which is read whole. */
export const recordsOf = (path: string): Stream.Stream<JsonRecord, ReadError, FileSystem.FileSystem> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const whole =
        path !== "-" && (/\.json$/i.test(plainName(path)) || (yield* headOf(path)).trimStart().startsWith("["))
      if (!whole) return ndjsonOf(path)
      const { value: document, encoding } = yield* documentOf(path)
      // A file of lines may be called .json.
      if (Result.isFailure(document)) return ndjsonOf(path)
      const values: ReadonlyArray<unknown> = Array.isArray(document.success) ? document.success : [document.success]
      return Stream.fromIterable(
        values.map((value, at) => ({
          line: at + 1,
          value: Result.succeed(value),
          encoding: at === 0 ? encoding : undefined
        }))
      )
    })
  )
