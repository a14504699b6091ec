import { Effect, Layer, Logger, Schedule } from "effect"
import { entry, text } from "../../layers/telemetry/telemetry.ts"
import { pipelineLogLevels } from "../../schema/agent/log.ts"
import { type NewLogLine, PipelineLog } from "../services/queue/pipeline-log.ts"

const flushEvery = "1 second"
/** The most lines waiting to be written; if the database is unavailable for longer, further lines are dropped. */
const mostWaiting = 2000
const longestText = 2000
const mostFields = 30

/**
 * Removes credentials wherever they appear: user and password in an address, its query (a signature, a key), and
 * whatever follows the name of an authorization scheme.
 */
const withoutSecrets = (line: string): string =>
  line
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]*@/gi, "$1")
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, "$1")
    .replace(/\b(bearer|basic)\s+[^\s"',;]+/gi, "$1 <redacted>")
    .replace(/\b(api[_-]?key|token|secret|password|authorization)(["']?\s*[:=]\s*["']?)[^\s"',;]+/gi, "$1$2<redacted>")

/** Text that PostgreSQL can store, without secrets and of bounded length. */
const cleaned = (line: string): string =>
  withoutSecrets(line).replaceAll("\u0000", "").toWellFormed().slice(0, longestText)

/** The annotations that have columns of their own. */
const columns = new Set(["worker", "meeting", "task", "source"])

const levelOf = (level: string) => pipelineLogLevels.find((known) => known === level.toLowerCase()) ?? "info"

const field = (value: unknown) =>
  typeof value === "number" || typeof value === "boolean" ? value : cleaned(text(value))

/** A line as stored. */
const lineOf = (options: Logger.Options<unknown>): NewLogLine => {
  const { at, level, message, cause, traceId, annotations } = entry(options)
  const own = Object.entries(annotations).filter(([name]) => !columns.has(name))
  const id = (name: string) => {
    const value = annotations[name]
    return typeof value === "string" ? value : undefined
  }
  return {
    at,
    source: id("source") ?? "worker",
    level: levelOf(level),
    worker_id: id("worker"),
    meeting_id: id("meeting"),
    task_id: id("task"),
    message: cleaned(message),
    fields: {
      ...Object.fromEntries(own.slice(0, mostFields).map(([name, value]) => [name, field(value)])),
      ...(cause === undefined ? {} : { cause: cleaned(cause) }),
      ...(traceId === undefined ? {} : { trace_id: traceId })
    }
  }
}

/** Writes workers' log lines to the pipeline's log too, once a second and on close. */
export const WorkerLogLive = Layer.unwrap(
  Effect.gen(function* () {
    const log = yield* PipelineLog
    const waiting: Array<NewLogLine> = []
    let dropped = 0
    // Uninterruptible, or lines already written would be written again.
    const flush = Effect.suspend(() => {
      const lines = waiting.slice()
      return Effect.andThen(
        Effect.withTracerEnabled(log.append(lines), false),
        Effect.sync(() => waiting.splice(0, lines.length))
      )
    }).pipe(Effect.uninterruptible)
    yield* Effect.addFinalizer(() => Effect.ignore(flush))
    yield* Effect.gen(function* () {
      yield* flush
      if (dropped > 0) yield* Effect.logWarning(`${dropped} lines of the pipeline's log were left out`)
      dropped = 0
      yield* Effect.sleep(flushEvery)
    }).pipe(
      Effect.tapError((error) => Effect.logWarning("The pipeline's log cannot be written", error.message)),
      Effect.retry(Schedule.jittered(Schedule.spaced("5 seconds"))),
      Effect.forever,
      Effect.forkScoped
    )
    const keep = Logger.make<unknown, void>((options) => {
      if (waiting.length < mostWaiting) waiting.push(lineOf(options))
      else dropped += 1
    })
    return Logger.layer([keep], { mergeWithExisting: true })
  })
)
