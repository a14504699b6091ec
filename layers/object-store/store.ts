import { Effect, type Option, type Scope, type Stream } from "effect"
import { type ObjectNotFound, ObjectStoreError } from "./errors.ts"

/** What is known of an object without reading it. */
export interface StoredObject {
  readonly bytes: number
  /** Strong, with its quotes (RFC 9110, section 8.8.3). */
  readonly etag: string
  readonly media_type: string
  readonly modified: Date
}

/** An object that is open: its bytes are of the very version that is described. */
export interface OpenObject extends StoredObject {
  /**
   * The bytes from `start` to `end`, both included, at most 256 KB at a time. A chunk is good until the next one is asked
   * for, which is how a response is written: who keeps chunks copies them.
   */
  readonly bytesFrom: (start: number, end: number) => Stream.Stream<Uint8Array, ObjectNotFound | ObjectStoreError>
}

/** Which bytes of an object: both ends included, as a range counts them, and what lies past its end left out. */
export interface ReadOptions {
  readonly start?: number | undefined
  readonly end?: number | undefined
  /** Read only this version, so that an object replaced since `head` is not served under its old size and tag. */
  readonly etag?: string | undefined
}

/** Media files by key, in a folder or in any S3-compatible store (contract section 7). */
export interface Store {
  /**
   * Puts a file, given by its path, or a stream under a key, whole or not at all: who reads the key meanwhile gets the old
   * bytes or the new. A folder goes by the key's extension instead of `mediaType`.
   */
  readonly put: <E = never, R = never>(
    key: string,
    source: string | Stream.Stream<Uint8Array, E, R>,
    mediaType: string
  ) => Effect.Effect<StoredObject, ObjectStoreError | E, R>
  readonly head: (key: string) => Effect.Effect<Option.Option<StoredObject>, ObjectStoreError>
  /** Describes an object and keeps it open as long as the scope. */
  readonly open: (key: string) => Effect.Effect<Option.Option<OpenObject>, ObjectStoreError, Scope.Scope>
  /** The bytes as they are asked for, at most 256 KB at a time; letting go of the stream frees the file or the connection. */
  readonly read: (key: string, options?: ReadOptions) => Stream.Stream<Uint8Array, ObjectNotFound | ObjectStoreError>
  /**
   * The path of a file with these bytes, to be read and left as it is until the scope closes: the store's own where it has
   * one, else a copy in `folder`, if that has the room.
   */
  readonly file: (key: string, folder: string) => Effect.Effect<string, ObjectNotFound | ObjectStoreError, Scope.Scope>
  /** Done too where there was nothing. */
  readonly delete: (key: string) => Effect.Effect<void, ObjectStoreError>
  /** Deletes all that is under a prefix such as `meetings/{id}/`; not everything at once, so not under "". */
  readonly deletePrefix: (prefix: string) => Effect.Effect<void, ObjectStoreError>
  /** The keys under a prefix that ends in a slash, or under "" all keys; ascending by bytes. */
  readonly list: (prefix: string) => Stream.Stream<string, ObjectStoreError>
}

/** Segments of letters, digits, dot, dash and underscore that do not begin with a dot: none of them can lead out. */
export const isKey = (key: string): boolean =>
  key.length <= 512 && key.split("/").every((part) => /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/.test(part))

export const checkKey = (key: string): Effect.Effect<void, ObjectStoreError> =>
  isKey(key) ? Effect.void : Effect.fail(new ObjectStoreError({ reason: "failed", key, detail: "not a key" }))

export const checkPrefix = (prefix: string): Effect.Effect<void, ObjectStoreError> =>
  prefix.endsWith("/") && isKey(prefix.slice(0, -1))
    ? Effect.void
    : Effect.fail(new ObjectStoreError({ reason: "failed", key: prefix, detail: "not a prefix" }))
