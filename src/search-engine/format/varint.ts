/** The varint length of a number below 2^32: seven bits a byte, the lowest first. */
export const varintSize = (value: number): number =>
  value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5

/** Writes a number below 2^32 at `at`, and returns where it ends. */
export const writeVarint = (bytes: Uint8Array, at: number, value: number): number => {
  let rest = value
  let to = at
  while (rest > 0x7f) {
    bytes[to++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  bytes[to++] = rest
  return to
}

/** Where the length-prefixed bytes at `at` end. */
export const afterPrefixed = (bytes: Uint8Array, at: number): number => {
  const length = bytes[at] ?? 0
  if (length < 0x80) return at + 1 + length
  const reader = new VarintReader(bytes, at)
  reader.skip()
  return reader.at
}

/** Reads consecutive varints from `at` on. */
export class VarintReader {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  next(): number {
    let byte = this.bytes[this.at++] ?? 0
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    let shift = 7
    do {
      byte = this.bytes[this.at++] ?? 0
      value |= (byte & 0x7f) << shift
      shift += 7
    } while (byte > 0x7f)
    return value >>> 0
  }

  /** Skips length-prefixed bytes. */
  skip() {
    const length = this.next()
    this.at += length
  }
}
