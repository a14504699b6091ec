/** How many of something each key holds at the same time, such as the open streams of an address. */
export interface HeldCounts {
  /** Takes one more, unless the key holds `limit` already. */
  readonly hold: (key: string, limit: number) => boolean
  readonly release: (key: string, count?: number) => void
}

export const makeHeldCounts = (): HeldCounts => {
  const held = new Map<string, number>()
  return {
    hold: (key, limit) => {
      const count = held.get(key) ?? 0
      if (count < limit) held.set(key, count + 1)
      return count < limit
    },
    release: (key, count = 1) => {
      const left = (held.get(key) ?? 0) - count
      if (left > 0) held.set(key, left)
      else held.delete(key)
    }
  }
}
