import { Effect, Result } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Renderer } from "../../layers/renderer/renderer.ts"
import type { BundleEntity } from "../../schema/bundle.ts"
import type { NotedPart } from "../../schema/part.ts"
import type { Fault } from "../record/formats/decode.ts"
import { withReadableText } from "../record/readable.ts"
import { writeBatch } from "../record/write/batch.ts"
import { writeMediaFrom } from "../record/write/media.ts"
import { MeetingMaterials } from "../services/making/meeting-materials.ts"
import { StagePieces } from "../services/queue/stage-pieces.ts"
import { recordTaskEvents } from "../services/queue/task-events.ts"
import type { ClaimedTask } from "../services/queue/tasks.ts"
import type { RelyingTask } from "./relying.ts"
import { StageFailed } from "./stage.ts"

/** The meeting that a task's flow is about. */
export const meetingOf = ({ meetingId }: ClaimedTask) =>
  meetingId === null
    ? Effect.fail(new StageFailed({ message: "The task is about no meeting.", final: true }))
    : Effect.succeed(meetingId)

const unfit = ({ field, message }: Fault) =>
  new StageFailed({ message: `What was made is not fit for the record: ${field} ${message}`, final: false })

/** Shared by the stages that make parts of a meeting: results are written and announced the same way as an import. */
export const making = Effect.gen(function* () {
  const db = yield* Db
  const store = yield* ObjectStore
  const renderer = yield* Renderer
  const materials = yield* MeetingMaterials
  const pieces = yield* StagePieces

  /** Ends a task that has nothing to do, and records why. This is not a failure; what a model failed to do is told. */
  const skipped = (task: ClaimedTask & Partial<RelyingTask>, reason: string) =>
    Effect.suspend(() =>
      (task.models?.lacks() ?? []).length > 0
        ? Effect.void
        : recordTaskEvents(db, "skipped", [task], { worker: task.worker, detail: `skipped: ${reason}` })
    )

  /** Records entities, with media from files in `folder`, in the transaction that ends the task. */
  const write = Effect.fnUntraced(function* (entities: ReadonlyArray<BundleEntity>, folder = ".") {
    const kept = Result.all(entities.map((entity) => Result.map(withReadableText(entity), ({ entity }) => entity)))
    if (Result.isFailure(kept)) return yield* unfit(kept.failure)
    const outcomes = yield* writeBatch(kept.success, writeMediaFrom(folder, true)).pipe(
      Effect.provideService(Db, db),
      Effect.provideService(ObjectStore, store),
      Effect.provideService(Renderer, renderer),
      Effect.catchTag("ObjectStoreError", (cause) =>
        Effect.fail(new StageFailed({ message: "The media store cannot be written to.", final: false, cause }))
      )
    )
    const refused = outcomes.find((outcome) => outcome._tag === "Refused")
    if (refused !== undefined) return yield* unfit(refused)
  })

  /**
   * The last step of a stage: records its result, and discards the pieces it was made from unless it lacks some, which
   * it is repeated for.
   */
  const made = Effect.fnUntraced(function* (
    task: ClaimedTask & Partial<RelyingTask>,
    generator: string,
    parts: ReadonlyArray<NotedPart>
  ) {
    const meeting = yield* meetingOf(task)
    for (const part of parts) yield* materials.note(meeting, part, generator)
    if ((task.models?.lacks() ?? []).length === 0) yield* pieces.clear(task)
  })

  return { db, materials, pieces, skipped, write, made }
})
