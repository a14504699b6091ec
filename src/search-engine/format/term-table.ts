import { grown, uint8s, uint32s } from "./growable.ts"

/** FNV-1a of `bytes[from, to)`, with its upper bits folded into the lower ones that a table uses. */
const hashOf = (bytes: Uint8Array, from: number, to: number): number => {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x0100_0193)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** A power of two that leaves half of an open-addressed table empty. */
export const slotsFor = (entries: number): number => 2 ** Math.ceil(Math.log2(Math.max(2, entries * 2)))

/**
 * The term dictionary of a segment: numbers its terms in the order of their first appearance. Terms stay bytes, because
 * making a string of every lexeme of every document would be most of the cost of a build.
 */
export class TermTable {
  /** The number of terms. */
  size = 0
  /** The bytes of all terms, one after another; those of term `t` are `bytes[at[t], at[t + 1])`. */
  bytes = new Uint8Array(1 << 12)
  at = new Uint32Array(1 << 9)
  #hashes = new Uint32Array(1 << 9)
  #slots = new Int32Array(1 << 10).fill(-1)

  /** The table of a segment on disk. */
  static of(bytes: Uint8Array<ArrayBuffer>, at: Uint32Array<ArrayBuffer>): TermTable {
    const table = new TermTable()
    table.size = at.length - 1
    table.bytes = bytes
    table.at = at
    table.#hashes = new Uint32Array(table.size)
    for (let t = 0; t < table.size; t++) table.#hashes[t] = hashOf(bytes, at[t] ?? 0, at[t + 1] ?? 0)
    table.#rehash(slotsFor(table.size))
    return table
  }

  /** The number of the term `from[start, end)`, or -1. */
  find(from: Uint8Array, start: number, end: number): number {
    return this.#slots[this.#slotOf(from, start, end, hashOf(from, start, end))] ?? -1
  }

  /** The number of the term `from[start, end)`, adding it if it is new. */
  number(from: Uint8Array, start: number, end: number): number {
    const hash = hashOf(from, start, end)
    const slot = this.#slotOf(from, start, end, hash)
    const known = this.#slots[slot] ?? -1
    if (known >= 0) return known
    const term = this.size++
    const begin = this.at[term] ?? 0
    this.bytes = grown(this.bytes, begin + end - start, uint8s)
    this.bytes.set(from.subarray(start, end), begin)
    this.at = grown(this.at, term + 2, uint32s)
    this.at[term + 1] = begin + end - start
    this.#hashes = grown(this.#hashes, term + 1, uint32s)
    this.#hashes[term] = hash
    if (this.size * 2 > this.#slots.length) this.#rehash(this.#slots.length * 2)
    else this.#slots[slot] = term
    return term
  }

  /** The slot of a term, or the empty slot for it. */
  #slotOf(from: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const term = this.#slots[slot] ?? -1
      if (term < 0) return slot
      if (this.#hashes[term] !== hash) continue
      let at = this.at[term] ?? 0
      if ((this.at[term + 1] ?? 0) - at !== end - start) continue
      let i = start
      while (i < end && this.bytes[at] === from[i]) {
        i++
        at++
      }
      if (i === end) return slot
    }
  }

  #rehash(slots: number) {
    this.#slots = new Int32Array(slots).fill(-1)
    for (let t = 0; t < this.size; t++) {
      let slot = (this.#hashes[t] ?? 0) & (slots - 1)
      while ((this.#slots[slot] ?? -1) >= 0) slot = (slot + 1) & (slots - 1)
      this.#slots[slot] = t
    }
  }
}
