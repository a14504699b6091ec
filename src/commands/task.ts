import { Console, Effect } from "effect"
import { Argument, CliError, Command } from "effect/cli"
import { dbDies } from "../../layers/db/db.ts"
import { CommandDb } from "../../layers/live.ts"
import { Flows } from "../services/queue/flows.ts"

const id = Argument.String("id").pipe(Argument.withDescription("The task's id, as an issue or the console shows it"))

/** Does what the queue does for operators, and prints what it says; exits with 1 if it changed nothing. */
const change = (what: "retryTask" | "cancelTask", id: string) =>
  dbDies(Flows.use((flows) => flows[what](id))).pipe(
    Effect.flatMap(({ changed, said }) =>
      changed ? Console.log(said) : Effect.fail(new CliError.UserError({ cause: said }))
    )
  )

const retry = Command.make("retry", { id }, ({ id }) => change("retryTask", id)).pipe(
  Command.withDescription("Let a task that failed or waits until later be tried again now, with a fresh count")
)

const cancel = Command.make("cancel", { id }, ({ id }) => change("cancelTask", id)).pipe(
  Command.withDescription("Cancel the whole flow that a task is part of")
)

export const task = Command.make("task").pipe(
  Command.withDescription("Retry and cancel the pipeline's tasks"),
  Command.withSubcommands([retry, cancel]),
  Command.provide(Flows.layer),
  Command.provide(CommandDb)
)
