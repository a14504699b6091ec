import { Effect } from "effect"
import { dbDies } from "../../layers/db/db.ts"
import { type NotFound, stageNotFound } from "../services/failures.ts"
import { OperatorActions } from "../services/operators/operator-actions.ts"
import { Flows, type NewerFlow, type UnknownFlow, type UnknownTask } from "../services/queue/flows.ts"
import { isStage } from "../services/queue/stages.ts"
import { Work } from "../services/queue/work.ts"
import type { ConsoleAct } from "./page.ts"

type Services = Work | Flows | OperatorActions

export const retryTask: ConsoleAct<NotFound | UnknownTask | NewerFlow, Services> = Effect.fn("Console.retryTask")(
  function* ({ params, operator }) {
    const { task } = yield* (yield* Work).task(params.id ?? "")
    yield* (yield* OperatorActions).during(dbDies((yield* Flows).retry(task.id)), () => ({
      operator,
      action: "task.retry",
      subject: task.id,
      detail: { stage: task.stage }
    }))
    return { to: `/tasks/${task.id}`, said: `${task.stage} has all of its tries again.` }
  }
)

export const cancelTask: ConsoleAct<NotFound | UnknownFlow, Services> = Effect.fn("Console.cancelTask")(function* ({
  params,
  operator
}) {
  const { task } = yield* (yield* Work).task(params.id ?? "")
  yield* (yield* OperatorActions).during(dbDies((yield* Flows).cancel(task.flow_id)), () => ({
    operator,
    action: "task.cancel",
    subject: task.id,
    detail: { stage: task.stage, flow: task.flow_id }
  }))
  return {
    to: `/tasks/${task.id}`,
    said: "The flow is cancelled: what was being worked on stops, and the rest never starts."
  }
})

export const rerunTask: ConsoleAct<NotFound | UnknownFlow | NewerFlow, Services> = Effect.fn("Console.rerunTask")(
  function* ({ params, operator }) {
    const { task } = yield* (yield* Work).task(params.id ?? "")
    const { stage } = task
    if (!isStage(stage)) return yield* stageNotFound(stage)
    yield* (yield* OperatorActions).during(dbDies((yield* Flows).rerun(task.flow_id, stage)), () => ({
      operator,
      action: "task.rerun",
      subject: task.id,
      detail: { stage, flow: task.flow_id }
    }))
    return { to: `/tasks/${task.id}`, said: `${stage} is done again, with everything that follows it.` }
  }
)
