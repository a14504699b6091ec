import type { Effect, Schema } from "effect"
import type { Asked, Moved, PageFailure } from "../page.ts"

/** A file that programs subscribe to, or a picture for shared links: the same for everyone, next to a page. */
interface FeedFile {
  readonly contentType: string
  readonly text: string | Uint8Array
}

/** Loads such a file; the viewer makes no difference. */
export type LoadFile<R> = (
  asked: Omit<Asked, "viewer">
) => Effect.Effect<FeedFile | Moved, PageFailure | Schema.SchemaError, R>
