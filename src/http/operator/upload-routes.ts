import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { InvalidForm } from "../../console/forms.ts"
import type { ConsoleAsked } from "../../console/page.ts"
import { GivenRecordings, nextPiece, type Upload } from "../../services/making/given-recordings.ts"

/** An upload as the page's script reads it. */
const told = (upload: Upload) => {
  const { id, meeting, received, bytes } = upload
  return { id, meeting, received, bytes, next: nextPiece(upload) }
}

const wrong = (message: string) => new InvalidForm({ message })

/** A whole number of a form or a header. */
const numberIn = (name: string, text: string | null | undefined) =>
  /^\d{1,15}$/.test(text ?? "") ? Effect.succeed(Number(text)) : Effect.fail(wrong(`${name} must be a whole number.`))

/** Begins an upload, or finds that of the same file: a form with its `name`, `bytes` and `modified`. */
export const beginUpload = Effect.fn("Console.beginUpload")(function* ({ id = "" }: ConsoleAsked["params"]) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const form = new URLSearchParams(yield* Effect.orElseSucceed(request.text, () => ""))
  const bytes = yield* numberIn("bytes", form.get("bytes"))
  const modified = yield* numberIn("modified", form.get("modified"))
  const given = yield* GivenRecordings
  return told(yield* given.begin(id, { name: form.get("name") ?? "", bytes, modified }))
})

/** Adds the piece that the body is, at `Upload-Offset`. */
export const appendToUpload = Effect.fn("Console.appendToUpload")(function* ({ id = "" }: ConsoleAsked["params"]) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const offset = yield* numberIn("Upload-Offset", request.headers["upload-offset"])
  const adding = (yield* GivenRecordings).append(id, offset, request.stream)
  return told(yield* Effect.catchTag(adding, "HttpServerError", () => wrong("The piece broke off: send it again.")))
})

/** Hands a whole upload over. */
export const finishUpload = Effect.fn("Console.finishUpload")(function* ({ id = "" }: ConsoleAsked["params"]) {
  return told(yield* (yield* GivenRecordings).finish(id))
})
