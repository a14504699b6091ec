import { closeSync, openSync, readSync } from "node:fs"
import { grown, uint8s } from "../format/growable.ts"
import { append } from "../format/segment-files.ts"

const blockBytes = 1 << 22

/**
 * Writes the forward index, the temporary file between a build's two passes: one length-prefixed record per document.
 */
export class ForwardWriter {
  readonly #file: number
  #buffer = new Uint8Array(1 << 16)
  #view = new DataView(this.#buffer.buffer)
  #to = 0

  constructor(path: string) {
    this.#file = openSync(path, "w")
  }

  /** `write` puts a record of at most `mostBytes` at an offset and returns where it ends. */
  record(mostBytes: number, write: (out: Uint8Array, at: number) => number) {
    if (this.#to > blockBytes) this.#flush()
    const needed = this.#to + 4 + mostBytes
    if (needed > this.#buffer.length) {
      this.#buffer = grown(this.#buffer, needed, uint8s)
      this.#view = new DataView(this.#buffer.buffer)
    }
    const end = write(this.#buffer, this.#to + 4)
    this.#view.setUint32(this.#to, end - this.#to - 4)
    this.#to = end
  }

  close() {
    this.#flush()
    closeSync(this.#file)
  }

  #flush() {
    append(this.#file, this.#buffer.subarray(0, this.#to))
    this.#to = 0
  }
}

/** Reads the records of a forward index in sequence; it can be rewound any number of times. */
export class ForwardReader {
  readonly #file: number
  /** Holds the record found by `next`, from the offset that it returned. */
  bytes = new Uint8Array(1 << 16)
  #view = new DataView(this.bytes.buffer)
  #from = 0
  #to = 0
  #offset = 0

  constructor(path: string) {
    this.#file = openSync(path, "r")
  }

  rewind() {
    this.#from = this.#to = this.#offset = 0
  }

  /** Where the next record begins in `bytes`. */
  next(): number {
    this.#fill(4)
    const length = this.#view.getUint32(this.#from)
    this.#fill(4 + length)
    const begin = this.#from + 4
    this.#from = begin + length
    return begin
  }

  close() {
    closeSync(this.#file)
  }

  /** Reads on until the buffer has `length` bytes of the next record. */
  #fill(length: number) {
    if (this.#to - this.#from >= length) return
    this.bytes.copyWithin(0, this.#from, this.#to)
    this.#to -= this.#from
    this.#from = 0
    if (length > this.bytes.length) {
      this.bytes = grown(this.bytes, Math.max(length, blockBytes), uint8s)
      this.#view = new DataView(this.bytes.buffer)
    }
    while (this.#to < length) {
      const read = readSync(this.#file, this.bytes, this.#to, this.bytes.length - this.#to, this.#offset)
      if (read === 0) throw new RangeError("the forward file ends within a record")
      this.#to += read
      this.#offset += read
    }
  }
}
