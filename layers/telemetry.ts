import { Cause, Context, Effect, Formatter, Layer, Logger, Option, References, Tracer } from "effect"
import { Environment } from "./config.ts"

/** How a line of the log is written: JSON for a log collector, or words for a person at a terminal. */
type LogFormat = "pretty" | "json"

interface TelemetryOptions {
  /** The base address of an OTLP receiver over HTTP; without one spans go nowhere. */
  readonly endpoint?: string
  readonly format: LogFormat
  /** Which build speaks: its version, and its commit where that is known. */
  readonly build: string
}

/** One log entry, before it is written: what every line has, then what its annotations say. */
export interface Entry {
  readonly at: string
  readonly level: string
  readonly message: string
  readonly cause: string | undefined
  readonly traceId: string | undefined
  readonly spanId: string | undefined
  readonly annotations: Readonly<Record<string, unknown>>
}

/** `Formatter` hides what is Redacted, and takes errors, circles and bigints as they come. */
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

/** JSON, one line an entry. An annotation cannot take the place of what every line has. */
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

/** What a caller sent may hold line breaks and a terminal's control sequences: those are shown, never obeyed. */
const onOneLine = (line: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  line.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => JSON.stringify(character).slice(1, -1))

/** One line for a person: the time (UTC), what happened, and what belongs to it. A cause has lines of its own. */
export const readableLine = Logger.make((options): string => {
  const { at, level, message, cause, annotations } = entry(options)
  const details = Object.entries(annotations)
    .filter(([name, value]) => !message.includes(text(value)) && name !== "route")
    .map(([name, value]) => `${name}=${text(value)}`)
  const line = onOneLine([at.slice(11, 19), level.padEnd(5), message, ...details].join(" "))
  return cause === undefined ? line : `${line}\n${cause}`
})

/** Where spans are sent: the standard's base address, to which the path of the signal is added (OTLP exporter specification). */
const tracesUrl = (endpoint: string) => `${endpoint.replace(/\/+$/, "")}/v1/traces`

/** Sends spans by OTLP over HTTP, the last of them before it closes. Its packages are read only where an endpoint is given. */
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
 * Logs and traces of one process. Lines of the log carry the ids of the span they were written in. They go to standard
 * error, so that what a command prints stays clean for scripts.
 */
export const layer = ({ endpoint, format, build }: TelemetryOptions) => {
  const logs = Logger.layer([Logger.withConsoleError(format === "pretty" ? readableLine : jsonLine)])
  return endpoint === undefined ? logs : Layer.merge(logs, exporter(endpoint, build))
}

/** Readable where a person watches, and at a local start; JSON in production and wherever traces are collected. */
export const logFormat = (isTerminal: boolean, endpoint: string | undefined, isProduction: boolean): LogFormat =>
  isTerminal || (endpoint === undefined && !isProduction) ? "pretty" : "json"

/** The telemetry of this process, as its settings and its terminal ask for. */
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
