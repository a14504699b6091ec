import { Effect, Exit } from "effect"
import { type Fault, type Trial, usually, well } from "./faults/fault.ts"
import type { Row } from "./table.ts"
import { lost, unheard, waiting } from "./traffic/verify.ts"

/** How long traffic runs before a fault and after it. */
const [before, after] = ["3 seconds", "6 seconds"] as const

/** The longest that a fault may take, its settling included, in seconds: a busy machine takes many times as long. */
const longest = ({ lasts = usually }: Fault) => Math.max(480, 2 * lasts)

/** What is missing in the database, or that it could not be asked, which is as bad. */
const asked = (looking: Effect.Effect<ReadonlyArray<string>>) =>
  Effect.catchCause(looking, (cause) =>
    Effect.succeed([`the database cannot be asked: ${String(cause).slice(0, 200)}`])
  )

/** Breaks one thing under traffic, waits until all is well, and says what was seen. */
export const tried = Effect.fnUntraced(function* (trial: Trial, fault: Fault) {
  const { stand, world, tally, listeners } = trial
  const begun = performance.now()
  tally.begin()
  const cut = world.cut.size
  yield* Effect.sleep(before)
  const exit = yield* Effect.exit(
    Effect.timeout(
      Effect.tap(fault.run(trial), () => well(trial)),
      `${longest(fault)} seconds`
    )
  )
  if (Exit.isFailure(exit)) tally.broken(`did not end: ${String(exit.cause).slice(0, 200)}`)
  yield* Effect.sleep(after)
  const seen = tally.seen()
  return {
    fault: fault.name,
    severs: fault.severs === true,
    seen,
    lost: yield* asked(lost(stand.databases, world)),
    unheard: yield* asked(unheard(stand.databases, listeners)),
    clips: { cut: world.cut.size - cut, waiting: yield* waiting(stand.databases) },
    note: Exit.isSuccess(exit) ? exit.value : undefined,
    seconds: (performance.now() - begun) / 1000
  } satisfies Row
})
