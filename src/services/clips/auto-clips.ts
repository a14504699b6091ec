import { randomBytes } from "node:crypto"
import { Context, Data, Effect, Layer } from "effect"
import { CloudModel } from "../../../layers/cloud-model/cloud-model.ts"
import { dbDies, ReadDb } from "../../../layers/db/db.ts"
import { roundSeconds } from "../../../schema/primitives.ts"
import type { AutoUserClip, AutoUserClipRequest } from "../../../schema/user-clip.ts"
import type { NotFound, Removed } from "../failures.ts"
import { Meetings } from "../meetings/meetings.ts"
import { recordingLength, spokenIn } from "../meetings/recording.ts"
import { Settings } from "../settings/settings.ts"
import { type AutoSpanRefusal, longestAutoSpan, longestLead, refusalBeforeModel, spanOf } from "./auto-span.ts"
import { excerptFor, promptFor, readAhead, SpanAnswer } from "./auto-span-prompt.ts"

/** Why no automatic span can be given (spec section 7, rule 6; contract section 2). */
export class AutoClipRefused extends Data.TaggedError("AutoClipRefused")<{ readonly reason: AutoSpanRefusal }> {}

/** A span's answer is three short fields, but a model's reasoning counts too. */
const maxOutputTokens = 2000

/** Finds where the discussion at some moment starts and ends, with the deployment's cloud model (spec 4.7). */
export class AutoClips extends Context.Service<
  AutoClips,
  {
    /** Creates no clip. The model is asked only if nothing else rules the span out. */
    readonly suggest: (
      request: AutoUserClipRequest
    ) => Effect.Effect<AutoUserClip, NotFound | Removed | AutoClipRefused>
  }
>()("civic-record/AutoClips") {
  static readonly layer = Layer.effect(
    AutoClips,
    Effect.gen(function* () {
      const db = yield* ReadDb
      const meetings = yield* Meetings
      const settings = yield* Settings
      const model = yield* CloudModel

      const suggest = Effect.fn("AutoClips.suggest")(function* (request: AutoUserClipRequest) {
        const meetingId = yield* meetings.resolve(request.meeting_id)
        const start = roundSeconds(request.start)
        const duration = yield* recordingLength(db, meetingId)
        const spoken = yield* spokenIn(db, meetingId, {
          start: start - longestLead,
          end: start + Math.max(readAhead, longestAutoSpan)
        })
        const segments = spoken?.segments ?? []
        const refusal = refusalBeforeModel({
          enabled: yield* settings.get("pipeline.AutoClips"),
          configured: model.isConfigured,
          hasTranscript: spoken !== undefined,
          duration,
          start,
          segments
        })
        if (refusal !== undefined) return yield* new AutoClipRefused({ reason: refusal })
        const nonce = randomBytes(16).toString("hex")
        const { value } = yield* model
          .generateObject({
            ...promptFor({ requestedStart: start, excerpt: excerptFor(start, segments), nonce }),
            schema: SpanAnswer,
            name: "span",
            maxOutputTokens,
            purpose: "auto_clip"
          })
          .pipe(Effect.mapError(() => new AutoClipRefused({ reason: "cloud_model_unavailable" })))
        const span = yield* Effect.fromResult(
          spanOf({ requestedStart: start, segments, recordingDuration: duration, modelAnswer: value })
        ).pipe(Effect.mapError(() => new AutoClipRefused({ reason: "span_not_found" })))
        return { meeting_id: meetingId, ...span } satisfies AutoUserClip
      }, dbDies)

      return { suggest }
    })
  )
}
