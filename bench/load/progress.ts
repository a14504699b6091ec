/** Reports the current step, and its progress from 0 to 1. */
export type Progress = (doing: string, share: number) => void

/** Writes each step once, as it begins, with the seconds elapsed. */
export const toldOnce = (write: (line: string) => void): Progress => {
  const begun = performance.now()
  let last = ""
  return (doing) => {
    if (doing === last) return
    last = doing
    write(`  ${((performance.now() - begun) / 1000).toFixed(0).padStart(5)} s  ${doing}`)
  }
}
