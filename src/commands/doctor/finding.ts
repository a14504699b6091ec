import { Cause, Effect } from "effect"

/** The result of a check, for the person who runs the service. Neither text ever holds a secret. */
export interface Finding {
  readonly check: string
  /** `warn`: it works, but deserves a look. `fail`: it does not work. */
  readonly state: "ok" | "warn" | "fail"
  readonly found: string
  /** The remedy, unless the state is `ok`. */
  readonly todo?: string
}

/** A finding that does not have the name of its check yet. */
export type Found = Omit<Finding, "check">

export const ok = (found: string): Found => ({ state: "ok", found })
export const warn = (found: string, todo: string): Found => ({ state: "warn", found, todo })
export const fail = (found: string, todo: string): Found => ({ state: "fail", found, todo })

/** How long a check may take, unless it says more. */
const usualTime = "10 seconds"

/**
 * Names the result of a check. A check that times out or breaks is a finding too. Its error is not shown, because it
 * may quote an address with its password.
 */
export const check = <E, R>(
  name: string,
  find: Effect.Effect<Found | ReadonlyArray<Found>, E, R>,
  longest: `${number} seconds` = usualTime
): Effect.Effect<ReadonlyArray<Finding>, never, R> =>
  find.pipe(
    Effect.timeoutOrElse({
      duration: longest,
      orElse: () => Effect.succeed(fail(`no answer within ${longest}`, "Check that it is running and reachable."))
    }),
    Effect.catchCause((cause) =>
      Effect.as(
        Effect.logDebug(`The check of ${name} broke`, Cause.squash(cause)),
        fail("the check itself broke", "Run it again with --log-level debug.")
      )
    ),
    Effect.map((found) => [found].flat().map((one) => ({ check: name, ...one })))
  )
