import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { RateLimits } from "../../../layers/rate-limits.ts"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { AutoClips } from "../../services/clips/auto-clips.ts"
import { ClipCounters } from "../../services/clips/clip-counters.ts"
import { UserClips } from "../../services/clips/user-clips.ts"
import { reader, visitor } from "../caller.ts"
import { sendingMedia } from "../media/hand-off.ts"
import { countRequest } from "../middleware/public-reads.ts"

/** Spec section 8: a bucket of its own. */
const autoClipRate = { name: "auto-clip", limit: 10, windowSeconds: 60 }

const UserClipsHandlers = HttpApiBuilder.group(
  Api,
  "user_clips",
  Effect.fnUntraced(function* (handlers) {
    const clips = yield* UserClips
    const counters = yield* ClipCounters
    const send = yield* sendingMedia
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        return yield* Effect.mapError(clips.create(payload, yield* reader), wire)
      }),
      list: Effect.fnUntraced(function* ({ query }) {
        return yield* clips.list(yield* reader, query.meeting_id)
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* Effect.mapError(clips.remove(params.id, yield* reader), wire)
      }),
      download: Effect.fnUntraced(function* ({ params, request }) {
        const { key, fileName } = yield* Effect.mapError(clips.download(params.id, yield* reader), wire)
        return yield* send(request, key, { cacheControl: "private, no-store", downloadAs: fileName })
      }),
      shared: Effect.fnUntraced(function* ({ params }) {
        return yield* Effect.mapError(clips.shared(params.slug), wire)
      }),
      share: Effect.fnUntraced(function* ({ params }) {
        yield* Effect.mapError(counters.share(params.slug, yield* reader), wire)
      }),
      visit: Effect.fnUntraced(function* ({ params }) {
        yield* Effect.mapError(counters.visit(params.slug, yield* visitor), wire)
      })
    })
  })
)

const AutoClipsHandlers = HttpApiBuilder.group(
  Api,
  "auto_clips",
  Effect.fnUntraced(function* (handlers) {
    const clips = yield* AutoClips
    const limits = yield* RateLimits
    return handlers.handleAll({
      suggest: Effect.fnUntraced(function* ({ payload }) {
        yield* countRequest(limits, autoClipRate, yield* reader, "account")
        return yield* Effect.mapError(clips.suggest(payload), wire)
      })
    })
  })
)

export const UserClipsLive = Layer.mergeAll(UserClipsHandlers, AutoClipsHandlers)
