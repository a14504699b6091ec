import { createGunzip, createZstdDecompress } from "node:zlib"
import { NodeStream } from "@effect/platform-node"
import { Effect, FileSystem, Result, Stream } from "effect"
import { ReadError } from "./item.ts"

/** The largest JSON document that is read whole, in bytes; anything larger belongs in lines (NDJSON). */
const largestDocument = 256 * 1024 * 1024

/** How much of a file is read to tell what it is. */
const headBytes = 64 * 1024

/** One of the JSON values of a file: a line of NDJSON or an element of an array, counted from 1. */
export interface JsonRecord {
  readonly line: number
  readonly value: Result.Result<unknown, string>
}

/** The name of a file without the ending that says how it is compressed. */
export const plainName = (name: string): string => name.replace(/\.(gz|zst)$/i, "")

const unreadable = (path: string) => (cause: unknown) =>
  new ReadError({ path, problem: `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}` })

/** The bytes of a file, decompressed where its name ends in `.gz` or `.zst`; `-` is the standard input. */
export const bytesOf = (path: string): Stream.Stream<Uint8Array, ReadError, FileSystem.FileSystem> => {
  const onError = unreadable(path)
  if (path === "-") return NodeStream.fromReadable({ evaluate: () => process.stdin, onError, closeOnDone: false })
  const raw = Stream.unwrap(FileSystem.FileSystem.use((fs) => Effect.succeed(fs.stream(path)))).pipe(
    Stream.mapError(onError)
  )
  const lower = path.toLowerCase()
  if (lower.endsWith(".gz")) return NodeStream.pipeThroughDuplex(raw, { evaluate: () => createGunzip(), onError })
  if (lower.endsWith(".zst"))
    return NodeStream.pipeThroughDuplex(raw, { evaluate: () => createZstdDecompress(), onError })
  return raw
}

const parse = (text: string): Result.Result<unknown, string> =>
  Result.try({
    // A raw NUL breaks JSON: at the end it is padding, and elsewhere the importer removes it from its text and reports it.
    try: (): unknown => JSON.parse(text.includes("\0") ? text.replace(/\0+$/, "").replaceAll("\0", "\\u0000") : text),
    catch: () => "is not JSON"
  })

/** The text of a whole file; what is not UTF-8 in it becomes U+FFFD. Fails where it is larger than a document may be. */
export const textOf = Effect.fnUntraced(function* (path: string) {
  const decoder = new TextDecoder()
  const parts = yield* Stream.runFoldEffect(
    bytesOf(path),
    () => ({ size: 0, texts: [] as Array<string> }),
    (whole, bytes) => {
      whole.size += bytes.length
      whole.texts.push(decoder.decode(bytes, { stream: true }))
      return whole.size > largestDocument
        ? Effect.fail(
            new ReadError({ path, problem: "is too large to read whole; write it as NDJSON, one record per line" })
          )
        : Effect.succeed(whole)
    }
  )
  return parts.texts.join("") + decoder.decode()
})

/** The first 64 KiB of a file as text. */
export const headOf = (path: string): Effect.Effect<string, ReadError, FileSystem.FileSystem> => {
  const decoder = new TextDecoder()
  return bytesOf(path).pipe(
    Stream.map((bytes) => decoder.decode(bytes, { stream: true })),
    Stream.scan(
      () => "",
      (head, text) => head + text
    ),
    Stream.takeUntil((head) => head.length >= headBytes),
    Stream.runLast,
    Effect.map((last) => (last._tag === "Some" ? last.value.slice(0, headBytes) : ""))
  )
}

/** The one JSON document of a file. */
export const documentOf = (
  path: string
): Effect.Effect<Result.Result<unknown, string>, ReadError, FileSystem.FileSystem> => Effect.map(textOf(path), parse)

/** The lines of a file with something on them, each with its number from 1. */
export const linesOf = (
  path: string
): Stream.Stream<readonly [line: number, text: string], ReadError, FileSystem.FileSystem> =>
  bytesOf(path).pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.zipWithIndex,
    Stream.map(([text, index]) => [index + 1, text] as const),
    Stream.filter(([, text]) => text.trim() !== "")
  )

/** A file of NDJSON, a line at a time. */
export const ndjsonOf = (path: string): Stream.Stream<JsonRecord, ReadError, FileSystem.FileSystem> =>
  Stream.map(linesOf(path), ([line, text]) => ({ line, value: parse(text) }))

/** The records of a file: NDJSON, or one JSON array or object, which is read whole. */
export const recordsOf = (path: string): Stream.Stream<JsonRecord, ReadError, FileSystem.FileSystem> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const whole =
        path !== "-" && (/\.json$/i.test(plainName(path)) || (yield* headOf(path)).trimStart().startsWith("["))
      if (!whole) return ndjsonOf(path)
      const document = yield* documentOf(path)
      // A file of lines may be called .json.
      if (Result.isFailure(document)) return ndjsonOf(path)
      const values = Array.isArray(document.success) ? document.success : [document.success]
      return Stream.fromIterable(values.map((value: unknown, at) => ({ line: at + 1, value: Result.succeed(value) })))
    })
  )
