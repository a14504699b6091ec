import { Effect } from "effect"

const width = 28

/** 0 to 1 as a bar of fixed width. */
const bar = (share: number): string => {
  const full = Math.round(Math.min(1, Math.max(0, share)) * width)
  return `${"█".repeat(full)}${"░".repeat(width - full)}`
}

/** Length of time for a person: `8 s`, `2 min 05 s`. */
const lasting = (seconds: number): string =>
  seconds < 60
    ? `${Math.round(seconds)} s`
    : `${Math.floor(seconds / 60)} min ${String(Math.round(seconds % 60)).padStart(2, "0")} s`

/**
 * A line at the foot of the terminal that says how far long work is, for whoever is watching: on a terminal only, and on
 * the error stream, so that what the command prints can be piped.
 */
export const makeProgress = (unit: string) => {
  const out = process.stderr
  const startedAt = performance.now()
  let shown = 0
  return {
    /** `share` of the source that has been read, 0 to 1, where that is known. */
    show: (done: number, share: number | undefined) =>
      Effect.sync(() => {
        const now = performance.now()
        if (!out.isTTY || now - shown < 100) return
        shown = now
        const seconds = (now - startedAt) / 1000
        const rate = seconds < 1 ? "" : ` · ${Math.round(done / seconds)}/s`
        const left = share === undefined || share < 0.02 ? "" : ` · ${lasting((seconds * (1 - share)) / share)} left`
        const progress = share === undefined ? "" : `${bar(share)} ${Math.floor(share * 100)}% · `
        out.write(`\r\x1b[K${progress}${done} ${unit}${rate}${left}`)
      }),
    /** Takes the line away. */
    clear: Effect.sync(() => {
      if (out.isTTY) out.write("\r\x1b[K")
    }),
    seconds: () => (performance.now() - startedAt) / 1000
  }
}
