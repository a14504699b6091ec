import { closeSync } from "node:fs"
import { crc32 } from "node:zlib"
import { blockBytes } from "./checksums.ts"
import { readInto } from "./read-into.ts"

/** One block, while it is checked. The engine is synchronous, so there is one at a time. */
const scratch = new Uint8Array(blockBytes)

/** An open piece file, each block of which is checked when it is read first. */
export class PieceReader {
  readonly #file: number
  readonly #size: number
  readonly #sums: Uint32Array
  /** 1 for each block that was found to be as it was written. */
  readonly #checked: Uint8Array
  /** Throws the error of a segment that is damaged. */
  readonly #refuse: (reason: string) => never

  constructor(file: number, size: number, sums: Uint32Array, refuse: (reason: string) => never) {
    this.#file = file
    this.#size = size
    this.#sums = sums
    this.#checked = new Uint8Array(Math.ceil(size / blockBytes))
    this.#refuse = refuse
    if (sums.length !== this.#checked.length) refuse(`it has ${sums.length} checksums`)
  }

  /** Reads `into.length` bytes at `offset`. */
  read(into: Uint8Array, offset: number) {
    if (offset + into.length > this.#size) this.#refuse(`a term reaches to ${offset + into.length}`)
    const end = Math.ceil((offset + into.length) / blockBytes)
    for (let block = Math.floor(offset / blockBytes); block < end; block++) {
      if (this.#checked[block] === 1) continue
      const begin = block * blockBytes
      const bytes = scratch.subarray(0, Math.min(blockBytes, this.#size - begin))
      this.#fill(bytes, begin)
      this.check(block, bytes)
    }
    this.#fill(into, offset)
  }

  /** Checks blocks that were read by other means, the first of which is `first`. */
  check(first: number, bytes: Uint8Array) {
    for (let at = 0, block = first; at < bytes.length; at += blockBytes, block++) {
      if (crc32(bytes.subarray(at, at + blockBytes)) !== this.#sums[block]) this.#refuse(`block ${block} was altered`)
      this.#checked[block] = 1
    }
  }

  close() {
    closeSync(this.#file)
  }

  #fill(into: Uint8Array, offset: number) {
    if (readInto(this.#file, into, offset) < into.length) this.#refuse("it was cut short")
  }
}
