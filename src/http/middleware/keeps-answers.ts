import { Clock, Context, Effect, Layer, Option, type Types } from "effect"
import { HttpPlatform, HttpServerRequest, HttpServerResponse } from "effect/http"
import { countAnswer } from "../../../layers/metrics.ts"
import { makeSharedWork } from "../../../layers/shared-work.ts"
import { CurrentViewer } from "../../api/access.ts"
import { KeepsAnswers } from "../../api/middleware.ts"
import { RecordRevision } from "../../services/feed/record-revision.ts"
import type { ContentCoding } from "../../services/meetings/transcripts.ts"
import { SeenRevision } from "../../services/search/changes.ts"
import { codingLevels, codingOf, smallestCoded } from "../content-coding.ts"
import { canonicalTarget, KeptAnswers, keptKey, keptOperation } from "../kept-answers.ts"
import { withEtag } from "./caching.ts"

type Response = HttpServerResponse.HttpServerResponse

/**
 * Whether a caller gets what everybody gets. What is public is the same for all; where the viewer decides, nobody who
 * presented anything, not even a grant that was refused.
 */
const isForAll = Effect.map(Effect.serviceOption(CurrentViewer), (viewer) =>
  Option.match(viewer, { onNone: () => false, onSome: (one) => one._tag === "Anonymous" && !one.grantRefused })
)

/**
 * Makes the answers that are kept: the innermost middleware of an operation, past its limits and its access. An operation
 * that is kept sees its canonical target alone, kept or not; its answer is made once for all who wait for it, compressed
 * once per coding, and kept under its target and the record's revision for as long as that stands. An error is not kept.
 * An answer during which the revision rises is kept under the number from before, which nobody asks for any longer.
 */
export const KeepsAnswersLive = Layer.effect(
  KeepsAnswers,
  Effect.gen(function* () {
    const kept = yield* KeptAnswers
    const { current } = yield* RecordRevision
    const { compression } = yield* HttpPlatform.HttpPlatform
    const share = makeSharedWork<string, Response, Types.unhandled>()

    /** Makes an answer, together with whoever else waits for it, and keeps it. */
    const made = <R>(key: string, make: Effect.Effect<Response, Types.unhandled, R>) =>
      share(
        key,
        Effect.tap(make, (response) =>
          Effect.sync(() => {
            if (response.status === 200) kept.put(key, response)
          })
        )
      )

    return (handler, { endpoint, group }) => {
      const operation = keptOperation(endpoint, Context.merge(group.annotations, endpoint.annotations))
      if (operation === undefined) return handler

      return Effect.gen(function* () {
        if (!operation.isPublic && !(yield* isForAll)) return yield* handler
        const request = yield* HttpServerRequest.HttpServerRequest
        const revision = yield* current
        const now = yield* Clock.currentTimeMillis
        const target = canonicalTarget(operation, request.url)
        const key = (coding: ContentCoding) => keptKey(operation, { coding, target }, { revision, now })
        const coding = codingOf(request)
        const known = kept.get(key(coding))
        yield* countAnswer(known === undefined ? "made" : "kept")
        if (known !== undefined) return known

        const plain = Effect.suspend(() => {
          const plainKey = key("identity")
          const whole = kept.get(plainKey)
          if (whole !== undefined) return Effect.succeed(whole)
          const asked = handler.pipe(
            Effect.provideService(HttpServerRequest.HttpServerRequest, request.modify({ url: target })),
            Effect.provideService(
              HttpServerRequest.ParsedSearchParams,
              HttpServerRequest.searchParamsFromURL(new URL(target, "http://localhost"))
            ),
            Effect.provideService(SeenRevision, revision),
            Effect.map(withEtag)
          )
          return made(plainKey, asked)
        })
        if (coding === "identity") return yield* plain
        const coded = Effect.flatMap(plain, (whole) =>
          whole.body._tag !== "Uint8Array" || whole.body.contentLength < smallestCoded
            ? Effect.succeed(whole)
            : Effect.map(
                compression.compressResponse(whole, coding, { level: codingLevels[coding] }),
                // The edge says what an answer varies by.
                HttpServerResponse.removeHeader("vary")
              )
        )
        return yield* made(key(coding), coded)
      })
    }
  })
)
