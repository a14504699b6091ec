import * as fs from "node:fs"
import { Effect, Stream } from "effect"
import { ObjectStoreError } from "../../../layers/object-store/object-store.ts"
import { GivenRecordings, nextPiece } from "./given-recordings.ts"

/**
 * Gives a meeting a recording that is on this machine, from where an earlier upload of the same file stopped, and hands
 * it over to the pipeline. Returns the upload.
 */
export const giveFile = Effect.fn("GivenRecordings.giveFile")(function* (
  meeting: string,
  file: string,
  about: { readonly name: string; readonly modified?: number; readonly captions?: Uint8Array | undefined },
  onProgress: (received: number, of: number) => Effect.Effect<void> = () => Effect.void
) {
  const { begin, append, finish } = yield* GivenRecordings
  let upload = yield* begin(meeting, { ...about, bytes: fs.statSync(file).size })
  while (upload.received < upload.bytes) {
    const { id, received } = upload
    const piece = fs.createReadStream(file, { start: received, end: received + nextPiece(upload) - 1 })
    const unread = () => new ObjectStoreError({ reason: "failed", key: about.name, detail: "it cannot be read" })
    upload = yield* append(id, received, Stream.fromAsyncIterable<Uint8Array, ObjectStoreError>(piece, unread))
    yield* onProgress(upload.received, upload.bytes)
  }
  return yield* finish(upload.id)
})
