import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ObjectStore } from "../../../layers/object-store.ts"
import { RateLimits } from "../../../layers/rate-limits.ts"
import { longestUserClip, mostUserClips, shortestUserClip } from "../../../schema/user-clip.ts"
import {
  autoClipRefused,
  autoClipsDisabled,
  clipLimitReached,
  clipNotReady,
  clipOutOfRange,
  clipTooLong,
  cloudModelUnavailable,
  noSuchSharedClip
} from "../../api/errors/clips.ts"
import { UserClipsApi } from "../../api/user-clips.ts"
import { type AutoClipRefused, AutoClips } from "../../services/clips/auto-clips.ts"
import { ClipCounters } from "../../services/clips/clip-counters.ts"
import {
  type ClipLimitReached,
  type ClipNotReady,
  type ClipOutOfRange,
  type ClipTooLong,
  UserClips
} from "../../services/clips/user-clips.ts"
import type { NotFound, Removed } from "../../services/failures.ts"
import { objectResponse } from "../media/object-response.ts"
import { countRequest } from "../middleware/public-reads.ts"
import { visitor } from "../visitor.ts"
import { wireNoMeeting, wireNotFound } from "./failures.ts"
import { reader } from "./refusals.ts"

/** Spec section 8: a bucket of its own. */
const autoClipRate = { name: "auto-clip", limit: 10, windowSeconds: 60 }

const wireCreation = (failure: NotFound | Removed | ClipTooLong | ClipOutOfRange | ClipLimitReached) => {
  switch (failure._tag) {
    case "NotFound":
    case "Removed":
      return wireNoMeeting(failure)
    case "ClipTooLong":
      return clipTooLong(failure.seconds, longestUserClip)
    case "ClipOutOfRange":
      return clipOutOfRange(failure.recording, shortestUserClip)
    case "ClipLimitReached":
      return clipLimitReached(mostUserClips)
  }
}

const wireDownload = (failure: NotFound | ClipNotReady) =>
  failure._tag === "NotFound" ? wireNotFound(failure) : clipNotReady(failure.state)

const wireSuggestion = (failure: NotFound | Removed | AutoClipRefused) => {
  if (failure._tag !== "AutoClipRefused") return wireNoMeeting(failure)
  switch (failure.reason) {
    case "auto_clips_disabled":
      return autoClipsDisabled()
    case "cloud_model_unavailable":
      return cloudModelUnavailable()
    default:
      return autoClipRefused(failure.reason)
  }
}

const UserClipsHandlers = HttpApiBuilder.group(
  UserClipsApi,
  "user_clips",
  Effect.fnUntraced(function* (handlers) {
    const clips = yield* UserClips
    const counters = yield* ClipCounters
    const store = yield* ObjectStore
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        return yield* Effect.mapError(clips.create(payload, yield* reader), wireCreation)
      }),
      list: Effect.fnUntraced(function* ({ query }) {
        return yield* clips.list(yield* reader, query.meeting_id)
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* Effect.mapError(clips.remove(params.id, yield* reader), wireNotFound)
      }),
      download: Effect.fnUntraced(function* ({ params, request }) {
        const { key, fileName } = yield* Effect.mapError(clips.download(params.id, yield* reader), wireDownload)
        return yield* objectResponse(store, request, key, { cacheControl: "private, no-store", downloadAs: fileName })
      }),
      shared: Effect.fnUntraced(function* ({ params }) {
        return yield* Effect.mapError(clips.shared(params.slug), noSuchSharedClip)
      }),
      share: Effect.fnUntraced(function* ({ params }) {
        yield* Effect.mapError(counters.share(params.slug, yield* reader), noSuchSharedClip)
      }),
      visit: Effect.fnUntraced(function* ({ params }) {
        yield* Effect.mapError(counters.visit(params.slug, yield* visitor), noSuchSharedClip)
      })
    })
  })
)

const AutoClipsHandlers = HttpApiBuilder.group(
  UserClipsApi,
  "auto_clips",
  Effect.fnUntraced(function* (handlers) {
    const clips = yield* AutoClips
    const limits = yield* RateLimits
    return handlers.handleAll({
      suggest: Effect.fnUntraced(function* ({ payload }) {
        yield* countRequest(limits, autoClipRate, yield* reader, "account")
        return yield* Effect.mapError(clips.suggest(payload), wireSuggestion)
      })
    })
  })
)

export const UserClipsLive = Layer.mergeAll(UserClipsHandlers, AutoClipsHandlers)
