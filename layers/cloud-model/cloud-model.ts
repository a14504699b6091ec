import { type Cause, Clock, Context, Duration, Effect, Exit, Layer, Option, Ref, Schedule, type Schema } from "effect"
import { AiError } from "effect/ai"
import { FetchHttpClient, HttpClient } from "effect/http"
import { CircuitBreaker } from "effect/persistence"
import { Environment, type ModelEndpoint } from "../config/config.ts"
import { chatCompletions, type TokenUsage } from "./chat-completions.ts"
import { CloudModelUnavailable, kindOf, reasonOf, type TryFailure, type UnavailableReason } from "./failure.ts"

export { CloudModelUnavailable, type UnavailableReason } from "./failure.ts"

/** A request for one object from the model. */
export interface ObjectRequest<A, E extends Record<string, unknown>> {
  /** The schema of the answer; an object at the top level. */
  readonly schema: Schema.Codec<A, E>
  /** The object's name: letters, digits, `_` and `-`, at most 64 (OpenAI's rule for `json_schema.name`). */
  readonly name: string
  /** Our instructions. Text that comes from elsewhere belongs in `prompt`, as data. */
  readonly system: string
  readonly prompt: string
  readonly maxOutputTokens: number
  /** The purpose of the call, such as `auto_clip`, as it appears in spans and the usage log. */
  readonly purpose: string
}

interface Generated<A> {
  readonly value: A
  /** The sum over all attempts. */
  readonly usage: TokenUsage
  readonly model: string
}

/** Why a speech model gave no transcript, where that is no reason of a language model. */
type OwnReason = "unreadable" | "no_filter" | "not_loaded" | "crashed"

/** One call of the model, with all its attempts, for the usage log. */
export interface ModelCall extends TokenUsage {
  readonly model: string
  readonly purpose: string
  readonly durationMs: number
  /**
   * `begun`: it is under way, or its process was killed, and the tokens are the most that it may take. `stopped`: the
   * caller was interrupted, or our own code failed. A speech model also has reasons of its own.
   */
  readonly outcome: "begun" | "ok" | "stopped" | OwnReason | UnavailableReason
  /** In US dollars, if prices are known. */
  readonly cost?: number
  /** The seconds of audio that a speech model transcribed. */
  readonly seconds?: number
  /** The host of the endpoint, or `this machine`. */
  readonly provider?: string
}

/** Records a call as it ended. */
type Settle = (call: ModelCall) => Effect.Effect<void>

/**
 * Receives a record of each model call when it begins, and another that takes its place when it ends: a process that is
 * killed meanwhile has spent the money. By default records are discarded. A model keeps the recorder that was current
 * when its layer was built.
 */
export const ModelUsage = Context.Reference<{ readonly begin: (call: ModelCall) => Effect.Effect<Settle> }>(
  "civic-record/ModelUsage",
  { defaultValue: () => ({ begin: () => Effect.succeed(() => Effect.void) }) }
)

/** Begins the record of a call. A failure to record it is logged, and the call goes on. */
export const beginCall = Effect.fnUntraced(function* (
  begin: (call: ModelCall) => Effect.Effect<Settle>,
  call: ModelCall
) {
  const unrecorded = (cause: Cause.Cause<never>) => Effect.logWarning("A call of a model could not be recorded", cause)
  const nothing: Settle = () => Effect.void
  const settle = yield* Effect.catchCause(begin(call), (cause) => Effect.as(unrecorded(cause), nothing))
  return (ended: ModelCall) => Effect.catchCause(settle(ended), unrecorded)
})

