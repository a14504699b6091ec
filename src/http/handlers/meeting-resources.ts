import { Effect, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import Negotiator from "negotiator"
import { MeetingId } from "../../../schema/primitives.ts"
import { mayRead } from "../../../schema/viewer.ts"
import { CurrentViewer } from "../../api/access.ts"
import { notFound } from "../../api/errors/common.ts"
import { MeetingResourcesApi } from "../../api/meeting-resources.ts"
import { requireReader } from "../../services/accounts/access.ts"
import { Briefings } from "../../services/meetings/briefings.ts"
import { MeetingMedia } from "../../services/meetings/meeting-media.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import type { MissingPart } from "../../services/meetings/missing-part.ts"
import { Summaries } from "../../services/meetings/summaries.ts"
import { type ContentCoding, type TranscriptFormat, Transcripts } from "../../services/meetings/transcripts.ts"
import { wireNoMeeting } from "./failures.ts"
import { wireRefusal } from "./refusals.ts"

/** By media type, in the order in which they are offered. */
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

/** What is asked for by `Accept` (RFC 9110, section 12.5.1); JSON for who accepts none of ours. */
const formatOf = (request: HttpServerRequest.HttpServerRequest): TranscriptFormat =>
  formats[new Negotiator(request).mediaType(Object.keys(formats)) ?? ""] ?? "json"

/** Brotli where it is accepted, as everywhere else, then gzip. */
const codingOf = (request: HttpServerRequest.HttpServerRequest): ContentCoding => {
  const accepted = new Negotiator(request).encodings(["br", "gzip"])
  return accepted.includes("br") ? "br" : accepted.includes("gzip") ? "gzip" : "identity"
}

/** An id as it is sent: in capitals it is an id too, which is looked up to be told as it is. */
const isMeetingId = (ref: string): ref is MeetingId => isId(ref) && ref === ref.toLowerCase()
const isId = Schema.is(MeetingId)

const isOn = (flag: "1" | "0" | "true" | "false" | undefined, otherwise: boolean): boolean =>
  flag === undefined ? otherwise : flag === "1" || flag === "true"

const absent: Readonly<Record<MissingPart["part"], string>> = {
  transcript: "This meeting has no transcript.",
  raw_transcript: "This meeting has no raw transcript.",
  briefing: "This meeting has no briefing.",
  recap: "This meeting has no recap.",
  agenda_summary: "This meeting has no agenda summary.",
  recording: "This meeting has no recording.",
  agenda_copy: "This meeting has no copy of its agenda."
}

const wireMissing = ({ part, meetingId }: MissingPart) =>
  notFound(
    absent[part],
    part === "raw_transcript"
      ? "Leave out raw for the refined transcript."
      : `GET /api/meetings/${meetingId} names in links what there is of it.`
  )

export const MeetingResourcesLive = HttpApiBuilder.group(
  MeetingResourcesApi,
  "meeting_resources",
  Effect.fnUntraced(function* (handlers) {
    const meetings = yield* Meetings
    const transcripts = yield* Transcripts
    const briefings = yield* Briefings
    const summaries = yield* Summaries
    const visits = yield* MeetingMedia

    interface Asked {
      readonly params: { readonly id: string }
    }
    type Read<A, E> = (id: MeetingId) => Effect.Effect<A, E>

    /** A part that anyone may have. */
    const open =
      <A, E extends MissingPart>(read: Read<A, E>) =>
      ({ params }: Asked) =>
        Effect.mapError(meetings.resolve(params.id), wireNoMeeting).pipe(
          Effect.flatMap((id) => Effect.mapError(read(id), wireMissing))
        )

    /** A part for readers. First whether there is such a meeting, then the gate, then whether it has this. */
    const gated =
      <A, E extends MissingPart>(read: Read<A, E>) =>
      ({ params }: Asked) =>
        Effect.gen(function* () {
          const id = yield* Effect.mapError(meetings.resolve(params.id), wireNoMeeting)
          yield* Effect.mapError(requireReader(yield* CurrentViewer, id), wireRefusal)
          return yield* Effect.mapError(read(id), wireMissing)
        })

    /** The same for a part that only a meeting that is there can have: what is found by an id needs no other look. */
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
          // The compression of the edge leaves alone what names a coding, and what was too small to have one.
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
      graphics: gated(visits.graphics),
      video: gated(visits.video),
      agenda: gated(visits.agenda),
      agenda_summary: open(summaries.agenda),
      clips: open(visits.clips),
      community_clips: open(visits.communityClips)
    })
  })
)
