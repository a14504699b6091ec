import { Worker } from "node:worker_threads"
import { Data, type Duration, Effect, Schema } from "effect"
import { readable } from "../../record/readable.ts"
import type { Reading } from "./reading.ts"

/** The file is not what it should be, is encrypted, or takes more time or memory than any document should. */
class Unreadable extends Data.TaggedError("Unreadable")<{ readonly reason: string }> {}

const mostMemory = 512

const Reason = Schema.Struct({ reason: Schema.String })
const Pages = Schema.Union([
  Schema.Struct({
    pages: Schema.Array(Schema.String),
    count: Schema.Int,
    bookmarks: Schema.optionalKey(Schema.Array(Schema.Struct({ title: Schema.String, page: Schema.Int })))
  }),
  Reason
])
const Images = Schema.Union([
  Schema.Struct({ images: Schema.Array(Schema.Struct({ number: Schema.Int, file: Schema.String })) }),
  Reason
])

/**
 * What a thread of its own reads, with bounded time and memory, so that a hostile file can stall neither the heartbeat
 * nor the process.
 */
const inThread = Effect.fnUntraced(function* <A extends object>(
  reading: Reading,
  answers: Schema.Codec<A | { readonly reason: string }>,
  timeLimit: Duration.Input
) {
  const message = yield* Effect.callback<unknown, Unreadable>((resume) => {
    const worker = new Worker(new URL("./read-worker.ts", import.meta.url), {
      workerData: reading,
      resourceLimits: { maxOldGenerationSizeMb: mostMemory },
      // Silences the library's warnings about fonts.
      stdout: true,
      stderr: true
    })
    worker.once("message", (value) => resume(Effect.succeed(value)))
    worker.once("error", (error) => resume(Effect.fail(new Unreadable({ reason: error.name }))))
    worker.once("exit", () => resume(Effect.fail(new Unreadable({ reason: "it gave no text" }))))
    return Effect.promise(() => worker.terminate())
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeLimit,
      orElse: () => Effect.fail(new Unreadable({ reason: "it takes too long" }))
    })
  )
  const answer = yield* Effect.mapError(
    Schema.decodeUnknownEffect(answers)(message),
    () => new Unreadable({ reason: "it gave no text" })
  )
  if ("reason" in answer) return yield* new Unreadable({ reason: String(answer.reason) })
  return answer
})

/** The text of a document's pages, of a page that has only pictures, none; and the bookmarks of a PDF. */
export const readPages = Effect.fn("Reading.pages")(function* (
  reading: Exclude<Reading, { readonly as: "images" }>,
  timeLimit: Duration.Input
) {
  const { pages, count, bookmarks = [] } = yield* inThread(reading, Pages, timeLimit)
  return {
    pages: pages.map(readable),
    count,
    bookmarks: bookmarks.map(({ title, page }) => ({ title: readable(title), page }))
  }
})

/** Files with pictures of a PDF's pages; of a page that has no picture, none. */
export const readImages = (from: string, numbers: ReadonlyArray<number>, folder: string) =>
  Effect.map(inThread({ as: "images", from, numbers, folder }, Images, "2 minutes"), ({ images }) => images)

/** The pages of an agenda's PDF that are read: later ones are attachments. */
const pagesOfAgenda = 60

/** The lines of an agenda's PDF from top to bottom; empty if it has only pictures. */
export const agendaLines = (from: string | Uint8Array) =>
  Effect.map(readPages({ as: "pdf", from, most: pagesOfAgenda }, "60 seconds"), ({ pages }) =>
    pages.flatMap((page) => (page === "" ? [] : page.split("\n")))
  )
