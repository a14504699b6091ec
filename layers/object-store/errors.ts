import { Data } from "effect"

/** There is no object with this key, or not in the requested version. */
export class ObjectNotFound extends Data.TaggedError("ObjectNotFound")<{ readonly key: string }> {
  override get message() {
    return `The media store has no ${this.key}`
  }
}

/**
 * The store failed: it is unavailable, denied us access, or something else went wrong. `detail` is a status or a system
 * error code, never an address or a credential.
 */
export class ObjectStoreError extends Data.TaggedError("ObjectStoreError")<{
  readonly reason: "unavailable" | "denied" | "failed"
  readonly key: string
  readonly detail: string
}> {
  override get message() {
    return `The media store could not serve ${this.key}: ${this.detail}`
  }
}
