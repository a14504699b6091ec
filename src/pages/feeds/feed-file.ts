import type { Effect, Schema } from "effect"
import type { Asked, Moved, PageFailure } from "../page.ts"

/** A file that programs subscribe to: the same for everyone, at an address next to a page's. */
interface FeedFile {
  readonly contentType: string
  readonly text: string
}

/** Loads such a file; the viewer makes no difference. */
export type LoadFile<R> = (
  asked: Omit<Asked, "viewer">
) => Effect.Effect<FeedFile | Moved, PageFailure | Schema.SchemaError, R>
