import { Effect, type Scope } from "effect"
import { Db } from "../../layers/db/db.ts"
import { type Lack, recordEnd } from "../services/making/made-without.ts"
import type { BudgetSpent } from "../services/making/model-budget.ts"
import { ModelPatience, type ModelRole, pauseForModel } from "../services/queue/model-patience.ts"
import type { ClaimedTask } from "../services/queue/tasks.ts"
import { ModelFailed, type StageFailure, type StageHandler } from "./stage.ts"

/** A failure of a model, as a stage meets it. */
interface Failure extends Omit<Lack, "isPartial"> {
  /** Seconds after which it may be asked again, if it says so. */
  readonly after?: number | undefined
  /** For the log. */
  readonly cause?: unknown
}

/** How the models treat one attempt of a stage. */
export interface Reliance {
  /**
   * Fails while the model has tries left. After the last one, the stage goes on with what code alone makes: then, and
   * if no model is configured, this succeeds with nothing.
   */
  readonly without: (failure: Failure) => Effect.Effect<undefined, ModelFailed>
  /** The same for a budget that is spent. */
  readonly unpaid: (model: Pick<Failure, "role" | "model">, spent: BudgetSpent) => Effect.Effect<undefined, ModelFailed>
  /**
   * Notes that a model gave something that is used. If that is `kept` for later attempts, the model is on the way, and
   * being away after it counts as the first time.
   */
  readonly answered: (role: ModelRole, kept?: boolean) => void
  readonly hasAnswered: (role: ModelRole) => boolean
  /** Whether there is no point in asking this model again in this attempt. */
  readonly isGone: (role: ModelRole) => boolean
  readonly lacks: () => ReadonlyArray<Lack>
}

/** A task whose stage asks models. */
export interface RelyingTask extends ClaimedTask {
  readonly models: Reliance
}

const relianceOf = (task: ClaimedTask, patience: (typeof ModelPatience)["Service"]): Reliance => {
  const answered = new Set<ModelRole>()
  const kept = new Set<ModelRole>()
  const gone = new Set<ModelRole>()
  const failures: Array<Failure> = []

  const without: Reliance["without"] = (failure) =>
    Effect.suspend(() => {
      const { kind, role, model, reason, after, cause } = failure
      const hasAnswered = kept.has(role)
      if (kind !== "none" && !gone.has(role)) {
        const before = {
          away: hasAnswered ? 0 : task.modelAway,
          unusable: task.modelUnusable,
          waited: task.modelWaited
        }
        const seconds = pauseForModel(patience, kind, before, after)
        if (seconds !== undefined)
          return new ModelFailed({ kind, role, model, message: reason, seconds, hasAnswered, cause })
      }
      failures.push(failure)
      // An answer that is of no use says nothing about the next one.
      if (kind !== "unusable") gone.add(role)
      return Effect.logWarning(`The stage goes on without a model: ${reason}`).pipe(
        Effect.annotateLogs({ role, why: cause }),
        Effect.when(Effect.sync(() => kind !== "none")),
        Effect.as(undefined)
      )
    })

  return {
    without,
    unpaid: (model, { message, seconds }) => without({ ...model, kind: "budget", reason: message, after: seconds }),
    answered: (role, isKept = false) => {
      answered.add(role)
      if (isKept) kept.add(role)
    },
    hasAnswered: (role) => answered.has(role),
    isGone: (role) => gone.has(role),
    lacks: () =>
      failures.map(({ kind, role, model, reason }) => ({
        ...{ kind, role, model, reason },
        isPartial: kind === "unusable" && answered.has(role)
      }))
  }
}

/**
 * Makes the work of stages that ask models. A model that fails such a stage is tried again; in the end the stage is
 * done without it, and the transaction that ends the task says so.
 */
export const relying = Effect.gen(function* () {
  const db = yield* Db
  const patience = yield* ModelPatience
  return (
    work: (
      task: RelyingTask,
      onProgress: (share: number) => Effect.Effect<void>
    ) => Effect.Effect<Effect.Effect<void, StageFailure>, StageFailure, Scope.Scope>
  ): StageHandler["work"] =>
    (task, onProgress) =>
      Effect.suspend(() => {
        const models = relianceOf(task, patience)
        return Effect.map(work({ ...task, models }, onProgress), (put) =>
          Effect.andThen(
            put,
            Effect.suspend(() => recordEnd(db, task, models.lacks()))
          )
        )
      })
})
