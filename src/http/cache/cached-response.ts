import { Context, Effect, Option } from "effect"
import { HttpPlatform, HttpServerRequest, HttpServerResponse } from "effect/http"
import { countAnswer } from "../../../layers/telemetry/metrics.ts"
import { CurrentViewer } from "../../api/access.ts"
import { SeenRevision } from "../../services/search/changes.ts"
import { CurrentAnswer } from "../../services/search/meaning/by-meaning.ts"
import { makeSharedWork } from "../../services/shared-work.ts"
import { codingLevels, codingOf, smallestCoded } from "../content-coding.ts"
import { withEtag } from "./cache-headers.ts"
import { type Lookup, ResponseCache } from "./response-cache.ts"

type Response = HttpServerResponse.HttpServerResponse

/** The lookup that the edge made for this request and that found nothing, so that nobody looks it up again. */
export const CurrentLookup = Context.Reference<Lookup | undefined>("civic-record/CurrentLookup", {
  defaultValue: () => undefined
})

/**
 * Whether a caller gets what everyone gets where the viewer decides: those who present nothing, not even a refused
 * grant.
 */
export const isForAll = Effect.map(Effect.serviceOption(CurrentViewer), (viewer) =>
  Option.match(viewer, { onNone: () => false, onSome: (one) => one._tag === "Anonymous" && !one.grantRefused })
)

/**
 * Answers with the cached response, or with a new one that is computed once for all who wait for it, compressed once
 * per coding, and cached in the coding that was asked for. Errors are not cached. If the revision rises while a
 * response is computed, the response is stored under the old revision, which nobody looks up again.
 */
export const cachedResponses = <E>() =>
  Effect.gen(function* () {
    const cache = yield* ResponseCache
    const { compression } = yield* HttpPlatform.HttpPlatform
    const share = makeSharedWork<string, Response, E>()

    /** Computes a response for all who wait for it, and caches it. */
    const cached = <R>(key: string, make: Effect.Effect<Response, E, R>) =>
      share(
        key,
        Effect.tap(make, (response) =>
          Effect.sync(() => {
            if (response.status === 200 && response.headers["cache-control"] !== "no-store") cache.put(key, response)
          })
        )
      )

    return <R>(address: Pick<Lookup, "target" | "until">, make: Effect.Effect<Response, E, R>) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { coding, found, keyOf, revision } =
          (yield* CurrentLookup) ?? (yield* cache.lookUp({ ...address, coding: codingOf(request) }))
        yield* countAnswer(found === undefined ? "made" : "cached")
        if (found !== undefined) return found

        /** One that lacks something for the moment is cached by nobody. */
        const made = Effect.suspend(() => {
          const answer = { passes: false }
          return Effect.map(
            make.pipe(Effect.provideService(SeenRevision, revision), Effect.provideService(CurrentAnswer, answer)),
            (response) =>
              withEtag(answer.passes ? HttpServerResponse.setHeader(response, "cache-control", "no-store") : response)
          )
        })
        const plain = keyOf("identity")
        if (coding === "identity") return yield* cached(plain, made)
        // Not cached as well: it has six times the bytes, and those who take a coding mostly take the same one.
        const whole = Effect.suspend(() => {
          const known = cache.get(plain)
          return known === undefined ? share(plain, made) : Effect.succeed(known)
        })
        const coded = Effect.flatMap(whole, (response) =>
          response.body._tag !== "Uint8Array" || response.body.contentLength < smallestCoded
            ? Effect.succeed(response)
            : Effect.map(
                compression.compressResponse(response, coding, { level: codingLevels[coding] }),
                // The edge says that it varies by coding.
                (compressed) =>
                  response.headers.vary === undefined
                    ? HttpServerResponse.removeHeader(compressed, "vary")
                    : HttpServerResponse.setHeader(compressed, "vary", response.headers.vary)
              )
        )
        return yield* cached(keyOf(coding), coded)
      })
  })
