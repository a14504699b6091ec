import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { advisoryLocks, inOrder } from "../../../layers/db/advisory-locks.ts"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { AgentLogs, pipelineLogLevels } from "../../../schema/agent/log.ts"
import { sent } from "../wire.ts"

type PipelineLogLevel = (typeof pipelineLogLevels)[number]

/** A line logged by a worker or by the stage that it is running. */
export interface NewLogLine {
  /** ISO 8601. */
  readonly at: string
  /** `worker`, or the name of the stage. */
  readonly source: string
  readonly level: PipelineLogLevel
  readonly worker_id?: string | undefined
  readonly meeting_id?: string | undefined
  readonly task_id?: string | undefined
  readonly message: string
  readonly fields: Readonly<Record<string, string | number | boolean>>
}

export interface LogLine {
  readonly id: number
  readonly at: Date
  readonly source: string
  readonly level: PipelineLogLevel
  readonly worker_id: string | null
  readonly meeting_id: string | null
  readonly task_id: string | null
  readonly message: string
  readonly fields: Readonly<Record<string, string | number | boolean>>
}

/** Splits the values of a parameter that may be repeated, comma-separated, or both. */
const separate = (values: ReadonlyArray<string> | undefined) => values?.flatMap((value) => value.split(","))

/** Filters on the log; an omitted field does not filter. */
export interface LogQuery {
  /** Like those of `levels`, each value may be a comma-separated list. */
  readonly sources?: ReadonlyArray<string> | undefined
  readonly levels?: ReadonlyArray<string> | undefined
  readonly worker_id?: string | undefined
  readonly meeting_id?: string | undefined
  readonly task_id?: string | undefined
  /** Text within the message; case is ignored. */
  readonly q?: string | undefined
  /** An exclusive upper bound on ids. */
  readonly before?: number | undefined
  /** An exclusive lower bound on ids. */
  readonly after?: number | undefined
  readonly limit: number
}

/** Days for which a line is kept, and the most lines kept. */
const keptDays = 30
const mostLines = 1_000_000

/** The log of the pipeline across all machines, as operators read it. */
export class PipelineLog extends Context.Service<
  PipelineLog,
  {
    /** Appends lines, whose ids become visible in ascending order (`inOrder`). */
    readonly append: (lines: ReadonlyArray<NewLogLine>) => Effect.Effect<void, SqlError.SqlError>
    /**
     * At most `limit` lines, oldest first: with `after` the lines that follow it, otherwise the last ones (those
     * preceding `before`, if given).
     */
    readonly page: (query: LogQuery) => Effect.Effect<ReadonlyArray<LogLine>>
    /** A page for operators, with cursors in both directions. */
    readonly read: (
      query: Omit<LogQuery, "limit"> & { readonly limit?: number | undefined }
    ) => Effect.Effect<AgentLogs>
    /** Deletes lines older than 30 days, and all but the newest million. */
    readonly prune: Effect.Effect<void, SqlError.SqlError>
  }
>()("civic-record/PipelineLog") {
  static readonly layer = Layer.effect(
    PipelineLog,
    Effect.gen(function* () {
      const db = yield* Db

      const append = Effect.fn("PipelineLog.append")(function* (lines: ReadonlyArray<NewLogLine>) {
        if (lines.length === 0) return
        yield* db`
          ${inOrder(db, advisoryLocks.log)}
          insert into pipeline_log (at, source, level, worker_id, meeting_id, task_id, message, fields)
          select line.at, line.source, line.level, line.worker_id, line.meeting_id, line.task_id,
            line.message, line.fields
          from held, rows from (json_to_recordset(${JSON.stringify(lines)}::json)
            as (at timestamptz, source text, level text, worker_id uuid, meeting_id uuid, task_id uuid, message text,
              fields jsonb)) with ordinality
            line (at, source, level, worker_id, meeting_id, task_id, message, fields, position)
          order by line.position`
      })

      const page = Effect.fn("PipelineLog.page")(function* (query: LogQuery) {
        const { worker_id, meeting_id, task_id, q, before, after, limit } = query
        const [sources, levels] = [separate(query.sources), separate(query.levels)]
        const conditions = db.and([
          db`true`,
          ...(sources === undefined ? [] : [db`source = any(${sources})`]),
          ...(levels === undefined ? [] : [db`level = any(${levels})`]),
          ...(worker_id === undefined ? [] : [db`worker_id = ${worker_id}`]),
          ...(meeting_id === undefined ? [] : [db`meeting_id = ${meeting_id}`]),
          ...(task_id === undefined ? [] : [db`task_id = ${task_id}`]),
          ...(q === undefined ? [] : [db`strpos(lower(message), lower(${q})) > 0`]),
          ...(before === undefined ? [] : [db`id < ${before}::bigint`]),
          ...(after === undefined ? [] : [db`id > ${after}::bigint`])
        ])
        const lines = yield* db<LogLine>`
          select id::float8 as id, at, source, level, worker_id, meeting_id, task_id, message, fields
          from pipeline_log where ${conditions} order by id ${db.literal(after === undefined ? "desc" : "asc")}
          limit ${limit}`
        return after === undefined ? lines.toReversed() : lines
      }, dbDies)

      const read = Effect.fn("PipelineLog.read")(function* ({
        limit = 100,
        ...query
      }: Omit<LogQuery, "limit"> & { readonly limit?: number | undefined }) {
        // Read first, so that lines written between the two statements appear on the next page.
        const [newest] = yield* db<{ id: number }>`select coalesce(max(id), 0)::float8 as id from pipeline_log`
        const lines = yield* page({ ...query, limit })
        const [first, last] = [lines[0], lines.at(-1)]
        return {
          lines: lines.map(sent),
          ...(first === undefined ? {} : { before: first.id }),
          after: last?.id ?? query.after ?? newest?.id ?? 0
        }
      }, dbDies)

      return {
        append,
        page,
        read,
        prune: db`
          delete from pipeline_log where at < now() - ${keptDays}::int * interval '1 day'
            or id <= (select id from pipeline_log order by id desc offset ${mostLines}::int limit 1)`.pipe(
          Effect.asVoid,
          Effect.withSpan("PipelineLog.prune")
        )
      }
    })
  )
}
