import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { Readable } from "node:stream"
import { Effect } from "effect"
import { ObjectStoreError } from "../errors.ts"
import { type Asked, refusal, type S3Requests, textIn } from "./requests.ts"

/** Sends files of up to `partBytes` in one request, and larger ones in parts of that size. */
export const makeUpload = ({ send, sendTo, xmlOf }: S3Requests, partBytes: number) => {
  const sendPart = Effect.fnUntraced(function* (
    key: string,
    file: string,
    slice: { readonly start: number; readonly bytes: number },
    asked: Pick<Asked, "query" | "headers">
  ) {
    // `end` is the last byte, inclusive; an empty slice has none.
    const bytes = () =>
      slice.bytes === 0
        ? Readable.from([])
        : fs.createReadStream(file, { start: slice.start, end: slice.start + slice.bytes - 1 })
    const hash = yield* Effect.tryPromise({
      try: async () => {
        const sha256 = createHash("sha256")
        for await (const chunk of bytes()) sha256.update(chunk)
        return sha256.digest("hex")
      },
      catch: () => new ObjectStoreError({ reason: "failed", key, detail: "unreadable file" })
    })
    return yield* sendTo(key, {
      ...asked,
      method: "PUT",
      headers: { ...asked.headers, "content-length": String(slice.bytes), "x-amz-content-sha256": hash },
      body: () => Readable.toWeb(bytes()) as ReadableStream
    })
  })

  const sendInParts = Effect.fnUntraced(function* (key: string, file: string, size: number, mediaType: string) {
    const begun = yield* sendTo(key, {
      method: "POST",
      query: { uploads: "" },
      headers: { "content-type": mediaType, "content-length": "0" }
    })
    const [uploadId] = textIn(yield* xmlOf(key, begun), "UploadId")
    if (uploadId === undefined) return yield* refusal(key, begun.status)
    yield* Effect.gen(function* () {
      const parts: Array<string> = []
      for (let start = 0; start < size; start += partBytes) {
        const number = parts.length + 1
        const slice = { start, bytes: Math.min(partBytes, size - start) }
        const query = { partNumber: String(number), uploadId }
        const { headers } = yield* sendPart(key, file, slice, { query })
        parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${headers.get("etag")}</ETag></Part>`)
      }
      const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`
      const headers = { "content-type": "application/xml" }
      yield* xmlOf(key, yield* sendTo(key, { method: "POST", query: { uploadId }, headers, body: () => body }))
    }).pipe(
      // Parts that are never assembled cost money and are invisible.
      Effect.onError(() => Effect.ignore(send(key, { method: "DELETE", query: { uploadId } })))
    )
  })

  /** Uploads a file under a key, atomically. */
  return Effect.fnUntraced(function* (key: string, file: string, mediaType: string) {
    const { size } = yield* Effect.tryPromise({
      try: () => fs.promises.stat(file),
      catch: () => new ObjectStoreError({ reason: "failed", key, detail: "unreadable file" })
    })
    yield* size > partBytes
      ? sendInParts(key, file, size, mediaType)
      : sendPart(key, file, { start: 0, bytes: size }, { headers: { "content-type": mediaType } })
  })
}
