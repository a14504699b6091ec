import { readSync } from "node:fs"

/** Reads `bytes.length` bytes at `offset`, or up to the end of the file. Returns how many. */
export const readInto = (file: number, bytes: Uint8Array, offset: number): number => {
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(file, bytes, at, Math.min(bytes.length - at, 1 << 30), offset + at)
    if (read === 0) return at
    at += read
  }
  return bytes.length
}
