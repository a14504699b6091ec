import * as fs from "node:fs"
import { createZstdDecompress } from "node:zlib"

/**
 * The bytes of a file compressed with Zstandard. Such a file may be a sequence of frames (RFC 8878, section 3.1), as
 * `pzstd` and `cat` make it; Node decompresses one frame and silently drops the rest, so each frame is opened
 * separately.
 */
export async function* zstdBytes(path: string): AsyncGenerator<Uint8Array> {
  const { size } = await fs.promises.stat(path)
  let start = 0
  while (start < size) {
    const packed = fs.createReadStream(path, { start })
    const frame = createZstdDecompress()
    // An error after the end of a frame is about the next one, which is opened separately.
    frame.on("error", () => undefined).on("end", () => packed.unpipe(frame))
    packed.on("error", (error) => frame.destroy(error)).pipe(frame)
    try {
      yield* frame
    } finally {
      packed.destroy()
    }
    start += frame.bytesWritten
  }
}
