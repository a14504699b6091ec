import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Option, Stream } from "effect"
import { ObjectNotFound, ObjectStoreError } from "../errors.ts"
import { folderStore } from "../folder.ts"
import { checkKey, checkPrefix, isKey, type Store, type StoredObject } from "../store.ts"
import { presigned } from "./presigned.ts"
import { makeRequests, refusal, type S3Settings, textIn } from "./requests.ts"
import { makeUpload } from "./upload.ts"

/** An S3-compatible store. */
export const s3Store = (settings: S3Settings): Store => {
  const requests = makeRequests(settings)
  const { send, sendTo, xmlOf, bodyOf } = requests
  const upload = makeUpload(requests, settings.partBytes ?? 64 * 1024 * 1024)

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

  const put: Store["put"] = Effect.fn("ObjectStore.put")(function* (key, source, mediaType) {
    yield* checkKey(key)
    yield* typeof source === "string" ? upload.ofFile(key, source, mediaType) : upload.ofStream(key, source, mediaType)
    return yield* Effect.flatMap(head(key), (stored) =>
      Option.isSome(stored) ? Effect.succeed(stored.value) : Effect.fail(refusal(key, 404))
    )
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
        return body === null ? Stream.empty : bodyOf(key, body)
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
            // The bucket may contain other objects, which are not ours.
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
    presigned: presigned(settings),
    delete: remove,
    deletePrefix: Effect.fn("ObjectStore.deletePrefix")(function* (prefix) {
      yield* checkPrefix(prefix)
      yield* Stream.runDrain(Stream.mapEffect(list(prefix), remove, { concurrency: 8 }))
    })
  }
}

/** Spools a stream to a file, which is removed with the scope. */
const spooled = Effect.fnUntraced(function* <E, R>(source: Stream.Stream<Uint8Array, E, R>, parent: string) {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => fs.promises.mkdtemp(path.join(parent, "civic-record-"))),
    (folder) => Effect.promise(() => fs.promises.rm(folder, { recursive: true, force: true }))
  )
  yield* folderStore(folder).put("spooled", source, "application/octet-stream")
  return path.join(folder, "spooled")
})
