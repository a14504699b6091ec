import { Effect } from "effect"
import { dbDies } from "../../layers/db/db.ts"
import type { NotFound } from "../services/failures.ts"
import { Flows, type NewerFlow } from "../services/queue/flows.ts"
import type { ConsoleAct } from "./page.ts"

/** What operators do with a task; the queue does it, writes the history, and says what came of it. */
const taskAction = (change: "retryTask" | "cancelTask" | "rerunTask"): ConsoleAct<NotFound | NewerFlow, Flows> =>
  Effect.fn(`Console.${change}`)(function* ({ params }) {
    const { task, said } = yield* dbDies(Flows.use((flows) => flows[change](params.id ?? "")))
    return { to: `/tasks/${task}`, said }
  })

export const retryTask = taskAction("retryTask")
export const cancelTask = taskAction("cancelTask")
export const rerunTask = taskAction("rerunTask")
