import * as fs from "node:fs"
import * as path from "node:path"
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Option, Stream } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { makeFolder } from "../../../layers/data-folder/make-folder.ts"
import type { ObjectNotFound, ObjectStoreError } from "../../../layers/object-store/errors.ts"
import { storeFolder } from "../../../layers/object-store/object-store.ts"
import type { Store } from "../../../layers/object-store/store.ts"
import { BackupError, failed, manifestFile } from "./contents.ts"

/** Where a backup is: its files by their paths inside it. */
export interface Place {
  /** As an operator knows it, without credentials. */
  readonly name: string
  /** Removes what a killed backup left, and makes room for a new one; fails if there is anything else. */
  readonly begin: Effect.Effect<void, BackupError>
  readonly write: <E, R>(
    file: string,
    bytes: Stream.Stream<Uint8Array, E, R>
  ) => Effect.Effect<void, BackupError | E, R>
  /** Makes a backup of what was written. */
  readonly finish: Effect.Effect<void, BackupError>
  /** Removes everything that was written. */
  readonly abandon: Effect.Effect<void>
  readonly read: (file: string) => Stream.Stream<Uint8Array, BackupError>
  /** Why there is no manifest. */
  readonly notOne: Effect.Effect<BackupError>
}

/** A folder that only its owner may read. It is `PATH.partial` until it is complete. */
export const inFolder = (named: string): Place => {
  const target = named.replace(/(?<=.)\/+$/, "")
  const making = `${target}.partial`
  const onError = failed(`${target} could not be written`)
  const clear = Effect.sync(() => fs.rmSync(making, { recursive: true, force: true }))
  return {
    name: target,
    begin: Effect.suspend(() =>
      fs.existsSync(target)
        ? Effect.fail(new BackupError({ message: `${target} already exists: name a new folder.` }))
        : Effect.andThen(clear, Effect.try({ try: () => makeFolder(making, 0o700), catch: onError }))
    ),
    write: Effect.fnUntraced(function* (file, bytes) {
      const whole = path.join(making, file)
      const onError = failed(`${whole} could not be written`)
      yield* Effect.try({ try: () => makeFolder(path.dirname(whole), 0o700), catch: onError })
      yield* Stream.run(
        bytes,
        NodeSink.fromWritable({
          // Flushed to disk before the backup counts as complete.
          evaluate: () => fs.createWriteStream(whole, { mode: 0o600, flags: "wx", flush: true }),
          onError
        })
      )
    }),
    finish: Effect.try({ try: () => fs.renameSync(making, path.resolve(target)), catch: onError }),
    abandon: clear,
    read: (file) =>
      NodeStream.fromReadable<Uint8Array, BackupError>({
        evaluate: () => fs.createReadStream(path.join(target, file)),
        onError: failed(`${path.join(target, file)} could not be read`)
      }),
    notOne: Effect.sync(
      () =>
        new BackupError({
          message: target.endsWith(".partial")
            ? `${target} is a backup that was interrupted. Use a whole one.`
            : `${path.join(target, manifestFile)} cannot be read: ${target} is not a backup.`
        })
    )
  }
}

interface StoreFolder {
  readonly store: Store
  /** Ends in a slash. */
  readonly prefix: string
  readonly name: string
}

/** Is there while a backup is being written to a store, so that nothing else is ever taken for a half one. */
const partialMark = "partial"

/** What the store's failure means for whoever runs the command. */
const inWords = (name: string) => (error: ObjectStoreError | ObjectNotFound) => {
  if (error._tag === "ObjectNotFound") {
    return new BackupError({ message: `${error.key} is missing from ${name}: use another copy.` })
  }
  const next =
    error.reason === "denied"
      ? "It refuses the key: look whether AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are right, and whether the key may read, write, list and delete there."
      : error.reason === "unavailable"
        ? "It does not answer: look whether host, port and tls are right, and try again."
        : "Look whether the bucket exists."
  return new BackupError({ message: `${name} could not be used (${error.detail}). ${next}` })
}

/** The keys of a store that begin with a prefix. A backup there is complete once it has a manifest, its last file. */
export const inStore = ({ store, prefix, name }: StoreFolder): Place => {
  const onError = inWords(name)
  const has = (file: string) => Effect.map(store.head(prefix + file), Option.isSome)
  const put = (file: string, text: string) =>
    store.put(prefix + file, Stream.encodeText(Stream.succeed(text)), "text/plain")
  const clear = store.deletePrefix(prefix)
  return {
    name,
    begin: Effect.gen(function* () {
      if (yield* has(manifestFile)) {
        return yield* new BackupError({ message: `${name} is a backup already: name another folder.` })
      }
      if (yield* has(partialMark)) yield* clear
      const others = yield* Stream.runHead(store.list(prefix))
      if (Option.isSome(others)) {
        return yield* new BackupError({ message: `${name} has other objects: name another folder.` })
      }
      yield* put(partialMark, "A backup that is being written, or was interrupted.\n")
    }).pipe(Effect.catchTag("ObjectStoreError", (error) => Effect.fail(onError(error)))),
    write: (file, bytes) =>
      // What is copied may fail as a store does, too.
      store
        .put(
          prefix + file,
          Stream.mapError(bytes, (source) => ({ source })),
          "application/octet-stream"
        )
        .pipe(
          Effect.asVoid,
          Effect.mapError((error) => ("source" in error ? error.source : onError(error)))
        ),
    finish: Effect.mapError(store.delete(prefix + partialMark), onError),
    abandon: Effect.ignore(clear),
    read: (file) => Stream.mapError(store.read(prefix + file), onError),
    notOne: Effect.match(has(partialMark), {
      onSuccess: (isPartial) =>
        new BackupError({
          message: isPartial
            ? `${name} is a backup that was interrupted. Use a whole one.`
            : `${name} is not a backup: it has no ${manifestFile}.`
        }),
      onFailure: onError
    })
  }
}

/** The place that an operator named: a folder, or `s3://host/bucket/folder`. */
export const placeAt = Effect.fnUntraced(function* (named: string) {
  if (!named.startsWith("s3:")) return inFolder(named)
  const found = storeFolder(named, yield* Environment)
  if (Option.isSome(found)) return inStore(found.value)
  return yield* new BackupError({
    message:
      "The address must name host, bucket and folder, s3://host/bucket/folder?region=us-east-1, and AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set."
  })
})
