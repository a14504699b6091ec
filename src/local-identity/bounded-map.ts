/**
 * A map of at most `most` entries: when it is full, the oldest gives way to the new one. Lapsed entries are removed
 * when later ones are set, so each call takes constant time on average. A lapsed entry may still be there until then;
 * callers that care check its time themselves.
 */
export const makeBoundedMap = <A>(most: number) => {
  const kept = new Map<string, { readonly value: A; readonly lapses: number }>()
  return {
    get: (key: string): A | undefined => kept.get(key)?.value,
    /**
     * Kept until `lapses`, in milliseconds like `now`. Entries are expected to lapse in the order in which they come.
     */
    set: (key: string, value: A, { now, lapses }: { readonly now: number; readonly lapses: number }): void => {
      // Out first, so that what is set again is the newest.
      kept.delete(key)
      kept.set(key, { value, lapses })
      for (const [oldest, { lapses }] of kept) {
        if (lapses > now && kept.size <= most) return
        kept.delete(oldest)
      }
    },
    delete: (key: string): void => {
      kept.delete(key)
    },
    values: () => kept.values().map(({ value }) => value),
    size: () => kept.size
  }
}

/** How many sign-ins may be under way: far more than the readers of one machine begin, at a few kilobytes each. */
export const mostSignIns = 2000
