/** A write of a register: its value, and when it began and ended by our clock, in milliseconds. */
interface Write<A> {
  readonly value: A
  readonly from: number
  until: number
  isAcknowledged: boolean
}

/** When something was asked for, and when the answer had come. */
interface Span {
  readonly from: number
  readonly to: number
}

/**
 * What one thing of the record is, as far as its only writer knows: whatever was acknowledged, and whatever was tried
 * since, because a write without an answer may have been done.
 */
export interface Register<A> {
  /** Begins a write; the result ends it, and says whether it was acknowledged. */
  readonly begin: (value: A) => (isAcknowledged: boolean) => void
  /** What an answer that was asked for and given at these times may say, if it may be `stale` milliseconds old. */
  readonly allowed: (span: Span, stale: number) => ReadonlyArray<A>
  /** What was acknowledged last. */
  readonly last: () => A
  /** What is so from now on, whatever was acknowledged: the database went back in time. */
  readonly reset: (value: A) => void
}

/** How long a write that was not answered may still be done by a node that lives, in milliseconds. */
const afloat = 15_000
const mostKept = 100

export const register = <A>(first: A): Register<A> => {
  let writes: Array<Write<A>> = [{ value: first, from: 0, until: 0, isAcknowledged: true }]
  const lastBefore = (time: number) =>
    Math.max(
      0,
      writes.findLastIndex(({ until, isAcknowledged }) => isAcknowledged && until <= time)
    )
  return {
    begin: (value) => {
      const write: Write<A> = { value, from: performance.now(), until: Number.POSITIVE_INFINITY, isAcknowledged: false }
      if (writes.length >= mostKept) writes = writes.slice(-mostKept / 2)
      writes.push(write)
      return (isAcknowledged) => {
        write.until = performance.now()
        write.isAcknowledged = isAcknowledged
      }
    },
    allowed: ({ from, to }, stale) => {
      const settled = lastBefore(from - stale)
      return writes
        .filter(
          (write, at) => write.from <= to && (at >= settled || (!write.isAcknowledged && write.from > from - afloat))
        )
        .map(({ value }) => value)
    },
    last: () => (writes.findLast(({ isAcknowledged }) => isAcknowledged) ?? { value: first }).value,
    reset: (value) => {
      const now = performance.now()
      writes = [{ value, from: now, until: now, isAcknowledged: true }]
    }
  }
}
