import { type Cause, Clock, Context, Duration, Effect, Exit, Layer, Option, Ref, Schedule } from "effect"
import { AiError } from "effect/ai"
import { FetchHttpClient, HttpClient } from "effect/http"
import { CircuitBreaker } from "effect/persistence"
import type { ModelEndpoint } from "../config/config.ts"
import { CloudModelUnavailable, kindOf, reasonOf, type TryFailure, type UnavailableReason } from "./failure.ts"
import type { TokenUsage } from "./posted.ts"

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
  /** How often a passing failure is followed by another attempt. */
  readonly retries: number
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

export const usual: CloudModelOptions = {
  tryTimeout: "20 seconds",
  callTimeout: "45 seconds",
  retries: 2,
  pause: "500 millis",
  longestPause: "5 seconds",
  openDuration: "30 seconds"
}

/** Following a redirect would send the prompt and the key somewhere that nobody configured. */
const client = FetchHttpClient.layer.pipe(
  Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
)

/** A transient failure: no answer, a broken connection, a server error, or an overloaded server. */
const isPassing = (failure: TryFailure): boolean => ["timeout", "network", "rate_limited"].includes(reasonOf(failure))

const retryAfterOf = (failure: unknown): Duration.Duration =>
  (AiError.isAiError(failure) ? failure.retryAfter : undefined) ?? Duration.zero

/** What the callers of an endpoint share: its circuit, its limits and its accounts. */
export const callingNeeds = Layer.mergeAll(client, CircuitBreaker.layerStoreMemory())

/** One call: its purpose, the most that it may take, and an attempt that adds the tokens it took to `spent`. */
interface Call<A> {
  readonly purpose: string
  readonly most: TokenUsage
  readonly attempt: (
    http: Context.Service.Shape<typeof HttpClient.HttpClient>,
    spent: Ref.Ref<TokenUsage>
  ) => Effect.Effect<A, AiError.AiError>
}

/**
 * Makes calls of an endpoint within time, with retries and a circuit breaker, and recorded: a call fails with
 * `CloudModelUnavailable` and nothing else, whatever the server does.
 */
export const makeCalling = Effect.fnUntraced(function* (endpoint: ModelEndpoint, options: CloudModelOptions) {
  const http = yield* HttpClient.HttpClient
  const { begin } = yield* ModelUsage
  const model = endpoint.name
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

  const call = Effect.fnUntraced(function* <A>({ purpose, most, attempt }: Call<A>) {
    const spent = yield* Ref.make<TokenUsage>({ inputTokens: 0, outputTokens: 0 })
    const startedAt = yield* Clock.currentTimeMillis
    yield* Effect.annotateCurrentSpan({ model, purpose })
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

    const value = yield* attempt(http, spent).pipe(
      Effect.timeout(options.tryTimeout),
      (once) => breaker.execute(once, { key: model, classify }),
      Effect.retry({ schedule: pauses, times: options.retries, while: isWorthRetrying }),
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

  return { call, place: `${endpoint.name} (${provider})` }
})
