import { Worker } from "node:worker_threads"
import { Data, Effect, Schema } from "effect"
import { readable } from "../../../record/readable.ts"

/** The file is not a PDF, is encrypted, or takes more time or memory than any agenda should. */
export class UnreadablePdf extends Data.TaggedError("UnreadablePdf")<{ readonly reason: string }> {}

const timeLimit = "60 seconds"
const mostMemory = 512

const Answer = Schema.Union([
  Schema.Struct({ lines: Schema.Array(Schema.String) }),
  Schema.Struct({ reason: Schema.String })
])

/**
 * The lines of a PDF's text from top to bottom; empty if it has only pictures. A thread with bounded time and memory
 * reads it, so a hostile file can stall neither the heartbeat nor the process.
 */
export const pdfLines = Effect.fn("Agenda.pdfLines")(function* (bytes: Uint8Array) {
  const message = yield* Effect.callback<unknown, UnreadablePdf>((resume) => {
    const worker = new Worker(new URL("./pdf-worker.ts", import.meta.url), {
      workerData: bytes,
      resourceLimits: { maxOldGenerationSizeMb: mostMemory },
      // Silences the library's warnings about fonts.
      stdout: true,
      stderr: true
    })
    worker.once("message", (value) => resume(Effect.succeed(value)))
    worker.once("error", (error) => resume(Effect.fail(new UnreadablePdf({ reason: error.name }))))
    worker.once("exit", () => resume(Effect.fail(new UnreadablePdf({ reason: "it gave no text" }))))
    return Effect.promise(() => worker.terminate())
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeLimit,
      orElse: () => Effect.fail(new UnreadablePdf({ reason: "it takes too long" }))
    })
  )
  const answer = yield* Effect.mapError(
    Schema.decodeUnknownEffect(Answer)(message),
    () => new UnreadablePdf({ reason: "it gave no text" })
  )
  if ("reason" in answer) return yield* new UnreadablePdf(answer)
  return answer.lines.map(readable)
})
