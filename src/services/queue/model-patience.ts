import { Context } from "effect"

/** The models that stages rely on: the one that writes, the one that checks it, and the one that recognizes speech. */
export type ModelRole = "language" | "checker" | "speech"

/**
 * Why a stage has to do without its model. `none`: none is configured; `away`: it cannot be reached, accepts no
 * requests or refuses the key; `unusable`: it answers, but with nothing that can be used; `budget`: the day's budget is
 * spent.
 */
export type LackKind = "none" | "away" | "unusable" | "budget"

const minutes = (...counts: ReadonlyArray<number>) => counts.map((count) => count * 60)

/**
 * How long a stage waits for its model before it ends without it, in seconds: before each further try of a model that
 * is away (11 hours in all) and of one whose answers are of no use (a quarter of an hour), and altogether, also for a
 * budget that is spent every day.
 */
export const ModelPatience = Context.Reference<{
  readonly away: ReadonlyArray<number>
  readonly unusable: ReadonlyArray<number>
  readonly atMost: number
}>("civic-record/ModelPatience", {
  defaultValue: () => ({
    away: minutes(1, 5, 15, 60, 120, 240, 240),
    unusable: minutes(1, 3, 10),
    atMost: 3 * 24 * 3600
  })
})

/** The longest pause that a server can ask for, in seconds. */
const longestPause = 24 * 3600

/**
 * Seconds until a model that failed in this way is tried again; undefined if it has had all its tries. `before` counts
 * its failures of each kind and the seconds since the first; `asked` is the pause that the server or the budget asks
 * for.
 */
export const pauseForModel = (
  patience: (typeof ModelPatience)["Service"],
  kind: Exclude<LackKind, "none">,
  before: { readonly away: number; readonly unusable: number; readonly waited: number },
  asked = 0
): number | undefined => {
  if (before.waited >= patience.atMost) return undefined
  if (kind === "budget") return Math.max(1, asked)
  const own = patience[kind][before[kind]]
  return own === undefined ? undefined : Math.max(own, Math.min(asked, longestPause))
}
