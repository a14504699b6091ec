import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Console, Effect, Option, Runtime } from "effect"
import { CliError, Command } from "effect/cli"
import { Environment } from "../layers/config/config.ts"
import { Telemetry } from "../layers/telemetry/telemetry.ts"
import manifest from "../package.json" with { type: "json" }
import { commandLine as commandLineName, Operator } from "./services/history.ts"

/**
 * The commands, in the order in which help lists them. Each is loaded only when it is asked for, which halves a start.
 */
const commands = {
  serve: () => import("./commands/serve/serve.ts").then(({ serve }) => serve),
  worker: () => import("./commands/worker.ts").then(({ worker }) => worker),
  import: () => import("./commands/import.ts").then(({ importRecord }) => importRecord),
  export: () => import("./commands/export.ts").then(({ exportRecord }) => exportRecord),
  backup: () => import("./commands/backup.ts").then(({ backup }) => backup),
  restore: () => import("./commands/restore.ts").then(({ restore }) => restore),
  remove: () => import("./commands/remove.ts").then(({ remove }) => remove),
  sample: () => import("./commands/sample.ts").then(({ sample }) => sample),
  migrate: () => import("./commands/migrate.ts").then(({ migrate }) => migrate),
  doctor: () => import("./commands/doctor/doctor.ts").then(({ doctor }) => doctor),
  settings: () => import("./commands/settings.ts").then(({ settings }) => settings),
  agency: () => import("./commands/agency.ts").then(({ agency }) => agency),
  person: () => import("./commands/person.ts").then(({ person }) => person),
  clip: () => import("./commands/clip.ts").then(({ clip }) => clip),
  removal: () => import("./commands/removal.ts").then(({ removal }) => removal),
  try: () => import("./commands/try.ts").then(({ tryStages }) => tryStages),
  meeting: () => import("./commands/meeting.ts").then(({ meeting }) => meeting),
  media: () => import("./commands/media.ts").then(({ media }) => media),
  source: () => import("./commands/source.ts").then(({ source }) => source),
  run: () => import("./commands/run.ts").then(({ run }) => run),
  drill: () => import("./commands/drill.ts").then(({ drill }) => drill),
  task: () => import("./commands/task.ts").then(({ task }) => task),
  operator: () => import("./commands/operator.ts").then(({ operator }) => operator),
  token: () => import("./commands/token.ts").then(({ token }) => token)
}

const isCommand = (word: string): word is keyof typeof commands => Object.hasOwn(commands, word)

/**
 * The command line with the named command alone, or with all of them where help, or a word that is no command, needs
 * them.
 */
export const commandLine = Effect.fnUntraced(function* (
  word: string,
  environment: typeof Environment.layer = Environment.layer
) {
  const names = isCommand(word) ? [word] : Object.keys(commands).filter(isCommand)
  const loaded = yield* Effect.promise(() => Promise.all(names.map((name) => commands[name]())))
  return Command.make("civic-record").pipe(
    Command.withDescription("The public record of local government: serve it, and carry records in and out."),
    Command.withSubcommands(loaded),
    Command.provide(Telemetry(manifest.version)),
    Command.provide(environment)
  )
})

/** Loaded only for a failure, which most commands do not have. */
const failureWords = Effect.promise(() => import("./failures/failures.ts"))

/**
 * The command line (contract section 11) on the words that follow the program's name. Exits with 0, with 1 on failure
 * or wrong usage, and with 2 if it was done in part (docs/operations.md).
 */
export const civicRecord = (words: ReadonlyArray<string>, environment = Environment.layer) =>
  Effect.flatMap(commandLine(words[0] ?? "", environment), (command) =>
    Command.runWith(command, { version: manifest.version })(words)
  ).pipe(
    // Whoever types a command is an operator; what the service and its workers do by themselves is nobody's act.
    Effect.provideService(Operator, ["serve", "worker"].includes(words[0] ?? "") ? undefined : commandLineName),
    Effect.tapCause((cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.void
      const failure = Cause.findErrorOption(cause)
      if (Option.isNone(failure)) return Console.error(`civic-record: an internal error.\n${Cause.pretty(cause)}`)
      const { value } = failure
      if (CliError.isCliError(value) || value._tag === "Ended") return Effect.void
      return Effect.flatMap(failureWords, ({ explain }) => Console.error(`civic-record: ${explain(value)}`))
    })
  )

/** Ctrl-C is the way to stop the service and its workers, so it is not a failure there; for other commands it is. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  Runtime.defaultTeardown(exit, (code) =>
    onExit(code === 130 && ["serve", "worker"].includes(process.argv[2] ?? "serve") ? 0 : code)
  )

export const run = () =>
  NodeRuntime.runMain(Effect.provide(civicRecord(process.argv.slice(2)), NodeServices.layer), {
    disableErrorReporting: true,
    teardown
  })
