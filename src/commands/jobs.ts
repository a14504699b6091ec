import { Flag } from "effect/cli"

const most = 64

/** `--jobs`: how many tasks of the pipeline a process does at a time, from `least` to 64. */
export const jobsFlag = (least: number, usual: number, description: string) =>
  Flag.Int("jobs").pipe(
    Flag.withDescription(description),
    Flag.filter(
      (count) => count >= least && count <= most,
      () => `must be from ${least} to ${most}`
    ),
    Flag.withDefault(usual)
  )
