import { randomUUID } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { Cause, Clock, Effect, Option, type Pull, Stream } from "effect"
import { makeFolder } from "../data-folder/make-folder.ts"
import { ObjectNotFound, ObjectStoreError } from "./errors.ts"
import { chunkBytes, fileBytes } from "./file-bytes.ts"
import { checkKey, checkPrefix, type Store, type StoredObject } from "./store.ts"

const mediaTypes: Readonly<Record<string, string>> = {
  ".jpg": "image/jpeg",
  ".json": "application/json",
  ".m4a": "audio/mp4",
  ".mp3": "audio/mpeg",
  ".mp4": "video/mp4",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".txt": "text/plain; charset=utf-8",
  ".vtt": "text/vtt; charset=utf-8",
  ".wav": "audio/wav",
  ".webm": "video/webm"
}

/** Files are written here before they are moved into place; no key begins with a dot. */
const making = ".making"

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException).code ?? "unknown"

const nothingThere = new Set(["ENOENT", "ENOTDIR", "EISDIR"])

const failed = (key: string) => (cause: unknown) =>
  new ObjectStoreError({
    reason: codeOf(cause) === "EACCES" || codeOf(cause) === "EPERM" ? "denied" : "failed",
    key,
    detail: codeOf(cause)
  })

const describe = (key: string, stat: fs.BigIntStats): StoredObject => ({
  bytes: Number(stat.size),
  // An object is only ever replaced by renaming a new file over it, so the inode identifies the bytes.
  etag: `"${stat.ino.toString(36)}-${stat.size.toString(36)}-${stat.mtimeNs.toString(36)}"`,
  media_type: mediaTypes[path.extname(key)] ?? "application/octet-stream",
  modified: stat.mtime
})

const openFile = <E>(file: string, flags: string, onError: (cause: unknown) => E) =>
  Effect.acquireRelease(Effect.tryPromise({ try: () => fs.promises.open(file, flags), catch: onError }), (handle) =>
    Effect.promise(() => handle.close())
  )

/** The bytes of an open file from `start` to `end`, inclusive, or to its end. */
const chunksOf = (handle: fs.promises.FileHandle, key: string, start: number, end: number) =>
  Stream.fromPull(
    Effect.sync(() => {
      let at = start
      const next = async () => {
        const chunk = Buffer.allocUnsafeSlow(Math.min(chunkBytes, end - at + 1))
        const { bytesRead } = await handle.read(chunk, 0, chunk.length, at)
        at += bytesRead
        return chunk.subarray(0, bytesRead)
      }
      return Effect.suspend(
        (): Pull.Pull<readonly [Uint8Array], ObjectStoreError> =>
          at > end
            ? Cause.done()
            : Effect.flatMap(Effect.tryPromise({ try: next, catch: failed(key) }), (chunk) =>
                chunk.length === 0 ? Cause.done() : Effect.succeed([chunk] as const)
              )
      )
    })
  )

/** Creates a folder; rejects with the system's error. */
const madeFolder = async (folder: string, mode?: number) => makeFolder(folder, mode)

/**
 * Creates a store's folder, which nobody but its owner can enter, because a key alone does not open an object; and
 * removes partial uploads over a day old that killed processes left there. An existing folder keeps the mode that an
 * operator gave it, unless it is `ours`.
 */
export const prepareFolder = Effect.fnUntraced(function* (folder: string, { ours }: { readonly ours: boolean }) {
  const dayAgo = (yield* Clock.currentTimeMillis) - 24 * 3600 * 1000
  const directory = path.join(folder, making)
  yield* Effect.promise(async () => {
    // If it cannot be created, each request fails with that error.
    await madeFolder(folder, 0o700).catch(() => undefined)
    if (ours) await fs.promises.chmod(folder, 0o700).catch(() => undefined)
    for (const name of await fs.promises.readdir(directory).catch(() => [])) {
      const stat = await fs.promises.stat(path.join(directory, name)).catch(() => undefined)
      if (stat !== undefined && stat.mtimeMs < dayAgo) await fs.promises.rm(path.join(directory, name), { force: true })
    }
  })
})

