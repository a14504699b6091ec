import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentAgent } from "../../../api/agent/access.ts"
import { Api } from "../../../api/api.ts"
import { wire } from "../../../failures/failures.ts"
import { Completion } from "../../../services/operators/runs/completion.ts"

export const AgentCompletionLive = HttpApiBuilder.group(
  Api,
  "agent_completion",
  Effect.fnUntraced(function* (handlers) {
    const completion = yield* Completion
    const doing = (run: string) => Effect.map(CurrentAgent, (agent) => ({ agent, run }))
    return handlers.handleAll({
      run: ({ params }) => Effect.mapError(completion.show(params.runId), wire),
      importDiscovered: Effect.fnUntraced(function* ({ params }) {
        return yield* Effect.mapError(completion.importDiscovered(yield* doing(params.runId), params.id), wire)
      }),
      sameBody: Effect.fnUntraced(function* ({ params }) {
        return yield* Effect.mapError(completion.sameBody(yield* doing(params.runId), params.id), wire)
      }),
      rerun: Effect.fnUntraced(function* ({ params }) {
        return yield* Effect.mapError(completion.rerun(yield* doing(params.runId), params.id, params.stage), wire)
      }),
      retry: Effect.fnUntraced(function* ({ params }) {
        return yield* Effect.mapError(completion.retry(yield* doing(params.runId), params.id), wire)
      }),
      bodies: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* Effect.mapError(completion.mapBodies(yield* doing(params.runId), params.id, payload), wire)
      }),
      agency: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* Effect.mapError(completion.reassign(yield* doing(params.runId), params.id, payload), wire)
      }),
      candidates: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* Effect.mapError(completion.fileCandidates(yield* doing(params.runId), params.id, payload), wire)
      })
    })
  })
)
