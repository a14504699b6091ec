import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { Readable } from "node:stream"
import { Effect, Stream } from "effect"
import { ObjectStoreError } from "../errors.ts"
import { type Asked, refusal, type S3Requests, textIn } from "./requests.ts"

/** Bytes that are read anew for their hash and for each attempt to send them. */
interface Part {
  readonly bytes: number
  readonly read: () => Readable
}

const partOfFile = (file: string, start: number, bytes: number): Part => ({
  bytes,
  // `end` is the last byte, inclusive; an empty slice has none.
  read: () => (bytes === 0 ? Readable.from([]) : fs.createReadStream(file, { start, end: start + bytes - 1 }))
})

/** Of a stream, one part is held in memory: 10,000 of them are 160 GB. */
const streamedPartBytes = 16 * 1024 * 1024

/** Sends what has up to `partBytes` in one request, and more in parts of that size; each atomically, under its key. */
export const makeUpload = ({ send, sendTo, xmlOf }: S3Requests, partBytes: number) => {
  const sendPart = Effect.fnUntraced(function* (key: string, part: Part, asked: Pick<Asked, "query" | "headers">) {
    const hash = yield* Effect.tryPromise({
      try: async () => {
        const sha256 = createHash("sha256")
        for await (const chunk of part.read()) sha256.update(chunk)
        return sha256.digest("hex")
      },
      catch: () => new ObjectStoreError({ reason: "failed", key, detail: "unreadable file" })
    })
    return yield* sendTo(key, {
      ...asked,
      method: "PUT",
      headers: { ...asked.headers, "content-length": String(part.bytes), "x-amz-content-sha256": hash },
      body: () => Readable.toWeb(part.read()) as ReadableStream
    })
  })

  const sendWhole = (key: string, part: Part, mediaType: string) =>
    sendPart(key, part, { headers: { "content-type": mediaType } })

  /** Begins an upload in parts, which is an object once it is completed. */
  const begin = Effect.fnUntraced(function* (key: string, mediaType: string) {
    const begun = yield* sendTo(key, {
      method: "POST",
      query: { uploads: "" },
      headers: { "content-type": mediaType, "content-length": "0" }
    })
    const [uploadId] = textIn(yield* xmlOf(key, begun), "UploadId")
    if (uploadId === undefined) return yield* refusal(key, begun.status)
    const sent: Array<string> = []
    return {
      add: Effect.fnUntraced(function* (part: Part) {
        const number = sent.length + 1
        const { headers } = yield* sendPart(key, part, { query: { partNumber: String(number), uploadId } })
        sent.push(`<Part><PartNumber>${number}</PartNumber><ETag>${headers.get("etag")}</ETag></Part>`)
      }),
      complete: Effect.suspend(() => {
        const body = `<CompleteMultipartUpload>${sent.join("")}</CompleteMultipartUpload>`
        const headers = { "content-type": "application/xml" }
        return sendTo(key, { method: "POST", query: { uploadId }, headers, body: () => body })
      }).pipe(Effect.flatMap((answer) => xmlOf(key, answer))),
      // Parts that are never assembled cost money and are invisible.
      abort: Effect.ignore(send(key, { method: "DELETE", query: { uploadId } }))
    }
  })

  const ofFile = Effect.fnUntraced(function* (key: string, file: string, mediaType: string) {
    const { size } = yield* Effect.tryPromise({
      try: () => fs.promises.stat(file),
      catch: () => new ObjectStoreError({ reason: "failed", key, detail: "unreadable file" })
    })
    if (size <= partBytes) return yield* Effect.asVoid(sendWhole(key, partOfFile(file, 0, size), mediaType))
    const upload = yield* begin(key, mediaType)
    const starts = Array.from({ length: Math.ceil(size / partBytes) }, (_, at) => at * partBytes)
    yield* Effect.forEach(starts, (start) =>
      upload.add(partOfFile(file, start, Math.min(partBytes, size - start)))
    ).pipe(
      Effect.andThen(upload.complete),
      Effect.onError(() => upload.abort)
    )
  })

  const ofStream = Effect.fnUntraced(function* <E, R>(
    key: string,
    bytes: Stream.Stream<Uint8Array, E, R>,
    mediaType: string
  ) {
    let upload: Effect.Success<ReturnType<typeof begin>> | undefined
    let held: Array<Uint8Array> = []
    let size = 0
    const taken = (): Part => {
      const [chunks, bytes] = [held, size]
      held = []
      size = 0
      return { bytes, read: () => Readable.from(chunks) }
    }
    const sendHeld = Effect.gen(function* () {
      upload ??= yield* begin(key, mediaType)
      yield* upload.add(taken())
    })
    yield* Stream.runForEach(bytes, (chunk) => {
      // The chunk is only valid until the next one.
      held.push(Buffer.from(chunk))
      size += chunk.length
      return size >= Math.min(partBytes, streamedPartBytes) ? sendHeld : Effect.void
    }).pipe(
      Effect.andThen(
        Effect.gen(function* () {
          if (upload === undefined) return yield* sendWhole(key, taken(), mediaType)
          if (size > 0) yield* sendHeld
          return yield* upload.complete
        })
      ),
      Effect.onError(() => upload?.abort ?? Effect.void)
    )
  })

  return { ofFile, ofStream }
}
