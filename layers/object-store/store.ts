import { Effect, type Option, type Scope, type Stream } from "effect"
import { type ObjectNotFound, ObjectStoreError } from "./errors.ts"

/** An object's metadata. */
export interface StoredObject {
  readonly bytes: number
  /** A strong ETag, with its quotes (RFC 9110, section 8.8.3). */
  readonly etag: string
  readonly media_type: string
  readonly modified: Date
}

/** An open object; its bytes are of the version described. */
export interface OpenObject extends StoredObject {
  /**
   * The bytes from `start` to `end`, inclusive, in chunks of at most 256 KB. A chunk is valid only until the next one
   * is requested, which suits writing a response; copy a chunk to retain it.
   */
  readonly bytesFrom: (start: number, end: number) => Stream.Stream<Uint8Array, ObjectNotFound | ObjectStoreError>
}

/** A range of an object's bytes, both ends inclusive as in HTTP; bytes past its end are ignored. */
interface ReadOptions {
  readonly start?: number | undefined
  readonly end?: number | undefined
  /** Reads only this version, so that an object replaced since `head` is not served under its old size and tag. */
  readonly etag?: string | undefined
}

/** How the store itself answers at an address of its own. */
interface Handed {
  /** How long the address is good for. */
  readonly seconds: number
  readonly cacheControl: string
  /** The name of the file to save it as. */
  readonly downloadAs?: string
}

/** Addresses at which a store sends its objects itself. */
export interface Presigned {
  /** The origin of all of them. */
  readonly origin: string
  /** An address of one object, for GET alone; nothing looks whether the object exists. */
  readonly address: (key: string, handed: Handed) => Effect.Effect<string, ObjectStoreError>
}

/** Media files by key, in a folder or in any S3-compatible store (contract section 7). */
export interface Store {
  /**
   * Stores a file, given by its path, or a stream under a key, atomically: a concurrent reader gets the old bytes or
   * the new. A folder derives the media type from the key's extension instead.
   */
  readonly put: <E = never, R = never>(
    key: string,
    source: string | Stream.Stream<Uint8Array, E, R>,
    mediaType: string
  ) => Effect.Effect<StoredObject, ObjectStoreError | E, R>
  readonly head: (key: string) => Effect.Effect<Option.Option<StoredObject>, ObjectStoreError>
  /** Describes an object, and keeps it open until the scope closes. */
  readonly open: (key: string) => Effect.Effect<Option.Option<OpenObject>, ObjectStoreError, Scope.Scope>
  /** A stream of the bytes in chunks of at most 256 KB; ending it early releases the file or the connection. */
  readonly read: (key: string, options?: ReadOptions) => Stream.Stream<Uint8Array, ObjectNotFound | ObjectStoreError>
  /**
   * A read-only file with these bytes, valid until the scope closes: the store's own if it has one, else a copy in
   * `folder`, if there is room.
   */
  readonly file: (key: string, folder: string) => Effect.Effect<string, ObjectNotFound | ObjectStoreError, Scope.Scope>
  /** Idempotent. */
  readonly delete: (key: string) => Effect.Effect<void, ObjectStoreError>
  /** Deletes everything under a prefix such as `meetings/{id}/`. The prefix "" is refused. */
  readonly deletePrefix: (prefix: string) => Effect.Effect<void, ObjectStoreError>
  /** The keys under a prefix that ends in a slash, or all keys under ""; in ascending byte order. */
  readonly list: (prefix: string) => Stream.Stream<string, ObjectStoreError>
  /** A folder has no addresses. */
  readonly presigned?: Presigned
}

/**
 * Segments of letters, digits, dots, dashes and underscores that do not begin with a dot, so that no key escapes the
 * store.
 */
export const isKey = (key: string): boolean =>
  key.length <= 512 && key.split("/").every((part) => /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/.test(part))

export const checkKey = (key: string): Effect.Effect<void, ObjectStoreError> =>
  isKey(key) ? Effect.void : Effect.fail(new ObjectStoreError({ reason: "failed", key, detail: "not a key" }))

export const checkPrefix = (prefix: string): Effect.Effect<void, ObjectStoreError> =>
  prefix.endsWith("/") && isKey(prefix.slice(0, -1))
    ? Effect.void
    : Effect.fail(new ObjectStoreError({ reason: "failed", key: prefix, detail: "not a prefix" }))
