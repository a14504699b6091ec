import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { CheckModel } from "../../../layers/cloud-model/check-model.ts"
import { CloudModel } from "../../../layers/cloud-model/cloud-model.ts"
import { advisoryLocks } from "../../../layers/db/advisory-locks.ts"
import { Db } from "../../../layers/db/db.ts"
import { SpeechModel } from "../../../layers/speech-model/speech-model.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { Flows } from "../queue/flows.ts"
import type { ModelRole } from "../queue/model-patience.ts"
import { repeatStage } from "../queue/repeat.ts"
import { isStage } from "../queue/stages.ts"
import { recordTaskEvents } from "../queue/task-events.ts"

/** The most meetings that are made again at a time; the rest follow as these are done. */
const mostAtOnce = 4

/** Days between two repetitions of a stage for the same model. */
const restDays = 1

/** Hours between two times that a task is woken because its model answers others. */
const wakeRest = 1

/** The line of a task's history. */
const awake = "woken: its model answers again, or is another one"

/** The most tasks that are woken at once; a minute later come the next. */
const mostWoken = 500

/** How often a stage is repeated for a model that answers, but with nothing that can be used. */
const mostUnusable = 5

/** Goes on with what had to wait for a model, or was made without it, once it answers or another is configured. */
export class MadeAgain extends Context.Service<
  MadeAgain,
  {
    /**
     * Wakes the tasks that wait because their model was away, once it has answered another call since, and those that
     * wait for a model that is no longer the one that is configured. Returns how many.
     */
    readonly wake: Effect.Effect<number, SqlError.SqlError>
    /**
     * Repeats the stages that ended without their model, newest meetings first, a few meetings at a time. A stage whose
     * model was changed is repeated at once; one whose model was away, or had no budget, once the model has answered
     * another call, then daily; one whose model gave nothing that could be used after one day, two, three and four.
     * Returns the meetings.
     */
    readonly next: Effect.Effect<ReadonlyArray<MeetingId>, SqlError.SqlError>
  }
>()("civic-record/MadeAgain") {
  static readonly layer = Layer.effect(
    MadeAgain,
    Effect.gen(function* () {
      const db = yield* Db
      const flows = yield* Flows
      const [language, checker, speech] = [yield* CloudModel, yield* CheckModel, yield* SpeechModel]
      const all: ReadonlyArray<{ readonly role: ModelRole; readonly name: string; readonly model: string }> = [
        { role: "language", name: language.name, model: language.place },
        { role: "checker", name: checker?.name ?? "", model: checker?.place ?? "" },
        { role: "speech", name: speech.name, model: speech.place }
      ]
      // A model that is not configured makes nothing again.
      const configured = all.filter(({ model }) => model !== "")

      /** The configured models, each with when it last answered. */
      const models = db`
        model as (
          select now.role, now.model, (
            select max(u.at) from model_usage u
            where u.model = now.name and u.outcome = 'ok' and u.at > now() - interval '1 day') as answered_at
          from json_to_recordset(${JSON.stringify(configured)}::json) as now (role text, name text, model text))`

      const wake = Effect.gen(function* () {
        const woken = yield* db<{ id: string }>`
          with ${models},
          ours as (
            select t.id, t.model is distinct from model.model as is_other from task t
            left join model on model.role = t.model_role
            where t.model_role is not null and t.state = 'waiting' and t.due_at > clock_timestamp()
              and (t.model is distinct from model.model or t.model_away > 0 and model.answered_at > (
                select max(e.at) from task_event e where e.task_id = t.id))
              -- A model that answers others, and not this task, is not asked all day.
              and not exists (select from task_event e where e.task_id = t.id and e.detail = ${awake}
                and e.at > clock_timestamp() - ${wakeRest}::int * interval '1 hour')
            order by t.id limit ${mostWoken} for update of t skip locked)
          update task t set due_at = clock_timestamp(),
            model_away = case when is_other then 0 else model_away end,
            model_unusable = case when is_other then 0 else model_unusable end,
            model_since = case when is_other then null else model_since end
          from ours where t.id = ours.id returning t.id`
        if (woken.length === 0) return 0
        yield* recordTaskEvents(db, "ready", woken, { detail: awake })
        yield* db`notify task`
        return woken.length
      }).pipe(db.withTransaction)

      const due = db<{ meeting: MeetingId; stages: ReadonlyArray<string> }>`
        with ${models},
        open as (
          select count(distinct w.meeting_id) as meetings from made_without w
          join flow f on f.meeting_id = w.meeting_id and f.kind = 'meeting' and f.state = 'open'
          where w.again_at is not null)
        select w.meeting_id as meeting, array_agg(w.stage) as stages
        from made_without w join model on model.role = w.role join meeting m on m.id = w.meeting_id
        where (w.again_at is null or w.again_for is distinct from model.model
            or w.again_at < now() - ${restDays}::int * interval '1 day')
          and case
            when w.model <> model.model then true
            when w.kind = 'unusable'
              then w.tries < ${mostUnusable} and w.tried_at < now() - w.tries * interval '1 day'
            else w.tried_at < now() - interval '1 day' or w.tries = 1 and model.answered_at > w.tried_at
          end
          -- One that is being made comes later; one that an operator cancelled stays as it is.
          and not exists (
            select from flow f where f.meeting_id = w.meeting_id and f.kind = 'meeting'
              and (f.state = 'open' or f.state = 'cancelled' and not exists (
                select from flow newer where newer.meeting_id = f.meeting_id and newer.kind = f.kind
                  and newer.created_at > f.created_at)))
        group by w.meeting_id, m.date order by m.date desc, w.meeting_id
        limit case when (select meetings from open) < ${mostAtOnce} then 1 else 0 end`

      /** A transaction for each meeting, because an import locks several in an order of its own. */
      const one = Effect.gen(function* () {
        const [lock] = yield* db<{
          held: boolean
        }>`select pg_try_advisory_xact_lock(${advisoryLocks.madeAgain}) as held`
        const [found] = lock?.held === true ? yield* due : []
        if (found === undefined) return undefined
        const { meeting, stages } = found
        yield* db`select from meeting where id = ${meeting} for no key update`
        for (const stage of stages.filter(isStage)) yield* repeatStage(db, flows, meeting, stage)
        yield* db`
          update made_without w set again_at = now(), again_for = model.model
          from json_to_recordset(${JSON.stringify(configured)}::json) as model (role text, model text)
          where w.meeting_id = ${meeting} and w.stage = any(${stages}) and model.role = w.role`
        return meeting
      }).pipe(db.withTransaction)

      const next = Effect.gen(function* () {
        const meetings: Array<MeetingId> = []
        while (configured.length > 0 && meetings.length < mostAtOnce) {
          const meeting = yield* one
          if (meeting === undefined) break
          meetings.push(meeting)
        }
        return meetings
      })

      return { wake: Effect.withSpan(wake, "MadeAgain.wake"), next: Effect.withSpan(next, "MadeAgain.next") }
    })
  )
}
