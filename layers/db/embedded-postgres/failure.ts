import { Data } from "effect"

/** The embedded database did not start, or cannot be brought back; `message` says why in one line and what to do. */
export class EmbeddedPostgresError extends Data.TaggedError("EmbeddedPostgresError")<{ readonly message: string }> {}
