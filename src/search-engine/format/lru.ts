/** An LRU cache bounded in bytes. A value larger than half of the bound is not cached. */
export class Lru<Value> {
  readonly #mostBytes: number
  readonly #entries = new Map<string, { readonly value: Value; readonly bytes: number }>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    // A Map lists its keys in the order of insertion, so the first one is the least recently used.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: Value, bytes: number) {
    if (bytes > this.#mostBytes / 2 || this.#entries.has(key)) return
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#mostBytes) return
      this.#entries.delete(oldest)
      this.#bytes -= entry.bytes
    }
  }
}
