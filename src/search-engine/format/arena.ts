/** The size of an arena's chunk, and the most memory that a cleared arena retains, in bytes. */
const chunkBytes = 1 << 20
const retainedBytes = 8 << 20

/** Every typed array begins at a multiple of its element size. */
const alignment = 8

/**
 * Memory for the lists, bitsets and counts of one query, reused by the next. V8 marks its whole heap whenever another
 * 64 MB of arrays have been allocated, however small the heap has remained, and a query allocates one to three. Each
 * mark costs a tenth of a second of CPU, which on two cores delays the requests in flight.
 */
export class Arena {
  #chunks: Array<ArrayBuffer> = []
  #chunk = 0
  #at = 0

  /** Allocates this many bytes, uninitialized. */
  #allocate(bytes: number): { readonly buffer: ArrayBuffer; readonly at: number } {
    for (; this.#chunk < this.#chunks.length; this.#chunk++, this.#at = 0) {
      const buffer = this.#chunks[this.#chunk]
      if (buffer === undefined || this.#at + bytes > buffer.byteLength) continue
      const at = this.#at
      this.#at += Math.ceil(bytes / alignment) * alignment
      return { buffer, at }
    }
    this.#chunks.push(new ArrayBuffer(Math.max(chunkBytes, bytes)))
    return this.#allocate(bytes)
  }

  uint32s(length: number): Uint32Array<ArrayBuffer> {
    const { buffer, at } = this.#allocate(length * Uint32Array.BYTES_PER_ELEMENT)
    return new Uint32Array(buffer, at, length)
  }

  uint8s(length: number): Uint8Array<ArrayBuffer> {
    const { buffer, at } = this.#allocate(length)
    return new Uint8Array(buffer, at, length)
  }

  /** Frees everything at once. Arrays allocated in it must not be read afterwards. */
  clear() {
    let left = retainedBytes
    this.#chunks = this.#chunks.filter(({ byteLength }) => {
      if (byteLength > left) return false
      left -= byteLength
      return true
    })
    this.#chunk = 0
    this.#at = 0
  }
}

/** The arena of the current query. The engine is synchronous, so there is one at a time. */
let current: Arena | undefined

/** Lets `run` allocate in an arena. */
export const withArena = <A>(arena: Arena, run: () => A): A => {
  const outer = current
  current = arena
  try {
    return run()
  } finally {
    current = outer
  }
}

/**
 * An array of zeros. Within `withArena` it lives until that arena is cleared; elsewhere it is garbage-collected as
 * usual.
 */
export const zeros = (length: number): Uint32Array<ArrayBuffer> =>
  current === undefined ? new Uint32Array(length) : current.uint32s(length).fill(0)

/** A mutable copy, with the lifetime of `zeros`. */
export const copyOf = (numbers: Uint32Array): Uint32Array<ArrayBuffer> => {
  const copy = current === undefined ? new Uint32Array(numbers.length) : current.uint32s(numbers.length)
  copy.set(numbers)
  return copy
}

/** Uninitialized bytes, with the lifetime of `zeros`. */
export const scratchBytes = (length: number): Uint8Array<ArrayBuffer> =>
  current === undefined ? new Uint8Array(length) : current.uint8s(length)
