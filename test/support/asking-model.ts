import { assert } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Layer, Logger, Schema, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { CloudModel, type CloudModelOptions, type ModelCall, ModelUsage } from "../../layers/cloud-model/cloud-model.ts"
import type { ModelEndpoint } from "../../layers/config/config.ts"
import { jsonLine } from "../../layers/telemetry/telemetry.ts"
import { modelKey } from "./model-server.ts"

const Offset = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))
const Span = Schema.Struct({ start: Offset, end: Offset, title: Schema.optionalKey(Schema.String) })

export const said = "the word zoning was said"

/** How a model writes an answer without a title: strict schemas have no optional fields. */
export const good = { start: 1, end: 2, title: null }

export const ask = CloudModel.use((model) =>
  model.generateObject({
    schema: Span,
    name: "span",
    system: "Find the discussion.",
    prompt: said,
    maxOutputTokens: 300,
    purpose: "auto_clip"
  })
)

/** Negligible pauses, and time limits that nothing here reaches. */
const quick: Partial<CloudModelOptions> = {
  tryTimeout: "10 days",
  callTimeout: "30 days",
  pause: "1 millis",
  longestPause: "2 hours"
}

/**
 * Runs a program with the real layer at an endpoint, and collects its records, logs and traces. Neither the key nor any
 * spoken words may ever appear in them.
 */
export const at = Effect.fnUntraced(function* <A, E>(
  endpoint: ModelEndpoint,
  options: Partial<CloudModelOptions>,
  program: Effect.Effect<A, E, CloudModel>
) {
  const calls: Array<ModelCall> = []
  const lines: Array<string> = []
  const spans: Array<Tracer.NativeSpan> = []
  const exit = yield* Effect.exit(program).pipe(
    Effect.provide(
      CloudModel.layerEndpoint(endpoint, { ...quick, ...options }).pipe(
        Layer.provide(
          Layer.succeed(ModelUsage, {
            begin: () =>
              Effect.succeed((call) =>
                Effect.sync(() => {
                  calls.push(call)
                })
              )
          })
        )
      )
    ),
    Effect.provide(Logger.layer([Logger.map(jsonLine, (line) => void lines.push(line))])),
    Effect.withTracer(
      Tracer.make({
        span: (given) => {
          const span = new Tracer.NativeSpan(given)
          spans.push(span)
          return span
        }
      })
    )
  )
  const attributes = spans.map(
    (span): Readonly<Record<string, unknown>> => ({ name: span.name, ...Object.fromEntries(span.attributes) })
  )
  const shown = JSON.stringify([
    lines,
    attributes,
    spans.map(({ status }) =>
      status._tag === "Ended" && Exit.isFailure(status.exit) ? Cause.pretty(status.exit.cause) : ""
    ),
    Exit.isFailure(exit) ? [Cause.pretty(exit.cause), JSON.stringify(exit.cause)] : []
  ])
  for (const secret of [modelKey, "zoning", "bad request by"]) assert.notInclude(shown, secret)
  return { exit, calls, lines, spans: attributes }
})

export const failureOf = (exit: Exit.Exit<unknown, { readonly reason: string; readonly message: string }>) =>
  Exit.isFailure(exit)
    ? Cause.findErrorOption(exit.cause).pipe((found) => (found._tag === "Some" ? found.value : undefined))
    : undefined

/** Advances the virtual time in steps, and lets the real server answer in each, until the program is done. */
export const driven = Effect.fnUntraced(function* <A, E, R>(
  program: Effect.Effect<A, E, R>,
  step: "1 millis" | "10 seconds"
) {
  const fiber = yield* Effect.forkChild(program)
  while (fiber.pollUnsafe() === undefined) {
    yield* TestClock.adjust(step)
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 1)))
  }
  return yield* Fiber.join(fiber)
})

export const until = (holds: () => boolean) =>
  Effect.promise(async () => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2))
  })
