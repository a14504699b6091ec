import { Console, Effect } from "effect"
import { Argument, CliError, Command } from "effect/cli"
import { dbDies } from "../../layers/db/db.ts"
import { CommandDb } from "../../layers/live.ts"
import { commandLine, OperatorActions } from "../services/operators/operator-actions.ts"
import { Flows } from "../services/queue/flows.ts"
import { Work } from "../services/queue/work.ts"

const id = Argument.String("id").pipe(Argument.withDescription("The task's id, as an issue or the console shows it"))

const refused = (cause: string) => Effect.fail(new CliError.UserError({ cause }))

const retry = Command.make("retry", { id }, ({ id }) =>
  Effect.gen(function* () {
    const { task } = yield* (yield* Work).task(id)
    if (task.state !== "failed") return yield* refused(`The task ${id} is ${task.state}: only a failed one is retried.`)
    yield* (yield* OperatorActions)
      .during(dbDies((yield* Flows).retry(task.id)), () => ({
        operator: commandLine,
        action: "task.retry",
        subject: task.id,
        detail: { stage: task.stage }
      }))
      .pipe(
        Effect.catchTags({
          UnknownTask: () => refused(`There is no task ${id} any longer.`),
          NewerFlow: () => refused("A newer flow for the same subject is under way: look at its tasks instead.")
        })
      )
    yield* Console.log(`${task.stage} has all of its tries again.`)
  })
).pipe(Command.withDescription("Give a failed task all of its tries again"))

const cancel = Command.make("cancel", { id }, ({ id }) =>
  Effect.gen(function* () {
    const { task } = yield* (yield* Work).task(id)
    yield* (yield* OperatorActions)
      .during(dbDies((yield* Flows).cancel(task.flow_id)), () => ({
        operator: commandLine,
        action: "task.cancel",
        subject: task.id,
        detail: { stage: task.stage, flow: task.flow_id }
      }))
      .pipe(Effect.catchTag("UnknownFlow", () => refused(`There is no task ${id} any longer.`)))
    yield* Console.log("The flow of the task is cancelled: what was being worked on stops, and the rest never starts.")
  })
).pipe(Command.withDescription("Cancel the whole flow that a task is part of"))

export const task = Command.make("task").pipe(
  Command.withDescription("Retry and cancel the pipeline's tasks"),
  Command.withSubcommands([retry, cancel]),
  Command.provide(Work.layer),
  Command.provide(Flows.layer),
  Command.provide(OperatorActions.layer),
  Command.provide(CommandDb)
)
