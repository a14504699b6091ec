import { Cause, Data } from "effect"
import type { AiError } from "effect/ai"
import type { CircuitBreaker } from "effect/persistence"

/** Why there is no answer, each with a sentence that may be shown to anyone. */
const sentences = {
  not_configured: "No cloud model is configured.",
  timeout: "The cloud model did not answer in time.",
  rate_limited: "The cloud model accepts no requests at the moment.",
  refused: "The cloud model refused the request.",
  bad_answer: "The cloud model gave an answer that cannot be used.",
  circuit_open: "The cloud model has failed several times in a row; it will be tried again shortly.",
  network: "The cloud model could not be reached, or had an error of its own."
} as const

export type UnavailableReason = keyof typeof sentences

/**
 * The cloud model gave no answer. `refused` is a status 3xx or 4xx (a wrong key included), or the model itself
 * declining; `network` is no connection, one that broke off, or a status 5xx. Never contains the key or what the server
 * sent.
 */
export class CloudModelUnavailable extends Data.TaggedError("CloudModelUnavailable")<{
  readonly reason: UnavailableReason
}> {
  override get message(): string {
    return sentences[this.reason]
  }
}

/** How one attempt, or all of them together, may fail. */
export type TryFailure = AiError.AiError | Cause.TimeoutError | CircuitBreaker.CircuitBreakerError

export const reasonOf = (failure: TryFailure): UnavailableReason => {
  if (Cause.isTimeoutError(failure)) return "timeout"
  switch (failure.reason._tag) {
    case "CircuitOpen":
    case "CircuitHalfOpen":
      return "circuit_open"
    case "RateLimitError":
      return "rate_limited"
    case "NetworkError":
    case "InternalProviderError":
      return "network"
    case "AuthenticationError":
    case "InvalidRequestError":
    case "ContentPolicyError":
    // Every other status: 404, a redirect.
    case "UnknownError":
      return "refused"
    default:
      return "bad_answer"
  }
}

/** A name for the log, more precise than the reason: `AuthenticationError` is a wrong key. */
export const kindOf = (failure: TryFailure): string =>
  Cause.isTimeoutError(failure) ? failure._tag : failure.reason._tag
