import { Effect, type Option, type Scope, type Stream } from "effect"
import { type ObjectNotFound, ObjectStoreError } from "./errors.ts"

/** The description of an object. */
export interface StoredObject {
  readonly bytes: number
  /** Strong, with its quotes (RFC 9110, section 8.8.3). */
  readonly etag: string
  readonly media_type: string
  readonly modified: Date
}

/** An open object: its bytes are those of the version described. */
export interface OpenObject extends StoredObject {
  /**
   * The bytes from `start` to `end`, both included, at most 256 KB at a time. A chunk is valid only until the next one
   * is requested, which suits the writing of a response; to keep a chunk, copy it.
   */
  readonly bytesFrom: (start: number, end: number) => Stream.Stream<Uint8Array, ObjectNotFound | ObjectStoreError>
}

/** Which bytes of an object: both ends are included, as in an HTTP range; bytes past its end are ignored. */
interface ReadOptions {
  readonly start?: number | undefined
  readonly end?: number | undefined
  /** Read only this version, so that an object replaced since `head` is not served under its old size and tag. */
  readonly etag?: string | undefined
}

/** Media files by key, in a folder or in any S3-compatible store (contract section 7). */
export interface Store {
  /**
   * Stores a file, given by its path, or a stream under a key, whole or not at all: a concurrent reader gets the old
   * bytes or the new. A folder derives the media type from the key's extension instead.
   */
  readonly put: <E = never, R = never>(
    key: string,
    source: string | Stream.Stream<Uint8Array, E, R>,
    mediaType: string
  ) => Effect.Effect<StoredObject, ObjectStoreError | E, R>
  readonly head: (key: string) => Effect.Effect<Option.Option<StoredObject>, ObjectStoreError>
  /** Describes an object and keeps it open until the scope closes. */
  readonly open: (key: string) => Effect.Effect<Option.Option<OpenObject>, ObjectStoreError, Scope.Scope>
  /** The bytes on demand, at most 256 KB at a time; ending the stream early frees the file or the connection. */
  readonly read: (key: string, options?: ReadOptions) => Stream.Stream<Uint8Array, ObjectNotFound | ObjectStoreError>
  /**
   * The path of a file with these bytes, read-only, until the scope closes: the store's own if it has one, else a copy
   * in `folder`, if there is room.
   */
  readonly file: (key: string, folder: string) => Effect.Effect<string, ObjectNotFound | ObjectStoreError, Scope.Scope>
  /** Succeeds if there was nothing to delete. */
  readonly delete: (key: string) => Effect.Effect<void, ObjectStoreError>
  /** Deletes everything under a prefix such as `meetings/{id}/`. The prefix "" is refused. */
  readonly deletePrefix: (prefix: string) => Effect.Effect<void, ObjectStoreError>
  /** The keys under a prefix that ends in a slash, or under "" all keys; ascending by bytes. */
  readonly list: (prefix: string) => Stream.Stream<string, ObjectStoreError>
}

/**
 * Segments of letters, digits, dots, dashes and underscores that do not begin with a dot, so that no key leads outside.
 */
export const isKey = (key: string): boolean =>
  key.length <= 512 && key.split("/").every((part) => /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/.test(part))

export const checkKey = (key: string): Effect.Effect<void, ObjectStoreError> =>
  isKey(key) ? Effect.void : Effect.fail(new ObjectStoreError({ reason: "failed", key, detail: "not a key" }))

export const checkPrefix = (prefix: string): Effect.Effect<void, ObjectStoreError> =>
  prefix.endsWith("/") && isKey(prefix.slice(0, -1))
    ? Effect.void
    : Effect.fail(new ObjectStoreError({ reason: "failed", key: prefix, detail: "not a prefix" }))
