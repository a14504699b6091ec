import { Cause, Console, Context, Effect, Formatter, Layer, Logger, Option, References, Tracer } from "effect"
import { Environment } from "../config/config.ts"

/** The format of log lines: JSON for a collector, or text for a person at a terminal. */
type LogFormat = "pretty" | "json"

interface TelemetryOptions {
  /** The base URL of an OTLP receiver over HTTP; without one, spans are not exported. */
  readonly endpoint?: string
  readonly format: LogFormat
  /** The build: its version, and its commit if known. */
  readonly build: string
}

/** A log entry before formatting: the fixed fields, then its annotations. */
export interface Entry {
  readonly at: string
  readonly level: string
  readonly message: string
  readonly cause: string | undefined
  readonly traceId: string | undefined
  readonly spanId: string | undefined
  readonly annotations: Readonly<Record<string, unknown>>
}

/** `Formatter` hides Redacted values, and accepts errors, circular references and bigints. */
export const text = (part: unknown): string => (typeof part === "string" ? part : Formatter.format(part))

export const entry = (options: Logger.Options<unknown>): Entry => {
  const span = Context.getOrUndefined(options.fiber.context, Tracer.ParentSpan)
  const parts = Array.isArray(options.message) ? options.message : [options.message]
  return {
    at: options.date.toISOString(),
    level: options.logLevel.toUpperCase(),
    message: parts.map(text).join(" "),
    cause: options.cause.reasons.length === 0 ? undefined : Cause.pretty(options.cause),
    traceId: span?.traceId,
    spanId: span?.spanId,
    annotations: options.fiber.getRef(References.CurrentLogAnnotations)
  }
}

/** One line of JSON per entry. An annotation cannot overwrite a fixed field. */
export const jsonLine = Logger.make((options): string => {
  const { at, level, message, cause, traceId, spanId, annotations } = entry(options)
  const everyLine = { time: at, level, message }
  return Formatter.formatJson({
    ...everyLine,
    ...annotations,
    ...everyLine,
    cause,
    trace_id: traceId,
    span_id: spanId
  })
})

/** Input from callers may contain line breaks and terminal control sequences; they are escaped. */
const withoutControls = (line: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  line.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => JSON.stringify(character).slice(1, -1))

/** One line for a person: the time (UTC), the message, and its details. A cause gets lines of its own. */
export const readableLine = Logger.make((options): string => {
  const { at, level, message, cause, annotations } = entry(options)
  // A detail that is already a word of the message is not repeated.
  const said = new Set(message.split(" "))
  const details = Object.entries(annotations)
    .filter(([name, value]) => !said.has(text(value)) && name !== "route")
    .map(([name, value]) => `${name}=${text(value)}`)
  const line = withoutControls([at.slice(11, 19), level.padEnd(5), message, ...details].join(" "))
  return cause === undefined ? line : `${line}\n${cause}`
})

/** Where spans are sent: the base URL and the signal's path (OTLP exporter specification). */
const tracesUrl = (endpoint: string) => `${endpoint.replace(/\/+$/, "")}/v1/traces`

/** Exports spans by OTLP over HTTP, flushing on close. Its packages are loaded only if an endpoint is set. */
const exporter = (endpoint: string, build: string) =>
  Layer.unwrap(
    Effect.promise(async () => {
      const NodeSdk = await import("@effect/opentelemetry/NodeSdk")
      const { BatchSpanProcessor } = await import("@opentelemetry/sdk-trace-base")
      const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http")
      return NodeSdk.layer(() => ({
        resource: { serviceName: "civic-record", serviceVersion: build },
        spanProcessor: new BatchSpanProcessor(new OTLPTraceExporter({ url: tracesUrl(endpoint) }))
      }))
    })
  )

/**
 * Writes the lines of one turn of the event loop together, after it: a line costs a system call, which should not delay
 * a response. Lines that are left when the process ends are written before it exits.
 */
const written = (lines: Logger.Logger<unknown, string>) =>
  Effect.gen(function* () {
    const console = yield* Console.Console
    let waiting: Array<string> = []
    const write = () => {
      if (waiting.length === 0) return
      const text = waiting.join("\n")
      waiting = []
      console.error(text)
    }
    process.on("exit", write)
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        process.off("exit", write)
        write()
      })
    )
    return Logger.map(lines, (line) => {
      if (waiting.length === 0) setImmediate(write)
      waiting.push(line)
    })
  })

/**
 * Logs and traces of one process. Each log line has the ids of its span. Logs go to standard error, so that scripts can
 * read a command's output.
 */
export const layer = ({ endpoint, format, build }: TelemetryOptions) => {
  const logs = Logger.layer([written(format === "pretty" ? readableLine : jsonLine)])
  return endpoint === undefined ? logs : Layer.merge(logs, exporter(endpoint, build))
}

/** Text at a terminal and for a local start; JSON in production and wherever traces are exported. */
export const logFormat = (isTerminal: boolean, endpoint: string | undefined, isProduction: boolean): LogFormat =>
  isTerminal || (endpoint === undefined && !isProduction) ? "pretty" : "json"

/** The telemetry of this process, according to its settings and its terminal. */
export const Telemetry = (build: string) =>
  Layer.unwrap(
    Effect.map(Environment, ({ otlpEndpoint, isProduction }) => {
      const endpoint = Option.getOrUndefined(otlpEndpoint)
      return layer({
        ...(endpoint === undefined ? {} : { endpoint }),
        format: logFormat(process.stderr.isTTY === true, endpoint, isProduction),
        build
      })
    })
  )
