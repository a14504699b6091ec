import { Effect } from "effect"
import { openPromise } from "yauzl"
import { decodeText } from "./encoding.ts"
import { ReadError } from "./item.ts"

/** The largest part of an office document that is read, unpacked, in bytes. */
const largestPart = 64 * 1024 * 1024
const mostParts = 10_000

const read = async (file: string, isWanted: (name: string) => boolean) => {
  const zip = await openPromise(file, { lazyEntries: true, strictFileNames: false })
  try {
    const parts = new Map<string, string>()
    let seen = 0
    for await (const entry of zip.eachEntry()) {
      if (++seen > mostParts) throw new Error("it has too many parts")
      if (!isWanted(entry.fileName)) continue
      const chunks: Array<Buffer> = []
      let size = 0
      // What an entry says of its size need not be true.
      for await (const chunk of await zip.openReadStreamPromise(entry)) {
        const bytes = Buffer.from(chunk)
        size += bytes.length
        if (size > largestPart) throw new Error(`its part ${entry.fileName.slice(0, 100)} is too large`)
        chunks.push(bytes)
      }
      parts.set(entry.fileName, decodeText(Buffer.concat(chunks)).value)
    }
    return parts
  } finally {
    zip.close()
  }
}

/** The parts of an office document (DOCX, XLSX: XML in a zip) with these names, as text. */
export const officeParts = (path: string, isWanted: (name: string) => boolean) =>
  Effect.tryPromise({
    try: () => read(path, isWanted),
    catch: (cause) =>
      new ReadError({
        path,
        problem: `cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}; save it again, or as text`
      })
  })
