import { Effect, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import Negotiator from "negotiator"
import { MeetingId } from "../../../schema/primitives.ts"
import { mayRead } from "../../../schema/viewer.ts"
import { CurrentViewer } from "../../api/access.ts"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { requireReader } from "../../services/accounts/access.ts"
import { Briefings } from "../../services/meetings/briefings.ts"
import { MeetingMedia } from "../../services/meetings/meeting-media.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import type { MissingPart } from "../../services/meetings/missing-part.ts"
import { Summaries } from "../../services/meetings/summaries.ts"
import { type TranscriptFormat, Transcripts } from "../../services/meetings/transcripts.ts"
import { codingOf } from "../content-coding.ts"

/** By media type, in order of preference. */
const formats: Readonly<Record<string, TranscriptFormat>> = {
  "application/json": "json",
  "text/vtt": "vtt",
  "application/x-subrip": "srt",
  "text/plain": "txt"
}

const contentTypes: Readonly<Record<TranscriptFormat, string>> = {
  json: "application/json",
  vtt: "text/vtt; charset=utf-8",
  srt: "application/x-subrip; charset=utf-8",
  txt: "text/plain; charset=utf-8"
}

/** The format that `Accept` asks for (RFC 9110, section 12.5.1); JSON if it accepts none of those available. */
const formatOf = (request: HttpServerRequest.HttpServerRequest): TranscriptFormat =>
  formats[new Negotiator(request).mediaType(Object.keys(formats)) ?? ""] ?? "json"

/** An id in its canonical spelling. One in capitals is valid too, but has to be looked up. */
const isMeetingId = (ref: string): ref is MeetingId => isId(ref) && ref === ref.toLowerCase()
const isId = Schema.is(MeetingId)

const isOn = (flag: "1" | "0" | "true" | "false" | undefined, otherwise: boolean): boolean =>
  flag === undefined ? otherwise : flag === "1" || flag === "true"

export const MeetingResourcesLive = HttpApiBuilder.group(
  Api,
  "meeting_resources",
  Effect.fnUntraced(function* (handlers) {
    const meetings = yield* Meetings
    const transcripts = yield* Transcripts
    const briefings = yield* Briefings
    const summaries = yield* Summaries
    const media = yield* MeetingMedia

    interface Asked {
      readonly params: { readonly id: string }
    }
    type Read<A, E> = (id: MeetingId) => Effect.Effect<A, E>

    /** A part that is open to everyone. */
    const open =
      <A, E extends MissingPart>(read: Read<A, E>) =>
      ({ params }: Asked) =>
        meetings.resolve(params.id).pipe(Effect.flatMap(read), Effect.mapError(wire))

    /** A gated part: first whether the meeting exists, then the gate, then whether it has this part. */
    const gated =
      <A, E extends MissingPart>(read: Read<A, E>) =>
      ({ params }: Asked) =>
        Effect.gen(function* () {
          const id = yield* meetings.resolve(params.id)
          yield* requireReader(yield* CurrentViewer, id)
          return yield* read(id)
        }).pipe(Effect.mapError(wire))

    /** The same with one query less: a part found by the meeting's id shows that the meeting exists. */
    const gatedByPart =
      <A, E extends MissingPart>(read: Read<A, E>) =>
      (asked: Asked) =>
        Effect.gen(function* () {
          const { id } = asked.params
          if (!isMeetingId(id) || !mayRead(yield* CurrentViewer, id)) return yield* gated(read)(asked)
          return yield* Effect.catch(read(id), () => gated(read)(asked))
        })

    return handlers.handleAll({
      transcript: Effect.fnUntraced(function* (asked) {
        const { query, request } = asked
        const format = query.format ?? formatOf(request)
        const wanted = {
          raw: isOn(query.raw, false),
          words: isOn(query.words, true),
          format,
          coding: codingOf(request)
        }
        const { bytes, coding, etag } = yield* gatedByPart((id) => transcripts.read(id, wanted))(asked)
        return HttpServerResponse.uint8Array(bytes, {
          contentType: contentTypes[format],
          // The edge compresses neither a response that names a coding nor one that is too small.
          headers: {
            ...(coding === "identity" ? {} : { "content-encoding": coding }),
            vary: "Accept, Accept-Encoding",
            etag
          }
        })
      }),
      newsletter: gated(briefings.newsletter),
      claims: gated(briefings.claims),
      recap: gated(summaries.recap),
      graphics: gated(media.graphics),
      video: gated(media.video),
      agenda: gated(media.agenda),
      agenda_summary: open(summaries.agenda),
      clips: open(media.clips),
      community_clips: open(media.communityClips)
    })
  })
)
