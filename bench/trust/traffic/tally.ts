/** What kind of request it was: an answer of the record, or a write that is acknowledged. */
export type Kind = "read" | "write"

/** What was seen from the begin of a fault to its end. */
export interface Seen {
  readonly requests: number
  /** Requests that were answered with 503 and `Retry-After`. */
  readonly unavailable: number
  /** Answers that contradict what is known, each said in a line. */
  readonly wrong: ReadonlyArray<string>
  /** Promises that were not kept, each said in a line: a time, a size, a step that did not end. */
  readonly broken: ReadonlyArray<string>
  /** What else went wrong, by what it was. */
  readonly errors: ReadonlyMap<string, number>
  /** The longest time in which no request of a kind was answered, in milliseconds. */
  readonly longestGap: Readonly<Record<Kind, number>>
  /** Times of the requests that were answered, in milliseconds, by kind. */
  readonly took: Readonly<Record<Kind, ReadonlyArray<number>>>
  /** Times of the requests that were refused with 503, in milliseconds. */
  readonly refused: ReadonlyArray<number>
}

/** Counts what the traffic sees, from one `begin` to the next. */
export const tally = () => {
  let isUnsure = false
  let sureSince = 0
  let requests = 0
  let unavailable = 0
  let wrong: Array<string> = []
  let broken: Array<string> = []
  let refused: Array<number> = []
  let errors = new Map<string, number>()
  let took: Record<Kind, Array<number>> = { read: [], write: [] }
  let answeredAt: Record<Kind, number> = { read: performance.now(), write: performance.now() }
  let longestGap: Record<Kind, number> = { read: 0, write: 0 }
  const gap = (kind: Kind, now: number) => {
    longestGap[kind] = Math.max(longestGap[kind], now - answeredAt[kind])
  }
  return {
    begin: () => {
      const now = performance.now()
      requests = 0
      unavailable = 0
      wrong = []
      broken = []
      refused = []
      errors = new Map()
      took = { read: [], write: [] }
      answeredAt = { read: now, write: now }
      longestGap = { read: 0, write: 0 }
    },
    answered: (kind: Kind, from: number) => {
      const now = performance.now()
      requests++
      gap(kind, now)
      answeredAt[kind] = now
      took[kind].push(now - from)
    },
    /** A change of the writer that failed has no time of its own: it waits for longer than a request may. */
    unavailable: (from?: number) => {
      requests++
      unavailable++
      if (from !== undefined) refused.push(performance.now() - from)
    },
    failed: (what: string) => {
      requests++
      errors.set(what, (errors.get(what) ?? 0) + 1)
    },
    /** Something contradicts what is known, in an answer that was asked for at this time. */
    wrong: (what: string, from = performance.now()) => {
      if (!isUnsure && from >= sureSince) wrong.push(what)
    },
    broken: (what: string) => {
      broken.push(what)
    },
    /** While one timeline of the database takes the place of another, either is right. */
    unsure: () => {
      isUnsure = true
    },
    sure: () => {
      isUnsure = false
      sureSince = performance.now()
    },
    seen: (): Seen => {
      const now = performance.now()
      gap("read", now)
      gap("write", now)
      return { requests, unavailable, wrong, broken, errors, longestGap: { ...longestGap }, took, refused }
    }
  }
}

export type Tally = ReturnType<typeof tally>
