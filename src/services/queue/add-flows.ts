import { Effect, Option } from "effect"
import { HttpTraceContext } from "effect/http"
import type { Sql } from "../../../layers/db/db.ts"
import type { ClipId, MeetingId, UserClipId } from "../../../schema/primitives.ts"
import { type FlowKind, flowKinds, fromStageOn, type Stage, stages } from "./stages.ts"

/** The subject of a flow. A flow without one works on whatever its stages find. */
export type FlowSubject =
  | { readonly meeting_id: MeetingId }
  | { readonly user_clip_id: UserClipId }
  | { readonly clip_id: ClipId }
  | { readonly source_id: string }
  | { readonly run_id: string }
  | { readonly [name in never]: never }

/** The tasks of a new flow: blocked if they need another stage of the flow, waiting otherwise. */
const planOf = (kind: FlowKind, from: ReadonlyArray<Stage>) => {
  const { priority, stages: names } = flowKinds[kind]
  const wanted = from.length === 0 ? undefined : fromStageOn(...from)
  const ofFlow = names.filter((stage) => wanted?.has(stage) ?? true)
  return ofFlow.map((stage) => ({
    stage,
    lane: stages[stage].lane,
    priority,
    state: stages[stage].needs.some((need) => ofFlow.includes(need)) ? "blocked" : "waiting"
  }))
}

/**
 * Adds a flow for each subject, in the caller's transaction. A subject with an open flow of this kind gets no second
 * one. A flow stores the span that added it, so that a trace leads from a request to the workers' part of it. With
 * `from`, a flow has only those stages and the ones after them, because the rest is on record already. Returns the ids
 * of the flows added.
 */
export const addFlows = Effect.fn("Flows.add")(function* (
  db: Sql,
  kind: FlowKind,
  subjects: ReadonlyArray<FlowSubject>,
  ...from: ReadonlyArray<Stage>
) {
  if (subjects.length === 0) return []
  const span = yield* Effect.option(Effect.currentSpan)
  const traceparent = Option.isSome(span) ? HttpTraceContext.toHeaders(span.value).traceparent : undefined
  const added = yield* db<{ id: string }>`
    with wanted as (
      select * from rows from (json_to_recordset(${JSON.stringify(subjects)}::json)
        as (meeting_id uuid, user_clip_id uuid, clip_id uuid, source_id uuid, run_id uuid)) with ordinality
        wanted (meeting_id, user_clip_id, clip_id, source_id, run_id, position)),
    added as (
      insert into flow (kind, meeting_id, user_clip_id, clip_id, source_id, run_id, traceparent)
      select ${kind}, meeting_id, user_clip_id, clip_id, source_id, run_id, ${traceparent ?? null}
      from wanted order by position
      on conflict (kind, subject) where state = 'open' do nothing returning id),
    planned as (
      insert into task (flow_id, stage, lane, priority, state)
      select added.id, plan.stage, plan.lane, plan.priority, plan.state
      from added, json_to_recordset(${JSON.stringify(planOf(kind, from))}::json)
        as plan (stage text, lane text, priority int, state text)
      returning id),
    told as (insert into task_event (task_id, kind) select id, 'added' from planned)
    select id from added`
  if (added.length > 0) yield* db`notify task`
  return added.map((flow) => flow.id)
})

/**
 * Adds to a flow the stages that it lacks from one stage on, in the caller's transaction. They are blocked until the
 * flow is repeated from that stage.
 */
export const addStages = (db: Sql, flow: string, kind: FlowKind, ...from: ReadonlyArray<Stage>) => db`
  with planned as (
    insert into task (flow_id, stage, lane, priority, state)
    select ${flow}, plan.stage, plan.lane, plan.priority, 'blocked'
    from json_to_recordset(${JSON.stringify(planOf(kind, from))}::json) as plan (stage text, lane text, priority int)
    on conflict (flow_id, stage) do nothing returning id)
  insert into task_event (task_id, kind) select id, 'added' from planned`
