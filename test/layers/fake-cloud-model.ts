import { Effect, Layer, Schema } from "effect"
import {
  CloudModel,
  CloudModelUnavailable,
  type ObjectRequest,
  type UnavailableReason
} from "../../layers/cloud-model/cloud-model.ts"

/** The prompt of the request, without the schema. */
type Asked = Omit<ObjectRequest<unknown, Record<string, unknown>>, "schema">

/** How the fake answers: with an object as a model would write it, or not at all. */
type FakeAnswer = { readonly answer: unknown } | { readonly unavailable: UnavailableReason }

/**
 * A cloud model that records each request and gives the current answer. Answers go through the request's schema as a
 * real model's do: one that does not fit fails with `bad_answer`.
 */
export const fakeCloudModel = (
  initial: FakeAnswer,
  options: { readonly isConfigured: boolean } = { isConfigured: true }
) => {
  const asked: Array<Asked> = []
  let present = initial
  const unavailable = (reason: UnavailableReason) => Effect.fail(new CloudModelUnavailable({ reason }))
  const layer = Layer.succeed(CloudModel, {
    isConfigured: options.isConfigured,
    name: "a-model",
    place: "a-model (fake)",
    generateObject: ({ schema, ...request }) =>
      Effect.suspend(() => {
        if (!options.isConfigured) return unavailable("not_configured")
        asked.push(request)
        if ("unavailable" in present) return unavailable(present.unavailable)
        return Schema.decodeUnknownEffect(schema)(present.answer).pipe(
          Effect.map((value) => ({ value, usage: { inputTokens: 100, outputTokens: 10 }, model: "fake" })),
          Effect.catch(() => unavailable("bad_answer"))
        )
      })
  })
  return {
    layer,
    asked,
    answers: (next: FakeAnswer) => {
      present = next
    }
  }
}
