/** Keeps what was used last, up to a number of bytes. What is larger than half of that by itself is not kept. */
export class Lru<Value> {
  readonly #most: number
  readonly #entries = new Map<string, { readonly value: Value; readonly bytes: number }>()
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    // A Map lists its keys as they were set, so the first one is that which was used longest ago.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: Value, bytes: number) {
    if (bytes > this.#most / 2 || this.#entries.has(key)) return
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#most) return
      this.#entries.delete(oldest)
      this.#bytes -= entry.bytes
    }
  }
}
