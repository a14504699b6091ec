import { Context, Effect, Layer, type Option, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { Db } from "../../../layers/db/db.ts"
import type { ClaimedTask } from "./tasks.ts"

/**
 * A cache of the finished pieces of a stage, such as paid model calls, until the stage is done: a task that is retried,
 * or taken over from a killed worker, resumes where it was.
 */
export class StagePieces extends Context.Service<
  StagePieces,
  {
    /** The piece cached under a key; none if there is none or it no longer fits the schema. */
    readonly kept: <A, E>(
      task: ClaimedTask,
      key: string,
      schema: Schema.Codec<A, E>
    ) => Effect.Effect<Option.Option<A>, SqlError.SqlError>
    /** Caches a piece, replacing any under the same key. Does nothing if the task has been deleted. */
    readonly keep: <A, E>(
      task: ClaimedTask,
      key: string,
      schema: Schema.Codec<A, E>,
      value: A
    ) => Effect.Effect<void, SqlError.SqlError>
    /** Deletes the pieces of a task, in the transaction that ends it. */
    readonly clear: (task: ClaimedTask) => Effect.Effect<void, SqlError.SqlError>
  }
>()("civic-record/StagePieces") {
  static readonly layer = Layer.effect(
    StagePieces,
    Effect.gen(function* () {
      const db = yield* Db

      const kept = Effect.fn("StagePieces.kept")(function* <A, E>(
        task: ClaimedTask,
        key: string,
        schema: Schema.Codec<A, E>
      ) {
        const [row] = yield* db<{ value: unknown }>`
          select value from stage_piece where task_id = ${task.id} and key = ${key}`
        return Schema.decodeUnknownOption(schema)(row?.value)
      })

      const keep = Effect.fn("StagePieces.keep")(function* <A, E>(
        task: ClaimedTask,
        key: string,
        schema: Schema.Codec<A, E>,
        value: A
      ) {
        const json = JSON.stringify(yield* Effect.orDie(Schema.encodeEffect(schema)(value)))
        yield* db`
          insert into stage_piece (task_id, key, value) select id, ${key}, ${json}::json from task where id = ${task.id}
          on conflict (task_id, key) do update set value = excluded.value, made_at = excluded.made_at`
      })

      const clear = Effect.fn("StagePieces.clear")(
        (task: ClaimedTask) => db`delete from stage_piece where task_id = ${task.id}`,
        Effect.asVoid
      )

      return { kept, keep, clear }
    })
  )
}