export interface CloudModelOptions {
  /** The timeout of one attempt. */
  readonly tryTimeout: Duration.Input
  /** The timeout of all attempts together, pauses included. */
  readonly callTimeout: Duration.Input
  /** The pause before the second attempt; twice that before the third, each with 20 percent jitter. */
  readonly pause: Duration.Input
  /** The longest `Retry-After` that is honored; a server that asks for more is not retried. */
  readonly longestPause: Duration.Input
  /** How long the circuit stays open after five failed attempts in a row; then one trial attempt decides. */
  readonly openDuration: Duration.Input
  /** US dollars per million tokens. */
  readonly prices?: { readonly inputPrice: number; readonly outputPrice: number }
}

/** Limits for the pipeline's stages, whose answers may take minutes and keep nobody waiting. */
export const patient: Partial<CloudModelOptions> = {
  tryTimeout: "5 minutes",
  callTimeout: "11 minutes",
  longestPause: "30 seconds"
}

const usual: CloudModelOptions = {
  tryTimeout: "20 seconds",
  callTimeout: "45 seconds",
  pause: "500 millis",
  longestPause: "5 seconds",
  openDuration: "30 seconds"
}

/** The deployment's language model, behind an OpenAI-compatible endpoint (contract section 10). */
export class CloudModel extends Context.Service<
  CloudModel,
  {
    readonly isConfigured: boolean
    /** The model's name; empty if none is configured. */
    readonly name: string
    /** The name and the host: another one if the model is changed. */
    readonly place: string
    /** Fails with `CloudModelUnavailable` and nothing else, whatever the server does. */
    readonly generateObject: <A, E extends Record<string, unknown>>(
      request: ObjectRequest<A, E>
    ) => Effect.Effect<Generated<A>, CloudModelUnavailable>
  }
>()("civic-record/CloudModel") {
  /** The model configured by `CLOUD_MODEL_URL`, `CLOUD_MODEL_KEY` and `CLOUD_MODEL_NAME`. */
  static readonly layer = Layer.suspend(() => configured())

  /** The same for the pipeline's stages, with larger requests and longer timeouts. */
  static readonly layerPatient = Layer.suspend(() => configured(patient))

  /** For a deployment without a model: every call fails with `not_configured`. */
  static readonly layerNone = Layer.succeed(CloudModel, {
    isConfigured: false,
    name: "",
    place: "",
    generateObject: () => Effect.fail(new CloudModelUnavailable({ reason: "not_configured" }))
  })

  static readonly layerEndpoint = (endpoint: ModelEndpoint, options?: Partial<CloudModelOptions>) =>
    Layer.effect(CloudModel, modelAt(endpoint, { ...usual, ...options })).pipe(
      Layer.provide([client, CircuitBreaker.layerStoreMemory()])
    )
}

const configured = (options?: Partial<CloudModelOptions>) =>
  Layer.unwrap(
    Effect.map(Environment, ({ cloudModel }) =>
      Option.isSome(cloudModel) ? CloudModel.layerEndpoint(cloudModel.value, options) : CloudModel.layerNone
    )
  )

/** Following a redirect would send the prompt and the key somewhere that nobody configured. */
const client = FetchHttpClient.layer.pipe(
  Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
)

/** A transient failure: no answer, a broken connection, a server error, or an overloaded server. */
const isPassing = (failure: TryFailure): boolean => ["timeout", "network", "rate_limited"].includes(reasonOf(failure))

const retryAfterOf = (failure: unknown): Duration.Duration =>
  (AiError.isAiError(failure) ? failure.retryAfter : undefined) ?? Duration.zero

