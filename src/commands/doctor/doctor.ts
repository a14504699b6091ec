import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Ended } from "../ended.ts"
import { databaseChecks } from "./database.ts"
import type { Finding } from "./finding.ts"
import { machineChecks } from "./machine.ts"
import { neighborChecks } from "./neighbors.ts"

/** A finding on one line, with the remedy below it. */
const lineOf = ({ check, state, found, todo }: Finding) =>
  `  ${state.padEnd(4)}  ${check.padEnd(12)}  ${found}${todo === undefined ? "" : `\n${" ".repeat(22)}${todo}`}`

export const doctor = Command.make(
  "doctor",
  {
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print the findings as JSON"), Flag.withDefault(false))
  },
  ({ json }) =>
    Effect.gen(function* () {
      const found = yield* Effect.all([...machineChecks, databaseChecks, ...neighborChecks], {
        concurrency: "unbounded"
      })
      const findings = found.flat()
      yield* Console.log(json ? JSON.stringify({ findings }, null, 2) : findings.map(lineOf).join("\n"))
      if (findings.some(({ state }) => state === "fail")) return yield* new Ended({ code: 1 })
    })
).pipe(
  Command.withShortDescription("Check that everything the service needs is there"),
  Command.withDescription(
    "Check that everything the service needs is there, and say what to do about what is not. Changes nothing, and never prints a secret. Exits with 1 if something does not work."
  )
)
