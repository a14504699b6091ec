import { assert, describe, it } from "@effect/vitest"
import { Cause, Console, Effect, Layer, Logger, Redacted } from "effect"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { jsonLine, layer, logFormat, readableLine, Telemetry } from "../../layers/telemetry/telemetry.ts"
import { type Attribute, receiver, spansIn } from "../support/collector.ts"

const attribute = (attributes: ReadonlyArray<Attribute> | undefined, key: string) =>
  attributes?.find((found) => found.key === key)?.value.stringValue

/** A console that records writes to standard error, and refuses everything else. */
const keptErrors = () => {
  const lines: Array<string> = []
  const kept: Console.Console = Object.assign(Object.create(null), {
    error: (line: string) => void lines.push(line)
  })
  return { lines, kept: Layer.succeed(Console.Console, kept) }
}

const exported = Effect.fnUntraced(function* (telemetry: Layer.Layer<never, never, Environment>, url: string) {
  const settings = yield* readEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: url })
  const { lines, kept } = keptErrors()
  yield* Effect.logInfo("found").pipe(
    Effect.withSpan("Meetings.open", { attributes: { ref: "3f2b8c1e" } }),
    Effect.withSpan("GET /api/meetings/:id"),
    Effect.provide(telemetry.pipe(Layer.provideMerge(kept), Layer.provide(Layer.succeed(Environment, settings))))
  )
  return lines
})

describe("traces", () => {
  it.live("are sent by OTLP before the layer closes, each span under its parent, with its attributes", () =>
    Effect.gen(function* () {
      const { url, paths, resources } = yield* receiver
      const lines = yield* exported(Telemetry("1.2.3"), `${url}/`)
      assert.deepStrictEqual([...new Set(paths)], ["POST /v1/traces application/json"])
      assert.strictEqual(attribute(resources[0]?.resource.attributes, "service.name"), "civic-record")
      assert.strictEqual(attribute(resources[0]?.resource.attributes, "service.version"), "1.2.3")
      const spans = spansIn(resources)
      const outer = spans.find(({ name }) => name === "GET /api/meetings/:id")
      const inner = spans.find(({ name }) => name === "Meetings.open")
      assert.isDefined(inner)
      assert.isUndefined(outer?.parentSpanId)
      assert.strictEqual(inner?.parentSpanId, outer?.spanId)
      assert.strictEqual(inner?.traceId, outer?.traceId)
      assert.strictEqual(attribute(inner?.attributes, "ref"), "3f2b8c1e")
      assert.strictEqual(lines.length, 1)
    })
  )

  it.live("are named in the log by the same ids", () =>
    Effect.gen(function* () {
      const { url, resources } = yield* receiver
      const [line] = yield* exported(layer({ endpoint: url, format: "json", build: "1.2.3" }), url)
      const spans = spansIn(resources)
      const inner = spans.find(({ name }) => name === "Meetings.open")
      assert.isDefined(inner)
      assert.include(JSON.parse(line ?? "{}"), { trace_id: inner?.traceId, span_id: inner?.spanId })
    })
  )
})

/** The output of one program in each format. */
const written = Effect.fnUntraced(function* (program: Effect.Effect<void>) {
  const lines: Array<string> = []
  const keep = (line: Logger.Logger<unknown, string>) => Logger.map(line, (output) => void lines.push(output))
  yield* Effect.provide(program, Logger.layer([keep(jsonLine), keep(readableLine)]))
  return { json: lines[0] ?? "", readable: lines[1] ?? "", count: lines.length }
})

describe("the log", () => {
  it.effect("has one line an entry, with the request id", () =>
    Effect.gen(function* () {
      const { json, readable, count } = yield* written(
        Effect.logInfo("GET /two\nlines\u001b[2J 200").pipe(
          Effect.annotateLogs({ request_id: "trace-0123", status: 200, level: "forged" }),
          Effect.withSpan("GET /health")
        )
      )
      assert.strictEqual(count, 2)
      const parsed = JSON.parse(json)
      assert.include(parsed, { level: "INFO", request_id: "trace-0123", status: 200 })
      assert.strictEqual(parsed.message, "GET /two\nlines\u001b[2J 200")
      assert.match(parsed.trace_id, /^[0-9a-f]{32}$/)
      assert.match(parsed.span_id, /^[0-9a-f]{16}$/)
      assert.notInclude(json, "\n")
      assert.include(readable, String.raw`INFO  GET /two\nlines\u001b[2J 200 request_id=trace-0123`)
      assert.notInclude(readable, "\n")
      assert.notInclude(readable, "\u001b")
    })
  )

  it.effect("says for a person what the message does not say yet, including what only looks like a part of it", () =>
    Effect.gen(function* () {
      const { readable } = yield* written(
        Effect.logInfo("GET /api/meetings/36be009c 200").pipe(
          Effect.annotateLogs({ method: "GET", path: "/api/meetings/36be009c", status: 200, ms: 0, bytes: 36 })
        )
      )
      assert.match(readable, / INFO {2}GET \/api\/meetings\/36be009c 200 ms=0 bytes=36$/)
    })
  )

  it.effect("shows a cause, on the same line in JSON", () =>
    Effect.gen(function* () {
      const { json, readable } = yield* written(Effect.logError("it broke", Cause.die(new Error("a fault of ours"))))
      assert.include(JSON.parse(json).cause, "a fault of ours")
      assert.notInclude(json, "\n")
      assert.include(readable, "a fault of ours")
    })
  )

  it.effect("reveals no secret, and accepts values that JSON does not", () =>
    Effect.gen(function* () {
      const { json, readable } = yield* written(
        Effect.logWarning("asked", new Error("no answer"), { key: Redacted.make("hidden-key") }).pipe(
          Effect.annotateLogs({ grant: Redacted.make("hidden-grant"), bytes: 12n })
        )
      )
      for (const line of [json, readable]) {
        assert.notInclude(line, "hidden")
        assert.include(line, "no answer")
        assert.include(line, "redacted")
        assert.include(line, "12n")
      }
    })
  )

  it.live("is written once per turn of the event loop, and to its end before it closes", () =>
    Effect.gen(function* () {
      const { lines, kept } = keptErrors()
      const log = layer({ format: "pretty", build: "1.2.3" }).pipe(Layer.provideMerge(kept))
      yield* Effect.gen(function* () {
        yield* Effect.logInfo("first")
        yield* Effect.logInfo("second")
        assert.lengthOf(lines, 0)
        yield* Effect.sleep("20 millis")
        assert.lengthOf(lines, 1)
        yield* Effect.logInfo("third")
        assert.lengthOf(lines, 1)
      }).pipe(Effect.provide(log))
      assert.deepStrictEqual(
        lines.flatMap((text) => text.split("\n").map((line) => line.replace(/^.* /, ""))),
        ["first", "second", "third"]
      )
    })
  )

  it("is for people at a terminal and at a local start, else for a collector", () => {
    assert.strictEqual(logFormat(false, undefined, false), "pretty")
    assert.strictEqual(logFormat(false, undefined, true), "json")
    assert.strictEqual(logFormat(false, "http://127.0.0.1:4318", false), "json")
    assert.strictEqual(logFormat(true, undefined, true), "pretty")
  })
})
