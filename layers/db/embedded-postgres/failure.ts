import { Data } from "effect"

/** The embedded database did not start, or cannot be restarted; `message` is one line with the cause and the remedy. */
export class EmbeddedPostgresError extends Data.TaggedError("EmbeddedPostgresError")<{ readonly message: string }> {}
