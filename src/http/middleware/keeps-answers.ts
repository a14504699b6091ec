import { Clock, Context, Effect, Layer, Metric, Option, type Types } from "effect"
import { HttpPlatform, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { Environment } from "../../../layers/config.ts"
import { answersKept } from "../../../layers/metrics.ts"
import { makeSharedWork } from "../../../layers/shared-work.ts"
import { CurrentViewer } from "../../api/access.ts"
import { KeepsAnswers } from "../../api/middleware.ts"
import { Kept, Surface } from "../../api/surface.ts"
import { RecordRevision } from "../../services/feed/record-revision.ts"
import { SeenRevision } from "../../services/search/changes.ts"
import { codingLevels, codingOf, smallestCoded } from "../content-coding.ts"
import { makeKeptAnswers } from "../kept-answers.ts"
import { withEtag } from "./caching.ts"

type Response = HttpServerResponse.HttpServerResponse

/** The parameters that an operation declares; it ignores any other (contract section 1). */
const parametersOf = ({ query }: HttpApiEndpoint.Top): ReadonlySet<string> => {
  const ast = query?.ast
  return new Set(ast?._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : [])
}

/** A request's target as the operation reads it: the parameters that it declares, by name; the values of one keep their order. */
const canonicalTarget = (target: string, declared: ReadonlySet<string>): URL => {
  const url = new URL(target, "http://localhost")
  const pairs = [...url.searchParams].filter(([name]) => declared.has(name))
  url.search = new URLSearchParams(pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))).toString()
  return url
}

/**
 * Whether a caller gets what everybody gets. What is public is the same for all; where the viewer decides, nobody who
 * presented anything, not even a grant that was refused.
 */
const isForAll = Effect.map(Effect.serviceOption(CurrentViewer), (viewer) =>
  Option.match(viewer, { onNone: () => false, onSome: (one) => one._tag === "Anonymous" && !one.grantRefused })
)

/**
 * The door to the kept answers: the innermost middleware of an operation, so that a kept answer is counted, logged and
 * sent as any other. An operation that is kept sees its canonical target alone, kept or not; its answer is made once for
 * all who wait for it, compressed once per coding, and kept under its target and the record's revision for as long as
 * that stands. An error is not kept. An answer during which the revision rises is kept under the number from before, which
 * nobody asks for any longer.
 */
export const KeepsAnswersLive = Layer.effect(
  KeepsAnswers,
  Effect.gen(function* () {
    const { current: revision } = yield* RecordRevision
    const { compression } = yield* HttpPlatform.HttpPlatform
    const { answerCacheBytes } = yield* Environment
    const kept = makeKeptAnswers(answerCacheBytes)
    const share = makeSharedWork<string, Response, Types.unhandled>()

    const counted = (outcome: "kept" | "made") => Metric.update(Metric.withAttributes(answersKept, { outcome }), 1)

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
      const annotations = Context.merge(group.annotations, endpoint.annotations)
      const until = Context.get(annotations, Kept)
      if (until === "never") return handler
      const isPublic = Context.get(annotations, Surface) === "public"
      const declared = parametersOf(endpoint)

      return Effect.gen(function* () {
        if (!isPublic && !(yield* isForAll)) return yield* handler
        const request = yield* HttpServerRequest.HttpServerRequest
        const url = canonicalTarget(request.url, declared)
        const target = url.pathname + url.search
        const of = yield* revision
        const minute = until === "minute" ? Math.floor((yield* Clock.currentTimeMillis) / 60_000) : ""
        const coding = codingOf(request)
        const key = (form: string) => `${form} ${of} ${minute} ${target}`
        const known = kept.get(key(coding))
        yield* counted(known === undefined ? "made" : "kept")
        if (known !== undefined) return known

        const plain = Effect.suspend(() => {
          const plainKey = key("identity")
          const whole = kept.get(plainKey)
          if (whole !== undefined) return Effect.succeed(whole)
          const asked = handler.pipe(
            Effect.provideService(HttpServerRequest.HttpServerRequest, request.modify({ url: target })),
            Effect.provideService(HttpServerRequest.ParsedSearchParams, HttpServerRequest.searchParamsFromURL(url)),
            Effect.provideService(SeenRevision, of),
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
