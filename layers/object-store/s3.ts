import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Readable } from "node:stream"
import { AwsClient } from "aws4fetch"
import { Effect, Option, Redacted, Schedule, Stream } from "effect"
import { ObjectNotFound, ObjectStoreError } from "./errors.ts"
import { folderStore } from "./folder.ts"
import { checkKey, checkPrefix, isKey, type Store, type StoredObject } from "./store.ts"

export interface S3Settings {
  /** Such as `https://s3.example.org`; the bucket is the first segment of the path. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
  readonly sessionToken?: Redacted.Redacted | undefined
  /** A larger file is sent in parts of this many bytes (5 MiB at least; S3 takes 10,000 parts, and 5 GiB at once). */
  readonly partBytes?: number | undefined
  /** Keys a page of a list. */
  readonly pageKeys?: number | undefined
}

/** What one request is; made anew for each attempt, because a body can be read once. */
interface Asked {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE"
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: () => ReadableStream | string
  /** Ends the request, and the answer's body with it. */
  readonly signal?: AbortSignal
}

const refusal = (key: string, status: number) =>
  new ObjectStoreError({
    reason: status === 401 || status === 403 ? "denied" : status >= 500 || status === 429 ? "unavailable" : "failed",
    key,
    detail: `status ${status}`
  })

const unavailable = (key: string) => (cause: unknown) =>
  new ObjectStoreError({ reason: "unavailable", key, detail: causeOf(cause) })

/** The code of what undici met (ECONNREFUSED, UND_ERR_SOCKET); its message may hold the address. */
const causeOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error && "code" in error.cause
    ? String(error.cause.code)
    : "no answer"

/** Twice more where the store is away; all requests here may be repeated. */
const again = {
  schedule: Schedule.jittered(Schedule.exponential("100 millis")),
  times: 2,
  while: (error: ObjectStoreError | ObjectNotFound) =>
    error._tag === "ObjectStoreError" && error.reason === "unavailable"
}

const textIn = (xml: string, name: string): ReadonlyArray<string> =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text = ""]) =>
    text.replace(/&(quot|apos|lt|gt|amp);/g, (_, entity: string) => entities[entity] ?? "")
  )
const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: "<", gt: ">", amp: "&" }

