/**
 * A map that cannot be filled: it holds at most `most` entries, of which the oldest gives way to a new one, and an entry
 * that has lapsed goes when a later one comes. Each call costs the same however many there are. An entry may outlive its
 * time until then, so whoever needs to know looks at the time itself.
 */
export const makeBoundedMap = <A>(most: number) => {
  const kept = new Map<string, { readonly value: A; readonly lapses: number }>()
  return {
    get: (key: string): A | undefined => kept.get(key)?.value,
    /** Kept until `lapses`, in milliseconds like `now`. Entries are expected to lapse in the order in which they come. */
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

/** How many sign-ins may be under way: an entry of a few kilobytes each, and more than one machine's readers begin. */
export const mostSignIns = 2000
