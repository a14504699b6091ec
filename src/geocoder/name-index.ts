/**
 * A value found by its key: how many edits away it is, and whether the whole key was compared or only its beginning.
 */
interface Alike<A> {
  readonly value: A
  readonly edits: number
  readonly whole: boolean
}

/** Values by key: exactly, by how the key begins, and by keys a few typing mistakes away. */
export interface NameIndex<A> {
  readonly exact: (key: string) => ReadonlyArray<A>
  readonly startingWith: (start: string) => ReadonlyArray<A>
  /**
   * The values of all keys that are, or begin with something, at most `edits` typing mistakes away from the given key
   * (a letter missing, added, wrong, or two swapped). Misses none.
   */
  readonly like: (key: string, edits: number) => ReadonlyArray<Alike<A>>
}

const letters = 38
const other = 37

/** a to z, 0 to 9, anything else; 0 marks the beginning of a key. */
const letter = (code: number): number => {
  if (code >= 97 && code <= 122) return code - 96
  return code >= 48 && code <= 57 ? code - 21 : other
}

/**
 * The distinct pairs of neighboring letters of a key. Pairs rather than triples, because one swap in a short name
 * ("Oamha") leaves hardly a triple unchanged.
 */
const pairs = (key: string): ReadonlySet<number> => {
  const found = new Set<number>()
  let before = 0
  for (let at = 0; at < key.length; at++) {
    const here = letter(key.charCodeAt(at))
    found.add(before * letters + here)
    before = here
  }
  return found
}

/** Which keys contain each pair: those of pair `p` are `keys[starts[p]]` up to `keys[starts[p + 1]]`. */
const postings = (keys: ReadonlyArray<string>) => {
  const starts = new Uint32Array(letters * letters + 1)
  const sets = keys.map(pairs)
  for (const set of sets) for (const pair of set) starts[pair + 1] = (starts[pair + 1] ?? 0) + 1
  for (let pair = 1; pair < starts.length; pair++) starts[pair] = (starts[pair] ?? 0) + (starts[pair - 1] ?? 0)
  const next = starts.slice()
  const holders = new Uint32Array(starts[letters * letters] ?? 0)
  for (const [key, set] of sets.entries()) {
    for (const pair of set) {
      const slot = next[pair] ?? 0
      holders[slot] = key
      next[pair] = slot + 1
    }
  }
  return { starts, holders }
}

/**
 * Optimal string alignment distance (a letter missing, added, wrong, or two neighbors swapped) from `typed` to the
 * whole of `name` and to its nearest prefix; both are Infinity as soon as they are certain to exceed `most`.
 */
export const editDistance = (typed: string, name: string, most: number): { whole: number; start: number } => {
  let twoBack: Array<number> = []
  let back = Array.from({ length: name.length + 1 }, (_, column) => column)
  for (let row = 1; row <= typed.length; row++) {
    const here = [row]
    let least = row
    for (let column = 1; column <= name.length; column++) {
      const same = typed[row - 1] === name[column - 1]
      let cost = Math.min(
        (back[column] ?? 0) + 1,
        (here[column - 1] ?? 0) + 1,
        (back[column - 1] ?? 0) + (same ? 0 : 1)
      )
      if (row > 1 && column > 1 && typed[row - 1] === name[column - 2] && typed[row - 2] === name[column - 1]) {
        cost = Math.min(cost, (twoBack[column - 2] ?? 0) + 1)
      }
      here.push(cost)
      least = Math.min(least, cost)
    }
    // A swap looks two rows back, so one row above the limit is not the end yet.
    if (least > most + 1) return { whole: Infinity, start: Infinity }
    twoBack = back
    back = here
  }
  return { whole: back[name.length] ?? Infinity, start: Math.min(...back) }
}

/** The index of a key in an ascending list, or where it would be inserted. */
export const lowerBound = (keys: ReadonlyArray<string>, key: string): number => {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] ?? "") < key) low = middle + 1
    else high = middle
  }
  return low
}

/** No name is longer than this, so nothing longer is a misspelled name. */
const longest = 60

export const makeNameIndex = <A>(entries: Iterable<readonly [key: string, value: A]>): NameIndex<A> => {
  const values = new Map<string, Array<A>>()
  for (const [key, value] of entries) {
    const known = values.get(key)
    if (known === undefined) values.set(key, [value])
    else known.push(value)
  }
  const keys = [...values.keys()].sort()
  const { starts, holders } = postings(keys)
  const exact = (key: string): ReadonlyArray<A> => values.get(key) ?? []

  const startingWith = (start: string): ReadonlyArray<A> => {
    const found: Array<A> = []
    for (let at = lowerBound(keys, start); keys[at]?.startsWith(start) === true; at++)
      found.push(...exact(keys[at] ?? ""))
    return found
  }

  const like = (key: string, edits: number): ReadonlyArray<Alike<A>> => {
    if (key.length > longest) return []
    const wanted = pairs(key)
    // One mistake changes at most three pairs (a swap), so any key that is near enough shares the others.
    const least = Math.max(1, wanted.size - 3 * edits)
    const shared = new Uint8Array(keys.length)
    for (const pair of wanted) {
      for (let at = starts[pair] ?? 0; at < (starts[pair + 1] ?? 0); at++) {
        const holder = holders[at] ?? 0
        shared[holder] = (shared[holder] ?? 0) + 1
      }
    }
    const found: Array<Alike<A>> = []
    for (let at = 0; at < keys.length; at++) {
      const name = keys[at] ?? ""
      if ((shared[at] ?? 0) < least || name.length < key.length - edits) continue
      const distance = editDistance(key, name.slice(0, key.length + edits + 1), edits)
      const whole = distance.whole <= edits
      if (whole || distance.start <= edits) {
        for (const value of exact(name)) found.push({ value, edits: whole ? distance.whole : distance.start, whole })
      }
    }
    return found
  }

  return { exact, startingWith, like }
}