const modelAt = Effect.fnUntraced(function* (endpoint: ModelEndpoint, options: CloudModelOptions) {
  const http = yield* HttpClient.HttpClient
  const { begin } = yield* ModelUsage
  const provider = new URL(endpoint.url).host
  const breaker = yield* CircuitBreaker.make({
    tripPolicy: CircuitBreaker.consecutive(5),
    openDuration: options.openDuration
  })

  /** A server that answers at all is alive, even if it refuses. */
  const classify = (exit: Exit.Exit<unknown, TryFailure>) =>
    Option.exists(Exit.findErrorOption(exit), isPassing) ? CircuitBreaker.failure() : CircuitBreaker.success

  const pauses = Schedule.exponential(options.pause).pipe(
    Schedule.jittered,
    Schedule.modifyDelay(({ input, duration }) => Effect.succeed(Duration.max(duration, retryAfterOf(input))))
  )
  const isWorthRetrying = (failure: TryFailure) =>
    isPassing(failure) &&
    Duration.isLessThanOrEqualTo(retryAfterOf(failure), Duration.fromInputUnsafe(options.longestPause))

  const costOf = ({ inputTokens, outputTokens }: TokenUsage) =>
    options.prices === undefined
      ? {}
      : { cost: (inputTokens * options.prices.inputPrice + outputTokens * options.prices.outputPrice) / 1_000_000 }

  const outcomeOf = (exit: Exit.Exit<unknown, CloudModelUnavailable>): ModelCall["outcome"] =>
    Exit.isSuccess(exit)
      ? "ok"
      : Option.match(Exit.findErrorOption(exit), { onNone: () => "stopped", onSome: ({ reason }) => reason })

  const generateObject = Effect.fn("CloudModel.generateObject")(function* <A, E extends Record<string, unknown>>(
    request: ObjectRequest<A, E>
  ): Effect.fn.Return<Generated<A>, CloudModelUnavailable> {
    const { schema, purpose } = request
    const model = endpoint.name
    const spent = yield* Ref.make<TokenUsage>({ inputTokens: 0, outputTokens: 0 })
    const startedAt = yield* Clock.currentTimeMillis
    yield* Effect.annotateCurrentSpan({ model, purpose })
    // A token of English is some four characters.
    const inputTokens = Math.ceil((request.system.length + request.prompt.length) / 4)
    const most = { inputTokens, outputTokens: request.maxOutputTokens }
    const settle = yield* beginCall(begin, {
      ...{ model, purpose, provider, ...most, ...costOf(most) },
      ...{ durationMs: 0, outcome: "begun" }
    })

    const account = Effect.fnUntraced(function* (exit: Exit.Exit<unknown, CloudModelUnavailable>) {
      const usage = yield* Ref.get(spent)
      const outcome = outcomeOf(exit)
      const durationMs = (yield* Clock.currentTimeMillis) - startedAt
      yield* Effect.annotateCurrentSpan({ ...usage, outcome })
      yield* settle({ model, purpose, ...usage, durationMs, outcome, provider, ...costOf(usage) })
    })

    const languageModel = yield* chatCompletions(endpoint, http, request, spent)
    const { value } = yield* languageModel
      .generateObject({
        prompt: [
          { role: "system", content: request.system },
          { role: "user", content: request.prompt }
        ],
        objectName: request.name,
        schema
      })
      .pipe(
        Effect.timeout(options.tryTimeout),
        (attempt) => breaker.execute(attempt, { key: model, classify }),
        Effect.retry({ schedule: pauses, times: 2, while: isWorthRetrying }),
        Effect.timeout(options.callTimeout),
        // The library's spans would send a collector the model's answer, and its headers would send the model our trace
        // ids.
        Effect.withTracerEnabled(false),
        Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
        Effect.tapError((failure) =>
          Effect.logWarning("The cloud model gave no answer").pipe(
            Effect.annotateLogs({ model, purpose, reason: reasonOf(failure), kind: kindOf(failure) })
          )
        ),
        Effect.mapError((failure) => {
          const retryAfter = Duration.toSeconds(retryAfterOf(failure))
          return new CloudModelUnavailable({ reason: reasonOf(failure), ...(retryAfter > 0 ? { retryAfter } : {}) })
        }),
        Effect.onExit((exit) => account(exit))
      )
    return { value, usage: yield* Ref.get(spent), model }
  })

  return { isConfigured: true, name: endpoint.name, place: `${endpoint.name} (${provider})`, generateObject }
})
