import { Effect, Schema } from "effect"
import { SchemaJITCompiler } from "effect/schema"

/**
 * Decodes a statement's rows by the schema of one, so that a column of an unexpected type is a defect and never a wrong
 * answer. For rows that are sent without encoding (`asTyped`). The schema is compiled, which takes a fifth of the time.
 */
export const rowsBy = <A>(row: Schema.Codec<A, unknown>) => {
  const rows = Schema.Array(row)
  SchemaJITCompiler.enable(rows.ast)
  const decode = Schema.decodeUnknownEffect(rows)
  return <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>): Effect.Effect<ReadonlyArray<A>, E, R> =>
    Effect.flatMap(statement, (found) => Effect.orDie(decode(found)))
}
