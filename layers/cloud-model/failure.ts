import { Cause, Data } from "effect"
import type { AiError } from "effect/ai"
import type { CircuitBreaker } from "effect/persistence"

/** The reasons why a model gave no answer, each with a message fit for anyone. */
const sentences = {
  not_configured: "No cloud model is configured.",
  timeout: "The cloud model did not answer in time.",
  rate_limited: "The cloud model accepts no requests at the moment.",
  refused: "The cloud model refused the request.",
  declined: "The cloud model declined this request.",
  bad_answer: "The cloud model gave an answer that cannot be used.",
  circuit_open: "The cloud model has failed several times in a row; it will be tried again shortly.",
  network: "The cloud model could not be reached, or had an error of its own."
} as const

export type UnavailableReason = keyof typeof sentences

/**
 * The cloud model gave no answer. `refused`: a 3xx or 4xx status (a wrong key included). `declined`: what it was asked
 * is the reason (400 and 422, a filter of content). `network`: no connection, a lost one, or a 5xx status. Never
 * contains the key or anything the server sent.
 */
export class CloudModelUnavailable extends Data.TaggedError("CloudModelUnavailable")<{
  readonly reason: UnavailableReason
  /** The server's `Retry-After`, in seconds. */
  readonly retryAfter?: number
}> {
  override get message(): string {
    return sentences[this.reason]
  }
}

/** The failure of one attempt, or of all attempts together. */
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
    case "InvalidRequestError":
    case "ContentPolicyError":
      return "declined"
    case "AuthenticationError":
    // Any other status, such as 404 or a redirect.
    case "UnknownError":
      return "refused"
    default:
      return "bad_answer"
  }
}

/** A name for the log, more precise than the reason: `AuthenticationError` is a wrong key. */
export const kindOf = (failure: TryFailure): string =>
  Cause.isTimeoutError(failure) ? failure._tag : failure.reason._tag
