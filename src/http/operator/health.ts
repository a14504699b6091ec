import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { wire } from "../../failures/failures.ts"
import { Health } from "../../services/operators/health.ts"
import { problemResponse } from "../problem.ts"

/**
 * `GET /health` and `GET /health/ready` with the answers of the public listener. The event loop accepts one connection
 * of a listener per turn, so that a check on a new connection waits behind all that are queued on the same listener;
 * here hardly anybody is.
 */
export const HealthRoutes = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const { live, ready } = yield* Health
    const answer = (report: typeof ready) =>
      Effect.match(report, {
        onSuccess: HttpServerResponse.jsonUnsafe,
        onFailure: (error) => problemResponse(wire(error))
      })
    yield* router.add("GET", "/health", answer(live))
    yield* router.add("GET", "/health/ready", answer(ready))
  })
)
