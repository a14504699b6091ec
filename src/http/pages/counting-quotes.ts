import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { countingQuoteChecks } from "../middleware/quote-checks.ts"
import type { First } from "./share-links.ts"

/** Opening `/quote` with a text is a check of a quote; the form alone is not. */
export const countingQuotes = Effect.map(
  countingQuoteChecks,
  (counted): First =>
    () =>
      Effect.gen(function* () {
        const { url } = yield* HttpServerRequest.HttpServerRequest
        if (new URL(url, "http://localhost").searchParams.has("text")) yield* counted
        return Option.none()
      })
)
