import { Data } from "effect"

/** No object has this key, or not the version of it that was asked for. */
export class ObjectNotFound extends Data.TaggedError("ObjectNotFound")<{ readonly key: string }> {
  override get message() {
    return `The media store has no ${this.key}`
  }
}

/**
 * The store did not do as asked: it is away, it refused us, or something else. `detail` is a status or a code of the
 * system, never an address or a credential.
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
