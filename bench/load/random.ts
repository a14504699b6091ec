/** Pseudorandom numbers, determined by their seed. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number
  /** An integer from 0 (inclusive) to `limit` (exclusive). */
  readonly below: (limit: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <A>(list: readonly [A, ...ReadonlyArray<A>]) => A
  /** A version 8 UUID, the version for custom schemes (RFC 9562, section 5.8). */
  readonly uuid: () => string
}

/** FNV-1a, 32 bits. */
const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}

/** sfc32, by Chris Doty-Humphrey (PractRand). */
export const randomOf = (...seed: ReadonlyArray<string | number>): Random => {
  const text = seed.join(" ")
  let [a, b, c, counter] = [hash(`a ${text}`), hash(`b ${text}`), hash(`c ${text}`), 1]
  const bits = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return sum >>> 0
  }
  for (let round = 0; round < 12; round++) bits()
  const next = () => bits() / 2 ** 32
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)] ?? list[0],
    uuid: () => {
      const hex = [bits(), bits(), bits(), bits()].map((part) => part.toString(16).padStart(8, "0")).join("")
      const variant = "89ab"[Number.parseInt(hex[16] ?? "0", 16) % 4]
      return [
        hex.slice(0, 8),
        hex.slice(8, 12),
        `8${hex.slice(13, 16)}`,
        `${variant}${hex.slice(17, 20)}`,
        hex.slice(20)
      ].join("-")
    }
  }
}

/** Draws indexes of a list with these weights. */
export const drawerOf = (weights: ReadonlyArray<number>) => {
  let sum = 0
  const sums = weights.map((weight) => {
    sum += weight
    return sum
  })
  return (random: Random): number => {
    const wanted = random.next() * sum
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) > wanted) high = middle
      else low = middle + 1
    }
    return low
  }
}