/** An S3-compatible store, addressed by path, its requests signed with AWS Signature 4. */
export const s3Store = (settings: S3Settings): Store => {
  const client = new AwsClient({
    accessKeyId: settings.accessKeyId,
    secretAccessKey: Redacted.value(settings.secretAccessKey),
    ...(settings.sessionToken === undefined ? {} : { sessionToken: Redacted.value(settings.sessionToken) }),
    service: "s3",
    region: settings.region,
    retries: 0
  })
  const partBytes = settings.partBytes ?? 64 * 1024 * 1024

  const attempt = Effect.fnUntraced(function* (key: string, asked: Asked) {
    const query = asked.query === undefined ? "" : `?${new URLSearchParams(asked.query)}`
    const response = yield* Effect.tryPromise({
      try: (signal) =>
        client.fetch(`${settings.endpoint}/${settings.bucket}${key === "" ? "" : `/${key}`}${query}`, {
          method: asked.method,
          // Compressed on the way, an object would have other bytes than its length and its ranges say. With a range
          // `fetch` asks for that itself (Fetch, section 4.6), after the request was signed.
          headers: {
            ...(asked.headers?.range === undefined ? { "accept-encoding": "identity" } : {}),
            ...asked.headers
          },
          ...(asked.body === undefined ? {} : { body: asked.body(), duplex: "half" }),
          redirect: "manual",
          signal: asked.signal === undefined ? signal : AbortSignal.any([signal, asked.signal])
        }),
      catch: unavailable(key)
    })
    if (response.ok) return response
    yield* Effect.promise(async () => response.body?.cancel())
    return yield* response.status === 404 || response.status === 412
      ? new ObjectNotFound({ key })
      : refusal(key, response.status)
  })

  const send = (key: string, asked: Asked) => Effect.retry(attempt(key, asked), again)

  /** For requests that are to find the bucket, whatever is in it. */
  const sendTo = (key: string, asked: Asked) =>
    Effect.catchTag(send(key, asked), "ObjectNotFound", () => Effect.fail(refusal(key, 404)))

  const xmlOf = (key: string, response: Response) =>
    Effect.flatMap(Effect.tryPromise({ try: () => response.text(), catch: unavailable(key) }), (xml) =>
      // A store that has begun to answer 200 tells a later failure in the body.
      xml.includes("<Error>") ? Effect.fail(refusal(key, 500)) : Effect.succeed(xml)
    )

  const describe = (headers: Headers): StoredObject => {
    const modified = headers.get("last-modified") ?? ""
    const bytes = Number(headers.get("content-length"))
    return {
      bytes,
      etag: headers.get("etag") ?? `"${bytes.toString(36)}-${Date.parse(modified).toString(36)}"`,
      media_type: headers.get("content-type") ?? "application/octet-stream",
      modified: new Date(modified)
    }
  }

  const head: Store["head"] = Effect.fn("ObjectStore.head")(function* (key) {
    yield* checkKey(key)
    return yield* send(key, { method: "HEAD" }).pipe(
      Effect.map((response) => Option.some(describe(response.headers))),
      Effect.catchTag("ObjectNotFound", () => Effect.succeedNone)
    )
  })

  const open: Store["open"] = Effect.fn("ObjectStore.open")(function* (key) {
    return Option.map(yield* head(key), (object) => ({
      ...object,
      bytesFrom: (start: number, end: number) => read(key, { start, end, etag: object.etag })
    }))
  })

  const sendPart = Effect.fnUntraced(function* (
    key: string,
    file: string,
    slice: { readonly start: number; readonly bytes: number },
    asked: Pick<Asked, "query" | "headers">
  ) {
    // `end` is the last byte; a slice of nothing has none.
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
      // Parts that are never put together are paid for, and seen by nobody.
      Effect.onError(() => Effect.ignore(send(key, { method: "DELETE", query: { uploadId } })))
    )
  })

  const put: Store["put"] = Effect.fn("ObjectStore.put")(function* (key, source, mediaType) {
    yield* checkKey(key)
    return yield* Effect.gen(function* () {
      const file = typeof source === "string" ? source : yield* spooled(source)
      const { size } = yield* Effect.tryPromise({
        try: () => fs.promises.stat(file),
        catch: () => new ObjectStoreError({ reason: "failed", key, detail: "unreadable file" })
      })
      yield* size > partBytes
        ? sendInParts(key, file, size, mediaType)
        : sendPart(key, file, { start: 0, bytes: size }, { headers: { "content-type": mediaType } })
      return yield* Effect.flatMap(head(key), (stored) =>
        Option.isSome(stored) ? Effect.succeed(stored.value) : Effect.fail(refusal(key, 404))
      )
    }).pipe(Effect.scoped)
  })

  const read: Store["read"] = (key, options) => {
    const { start = 0, end, etag } = options ?? {}
    if (end !== undefined && end < start) return Stream.empty
    const isPart = start > 0 || end !== undefined
    return Stream.unwrap(
      Effect.gen(function* () {
        yield* checkKey(key)
        const { signal } = yield* Effect.acquireRelease(
          Effect.sync(() => new AbortController()),
          (controller) => Effect.sync(() => controller.abort())
        )
        const headers = {
          ...(isPart ? { range: `bytes=${start}-${end ?? ""}` } : {}),
          ...(etag === undefined ? {} : { "if-match": etag })
        }
        const { status, body } = yield* send(key, { method: "GET", headers, signal })
        if (isPart && status !== 206) {
          return yield* new ObjectStoreError({ reason: "failed", key, detail: "the store knows no ranges" })
        }
        return body === null
          ? Stream.empty
          : Stream.fromReadableStream({ evaluate: () => body, onError: unavailable(key) })
      }).pipe(
        Effect.catchIf(
          (error) => error._tag === "ObjectStoreError" && error.detail === "status 416",
          () => Effect.succeed(Stream.empty)
        )
      )
    )
  }

  const list: Store["list"] = (prefix) =>
    Stream.unwrap(
      Effect.map(prefix === "" ? Effect.void : checkPrefix(prefix), () =>
        Stream.paginate<string, string, ObjectStoreError>(
          "",
          Effect.fnUntraced(function* (token) {
            const query = {
              "list-type": "2",
              "max-keys": String(settings.pageKeys ?? 1000),
              prefix,
              ...(token === "" ? {} : { "continuation-token": token })
            }
            const xml = yield* xmlOf(prefix, yield* sendTo("", { method: "GET", query }))
            const next = textIn(xml, "IsTruncated")[0] === "true" ? textIn(xml, "NextContinuationToken")[0] : undefined
            // What else is in the bucket is none of ours.
            return [textIn(xml, "Key").filter(isKey), Option.fromUndefinedOr(next)]
          })
        )
      )
    )

  const remove: Store["delete"] = Effect.fn("ObjectStore.delete")(function* (key) {
    yield* checkKey(key)
    yield* send(key, { method: "DELETE" }).pipe(Effect.catchTag("ObjectNotFound", () => Effect.void))
  })

  const file: Store["file"] = Effect.fn("ObjectStore.file")(function* (key, folder) {
    const stored = yield* head(key)
    if (Option.isNone(stored)) return yield* new ObjectNotFound({ key })
    const refused = () => new ObjectStoreError({ reason: "failed", key, detail: "no folder to copy it to" })
    const room = yield* Effect.tryPromise({ try: () => fs.promises.statfs(folder), catch: refused })
    if (stored.value.bytes > 0.9 * room.bavail * room.bsize) {
      return yield* new ObjectStoreError({ reason: "failed", key, detail: "no room to copy it to" })
    }
    return yield* spooled(read(key, { etag: stored.value.etag }), folder)
  })

  return {
    put,
    head,
    open,
    read,
    list,
    file,
    delete: remove,
    deletePrefix: Effect.fn("ObjectStore.deletePrefix")(function* (prefix) {
      yield* checkPrefix(prefix)
      yield* Stream.runDrain(Stream.mapEffect(list(prefix), remove, { concurrency: 8 }))
    })
  }
}

/** A stream as a file, such as one whose length and hash S3 is to be told before the first byte. Removed with the scope. */
const spooled = Effect.fnUntraced(function* <E, R>(source: Stream.Stream<Uint8Array, E, R>, parent = os.tmpdir()) {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => fs.promises.mkdtemp(path.join(parent, "civic-record-"))),
    (folder) => Effect.promise(() => fs.promises.rm(folder, { recursive: true, force: true }))
  )
  yield* folderStore(folder).put("spooled", source, "application/octet-stream")
  return path.join(folder, "spooled")
})
