/** How many bytes a chunk has, and how many bytes of chunks an arena keeps for its next query. */
const chunkBytes = 1 << 20
const keptBytes = 8 << 20

/** Every kind of number begins at a multiple of its size. */
const alignment = 8

/**
 * Room for the lists, bitsets and counts of one query, used again by the next. V8 looks through its whole heap whenever 64 MB of
 * arrays have been made since it last did, however small the heap has remained, and a query makes one to three. That costs a
 * tenth of a second of CPU each time, on two cores out of the time of those who wait for an answer.
 */
export class Arena {
  #chunks: Array<ArrayBuffer> = []
  #chunk = 0
  #at = 0

  /** A place for so many bytes, whatever was in it. */
  #place(bytes: number): { readonly buffer: ArrayBuffer; readonly at: number } {
    for (; this.#chunk < this.#chunks.length; this.#chunk++, this.#at = 0) {
      const buffer = this.#chunks[this.#chunk]
      if (buffer === undefined || this.#at + bytes > buffer.byteLength) continue
      const at = this.#at
      this.#at += Math.ceil(bytes / alignment) * alignment
      return { buffer, at }
    }
    this.#chunks.push(new ArrayBuffer(Math.max(chunkBytes, bytes)))
    return this.#place(bytes)
  }

  uint32s(length: number): Uint32Array<ArrayBuffer> {
    const { buffer, at } = this.#place(length * Uint32Array.BYTES_PER_ELEMENT)
    return new Uint32Array(buffer, at, length)
  }

  uint8s(length: number): Uint8Array<ArrayBuffer> {
    const { buffer, at } = this.#place(length)
    return new Uint8Array(buffer, at, length)
  }

  /** Makes all of its room free. What was placed in it must not be read afterwards. */
  clear() {
    let left = keptBytes
    this.#chunks = this.#chunks.filter(({ byteLength }) => {
      if (byteLength > left) return false
      left -= byteLength
      return true
    })
    this.#chunk = 0
    this.#at = 0
  }
}

/** The arena of the query that is being answered. What the index does is synchronous, so there is one at a time. */
let current: Arena | undefined

/** Has what `run` makes placed in an arena. */
export const placedIn = <A>(arena: Arena, run: () => A): A => {
  const outer = current
  current = arena
  try {
    return run()
  } finally {
    current = outer
  }
}

/** So many numbers, all 0, for as long as the query whose arena they are in; outside of a query, for good. */
export const zeros = (length: number): Uint32Array<ArrayBuffer> =>
  current === undefined ? new Uint32Array(length) : current.uint32s(length).fill(0)

/** The same numbers in an array that may be changed, for as long as `zeros`. */
export const copyOf = (numbers: Uint32Array): Uint32Array<ArrayBuffer> => {
  const copy = current === undefined ? new Uint32Array(numbers.length) : current.uint32s(numbers.length)
  copy.set(numbers)
  return copy
}

/** So many bytes, whatever they are, for as long as `zeros`. */
export const someBytes = (length: number): Uint8Array<ArrayBuffer> =>
  current === undefined ? new Uint8Array(length) : current.uint8s(length)
