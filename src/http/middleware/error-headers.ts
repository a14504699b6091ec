import { Effect, Layer } from "effect"
import { isWireError } from "../../api/errors/classes.ts"
import { SendsErrorHeaders } from "../../api/middleware.ts"
import { answerWithHeaders } from "../problem.ts"

/** In place of headers of the same name that were set before: a refusal names the limit that was reached. */
export const SendsErrorHeadersLive = Layer.succeed(SendsErrorHeaders, (handler) =>
  Effect.tapError(handler, (error) =>
    isWireError(error) && error.headers !== undefined ? answerWithHeaders(error.headers) : Effect.void
  )
)
