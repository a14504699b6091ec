import { crc32 } from "node:zlib"

/** A piece file has a checksum for each block of this size. */
export const blockBytes = 1 << 14

/** The checksums of a file's blocks, while it is written in parts of any length. */
export class BlockSums {
  readonly #sums: Array<number> = []
  #sum = 0
  #length = 0

  append(bytes: Uint8Array) {
    for (let at = 0; at < bytes.length; ) {
      const end = Math.min(bytes.length, at + blockBytes - this.#length)
      this.#sum = crc32(bytes.subarray(at, end), this.#sum)
      this.#length += end - at
      at = end
      if (this.#length === blockBytes) this.#endBlock()
    }
  }

  finish(): Uint32Array {
    if (this.#length > 0) this.#endBlock()
    return Uint32Array.from(this.#sums)
  }

  #endBlock() {
    this.#sums.push(this.#sum)
    this.#sum = 0
    this.#length = 0
  }
}

/** A text with its checksum in a line of its own. */
export const sealed = (text: string): string => `${text}\n${crc32(text)}\n`

/** The text of `sealed`, or undefined if it is not the one that was written. */
export const unsealed = (written: string): string | undefined => {
  const text = written.slice(0, Math.max(0, written.lastIndexOf("\n", written.length - 2)))
  return sealed(text) === written ? text : undefined
}
