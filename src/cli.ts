import { Cause, Console, Effect, Option, Predicate, Runtime } from "effect"
import { CliError, Command } from "effect/cli"
import { SqlError } from "effect/sql"
import { Environment } from "../layers/config.ts"
import { Telemetry } from "../layers/telemetry.ts"
import manifest from "../package.json" with { type: "json" }
import { agency } from "./commands/agency.ts"
import { clip } from "./commands/clip.ts"
import { doctor } from "./commands/doctor.ts"
import { exportRecord } from "./commands/export.ts"
import { importRecord } from "./commands/import.ts"
import { migrate } from "./commands/migrate.ts"
import { remove } from "./commands/remove.ts"
import { sample } from "./commands/sample.ts"
import { serve } from "./commands/serve.ts"
import { settings } from "./commands/settings.ts"
import { worker } from "./commands/worker.ts"

const command = Command.make("civic-record").pipe(
  Command.withDescription("The public record of local government: serve it, and carry records in and out."),
  Command.withSubcommands([
    serve,
    worker,
    importRecord,
    exportRecord,
    remove,
    sample,
    migrate,
    doctor,
    settings,
    agency,
    clip
  ]),
  Command.provide(Telemetry(manifest.version)),
  Command.provide(Environment.layer)
)

/** A failure in one line for the person at the terminal, with what to do. */
const explain = (failure: unknown): string => {
  if (SqlError.isSqlError(failure)) {
    return failure.reason._tag === "ConnectionError" || failure.reason._tag === "AuthenticationError"
      ? "The database cannot be reached. Check DATABASE_URL, or run: civic-record doctor"
      : `The database reported an error: ${Predicate.hasProperty(failure.reason.cause, "message") ? failure.reason.cause.message : failure.reason.message}`
  }
  return Predicate.hasProperty(failure, "message") && Predicate.isString(failure.message) && failure.message !== ""
    ? failure.message
    : String(failure)
}

/** The command line (contract section 11). Exits with 0, with 1 on failure or wrong usage, and with 2 if the input needs fixing. */
export const civicRecord = Command.run(command, { version: manifest.version }).pipe(
  Effect.tapCause((cause) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.void
    const failure = Cause.findErrorOption(cause)
    if (Option.isNone(failure)) return Console.error(`civic-record: an internal error.\n${Cause.pretty(cause)}`)
    if (CliError.isCliError(failure.value) || isSilent(failure.value)) return Effect.void
    return Console.error(`civic-record: ${explain(failure.value)}`)
  })
)

const isSilent = (failure: unknown) => Predicate.hasProperty(failure, Runtime.errorReported)

/** Ctrl-C is the way to stop the service and its workers, so it is not a failure there; for other commands it is. */
export const teardown: Runtime.Teardown = (exit, onExit) =>
  Runtime.defaultTeardown(exit, (code) =>
    onExit(code === 130 && ["serve", "worker"].includes(process.argv[2] ?? "serve") ? 0 : code)
  )