/** A folder as a store: a key is a path within it. */
export const folderStore = (folder: string): Store => {
  const fileOf = (key: string) => path.join(folder, ...key.split("/"))
  /**
   * If the folder itself is gone, say because its disk is not mounted, a missing file does not mean a missing object.
   */
  const missingOrFailed = (key: string) => (cause: unknown) => {
    if (!nothingThere.has(codeOf(cause))) return failed(key)(cause)
    return fs.existsSync(folder)
      ? new ObjectNotFound({ key })
      : new ObjectStoreError({ reason: "unavailable", key, detail: "no folder" })
  }

  /** Opens and describes a key's file; closed with the scope. */
  const open = Effect.fnUntraced(function* (key: string) {
    yield* checkKey(key)
    const handle = yield* openFile(fileOf(key), "r", missingOrFailed(key))
    const stat = yield* Effect.tryPromise({ try: () => handle.stat({ bigint: true }), catch: failed(key) })
    return stat.isFile() ? { handle, object: describe(key, stat) } : yield* new ObjectNotFound({ key })
  })

  const head: Store["head"] = Effect.fn("ObjectStore.head")(function* (key) {
    return yield* open(key).pipe(
      Effect.map(({ object }) => Option.some(object)),
      Effect.catchTag("ObjectNotFound", () => Effect.succeedNone),
      Effect.scoped
    )
  })

  /** Uses callbacks, because a file handle's promises take longer than the rest of the response. */
  const openToRead: Store["open"] = Effect.fn("ObjectStore.open")(
    function* (key) {
      yield* checkKey(key)
      const file = yield* Effect.acquireRelease(
        Effect.callback<number, unknown>((resume) =>
          fs.open(fileOf(key), "r", (error, file) => resume(error === null ? Effect.succeed(file) : Effect.fail(error)))
        ),
        (file) => Effect.callback<void>((resume) => fs.close(file, () => resume(Effect.void)))
      ).pipe(Effect.mapError(missingOrFailed(key)))
      const stat = yield* Effect.callback<fs.BigIntStats, ObjectStoreError>((resume) =>
        fs.fstat(file, { bigint: true }, (error, stat) =>
          resume(error === null ? Effect.succeed(stat) : Effect.fail(failed(key)(error)))
        )
      )
      if (!stat.isFile()) return yield* new ObjectNotFound({ key })
      const bytesFrom = (start: number, end: number) => Stream.mapError(fileBytes(file, start, end), failed(key))
      return Option.some({ ...describe(key, stat), bytesFrom })
    },
    Effect.catchTag("ObjectNotFound", () => Effect.succeedNone)
  )

  const put: Store["put"] = Effect.fn("ObjectStore.put")(function* (key, source, _mediaType) {
    yield* checkKey(key)
    const attempt = <A>(run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: failed(key) })
    const whole = path.join(folder, making, randomUUID())
    return yield* Effect.gen(function* () {
      yield* attempt(() => madeFolder(path.dirname(whole)))
      yield* Effect.addFinalizer(() => Effect.promise(() => fs.promises.rm(whole, { force: true })))
      const target = yield* openFile(whole, "wx", failed(key))
      const write = (chunk: Uint8Array) => attempt(() => target.writeFile(chunk))
      yield* typeof source === "string"
        ? Stream.runForEach(
            chunksOf(yield* openFile(source, "r", failed(key)), key, 0, Number.POSITIVE_INFINITY),
            write
          )
        : Stream.runForEach(source, write)
      // The new bytes are flushed before they replace the old ones.
      yield* attempt(() => target.sync())
      const stat = yield* attempt(() => target.stat({ bigint: true }))
      yield* attempt(() => madeFolder(path.dirname(fileOf(key))))
      yield* attempt(() => fs.promises.rename(whole, fileOf(key)))
      return describe(key, stat)
    }).pipe(Effect.scoped)
  })

  const read: Store["read"] = (key, options) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const { handle, object } = yield* open(key)
        if (options?.etag !== undefined && options.etag !== object.etag) return yield* new ObjectNotFound({ key })
        return chunksOf(handle, key, options?.start ?? 0, Math.min(options?.end ?? object.bytes, object.bytes - 1))
      })
    )

  return {
    put,
    head,
    open: openToRead,
    read,
    file: Effect.fn("ObjectStore.file")(function* (key) {
      yield* open(key)
      return fileOf(key)
    }),
    delete: Effect.fn("ObjectStore.delete")(function* (key) {
      yield* checkKey(key)
      yield* Effect.tryPromise({ try: () => fs.promises.rm(fileOf(key)), catch: missingOrFailed(key) }).pipe(
        Effect.catchTag("ObjectNotFound", () => Effect.void)
      )
    }),
    deletePrefix: Effect.fn("ObjectStore.deletePrefix")(function* (prefix) {
      yield* checkPrefix(prefix)
      yield* Effect.tryPromise({
        try: () => fs.promises.rm(fileOf(prefix), { recursive: true, force: true }),
        catch: failed(prefix)
      })
    }),
    list: (prefix) =>
      Stream.unwrap(
        Effect.map(prefix === "" ? Effect.void : checkPrefix(prefix), () =>
          Stream.fromAsyncIterable(keysUnder(folder, prefix), failed(prefix))
        )
      )
  }
}

async function* keysUnder(folder: string, prefix: string): AsyncGenerator<string> {
  const entries = await fs.promises.readdir(path.join(folder, prefix), { withFileTypes: true }).catch((cause) => {
    if (nothingThere.has(codeOf(cause))) return []
    throw cause
  })
  // Folders sort with a trailing slash, as in keys: `a-b/x` comes before `a/x`.
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
  for (const name of names.filter((name) => !name.startsWith(".")).sort()) {
    if (name.endsWith("/")) yield* keysUnder(folder, prefix + name)
    else yield prefix + name
  }
}
