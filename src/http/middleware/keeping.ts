import { Clock, Effect, Option } from "effect"
import { HttpPlatform, HttpServerRequest, HttpServerResponse } from "effect/http"
import { countAnswer } from "../../../layers/telemetry/metrics.ts"
import { CurrentViewer } from "../../api/access.ts"
import { RecordRevision } from "../../services/feed/record-revision.ts"
import { makeSharedWork } from "../../services/feed/shared-work.ts"
import type { ContentCoding } from "../../services/meetings/transcripts.ts"
import { SeenRevision } from "../../services/search/changes.ts"
import { codingLevels, codingOf, smallestCoded } from "../content-coding.ts"
import { KeptAnswers, type KeptOperation, keptKey } from "../kept-answers.ts"
import { withEtag } from "./caching.ts"

type Response = HttpServerResponse.HttpServerResponse

/**
 * Whether a caller gets what everybody gets. What is public is the same for all; where the viewer decides, nobody who
 * presented anything, not even a grant that was refused.
 */
export const isForAll = Effect.map(Effect.serviceOption(CurrentViewer), (viewer) =>
  Option.match(viewer, { onNone: () => false, onSome: (one) => one._tag === "Anonymous" && !one.grantRefused })
)

/** An answer that is the same for everybody who asks for `target`. */
interface Keepable<E, R> {
  readonly until: KeptOperation["until"]
  readonly target: string
  readonly make: Effect.Effect<Response, E, R>
}

/**
 * Sends the kept answer or makes a new one: once for everyone waiting for it, compressed once per coding, and kept under its
 * target and the record's revision for as long as that revision is current. Errors are not kept. If the revision rises while
 * an answer is being made, the answer is kept under the old number, which nobody asks for again.
 */
export const keepingAnswers = <E>() =>
  Effect.gen(function* () {
    const kept = yield* KeptAnswers
    const { current } = yield* RecordRevision
    const { compression } = yield* HttpPlatform.HttpPlatform
    const share = makeSharedWork<string, Response, E>()

    /** Makes an answer, together with whoever else waits for it, and keeps it. */
    const made = <R>(key: string, make: Effect.Effect<Response, E, R>) =>
      share(
        key,
        Effect.tap(make, (response) =>
          Effect.sync(() => {
            if (response.status === 200) kept.put(key, response)
          })
        )
      )

    return <R>({ until, target, make }: Keepable<E, R>) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const revision = yield* current
        const now = yield* Clock.currentTimeMillis
        const key = (coding: ContentCoding) => keptKey({ until }, { coding, target }, { revision, now })
        const coding = codingOf(request)
        const known = kept.get(key(coding))
        yield* countAnswer(known === undefined ? "made" : "kept")
        if (known !== undefined) return known

        const plain = Effect.suspend(() => {
          const plainKey = key("identity")
          const whole = kept.get(plainKey)
          if (whole !== undefined) return Effect.succeed(whole)
          return made(plainKey, Effect.map(Effect.provideService(make, SeenRevision, revision), withEtag))
        })
        if (coding === "identity") return yield* plain
        const coded = Effect.flatMap(plain, (whole) =>
          whole.body._tag !== "Uint8Array" || whole.body.contentLength < smallestCoded
            ? Effect.succeed(whole)
            : Effect.map(
                compression.compressResponse(whole, coding, { level: codingLevels[coding] }),
                // That it varies by coding is the edge's to say.
                (response) =>
                  whole.headers.vary === undefined
                    ? HttpServerResponse.removeHeader(response, "vary")
                    : HttpServerResponse.setHeader(response, "vary", whole.headers.vary)
              )
        )
        return yield* made(key(coding), coded)
      })
  })
