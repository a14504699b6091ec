import { Effect } from "effect"

const width = 28

/** A share, 0 to 1, as a bar of fixed width. */
const bar = (share: number): string => {
  const full = Math.round(Math.min(1, Math.max(0, share)) * width)
  return `${"█".repeat(full)}${"░".repeat(width - full)}`
}

/** A duration for people: `8 s`, `2 min 05 s`. */
const durationText = (seconds: number): string =>
  seconds < 60
    ? `${Math.round(seconds)} s`
    : `${Math.floor(seconds / 60)} min ${String(Math.round(seconds % 60)).padStart(2, "0")} s`

/** Milliseconds between lines where there is no terminal. */
const lineEvery = 30_000

/**
 * A line at the bottom of the terminal that shows the progress of long work; without a terminal, a line every half
 * minute. It goes to standard error, so that the command's output can be piped.
 */
export const makeProgress = (unit = "") => {
  const out = process.stderr
  const startedAt = performance.now()
  let shown = out.isTTY ? 0 : startedAt
  return {
    /** `share` is how much of the source has been read, 0 to 1, if known; `note` names the slowest part. */
    show: (done: number, share: number | undefined, note = "") =>
      Effect.sync(() => {
        const now = performance.now()
        if (now - shown < (out.isTTY ? 100 : lineEvery)) return
        shown = now
        const seconds = (now - startedAt) / 1000
        const rate = seconds < 1 ? "" : ` · ${Math.round(done / seconds)}/s`
        const left =
          share === undefined || share < 0.02 ? "" : ` · ${durationText((seconds * (1 - share)) / share)} left`
        const part = share === undefined ? "" : `${out.isTTY ? `${bar(share)} ` : ""}${Math.floor(share * 100)}% · `
        const line = `${part}${done} ${unit}${rate}${left}${note === "" ? "" : ` · ${note}`}`
        out.write(out.isTTY ? `\r\x1b[K${line}` : `${line}\n`)
      }),
    /** For work in several parts: the subject of this one, and how many are done. */
    showPart: (part: string, done: number, of: number) =>
      Effect.sync(() => {
        const now = performance.now()
        if (!out.isTTY || now - shown < 100) return
        shown = now
        out.write(`\r\x1b[K${bar(of === 0 ? 1 : done / of)} ${done} of ${of} ${part}`)
      }),
    /** Removes the line. */
    clear: Effect.sync(() => {
      if (out.isTTY) out.write("\r\x1b[K")
    }),
    seconds: () => (performance.now() - startedAt) / 1000
  }
}
