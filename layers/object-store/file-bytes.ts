import * as fs from "node:fs"
import { Cause, Effect, type Pull, Stream } from "effect"

/** The size of a chunk that is read and sent. */
export const chunkBytes = 256 * 1024

/** A smaller chunk gets its own buffer, because a socket may accept it and request more before it is sent. */
const smallestPooled = 128 * 1024
const mostPooled = 32
const pool: Array<Buffer> = []

/**
 * The bytes of an open file from `start` to `end`, inclusive. A chunk is valid until the next one is requested, because
 * its buffer is reused: allocating and clearing one per chunk was a third of the cost of sending a recording.
 */
export const fileBytes = (file: number, start: number, end: number): Stream.Stream<Uint8Array, Error> =>
  Stream.fromPull(
    Effect.sync(() => {
      const pooled = end - start + 1 < smallestPooled ? undefined : (pool.pop() ?? Buffer.allocUnsafeSlow(chunkBytes))
      let at = start
      return Effect.callback<readonly [Uint8Array], Error | Cause.Done>((resume) => {
        const length = Math.min(chunkBytes, end - at + 1)
        if (length <= 0) {
          // After an early end, a socket may still be sending the last chunk, so its buffer is not reused.
          if (pooled !== undefined && pool.length < mostPooled) pool.push(pooled)
          return resume(Cause.done())
        }
        const chunk = pooled === undefined || length < smallestPooled ? Buffer.allocUnsafe(length) : pooled
        fs.read(file, chunk, 0, length, at, (error, bytesRead) => {
          if (error !== null || bytesRead === 0) {
            return resume(Effect.fail(error ?? new Error("the file has become shorter")))
          }
          at += bytesRead
          resume(Effect.succeed([chunk.subarray(0, bytesRead)]))
        })
        // The file must stay open during a read: a closed descriptor may be reassigned to another file.
      }).pipe(Effect.uninterruptible) satisfies Pull.Pull<readonly [Uint8Array], Error>
    })
  )
