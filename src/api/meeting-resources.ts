import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AgendaSummary, Claims, Graphics, Newsletter, Recap } from "../../schema/briefing.ts"
import { Clips, CommunityClips } from "../../schema/clip.ts"
import { AgendaCopy, Video } from "../../schema/media.ts"
import { Transcript } from "../../schema/transcript.ts"
import { Access } from "./access.ts"
import { Forbidden, Gone, Internal, NotFound, Unauthorized, Unavailable } from "./errors/classes.ts"
import { meetingRef } from "./meetings.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { Security, sessionOrGrant } from "./security.ts"
import { Surface } from "./surface.ts"

const params = { id: meetingRef }
const openErrors = [NotFound, Gone, Internal, Unavailable] as const
const gatedErrors = [Unauthorized, Forbidden, ...openErrors] as const

const gate = "Needs a session, or a share grant for this meeting."
const notThere = "404 means that there is no such meeting, or that it has none of this; the message says which."
const minted = "The address is minted for this visit: watch-only, and good for six hours."

const flag = Schema.Literals(["1", "0", "true", "false"])

const captions = (contentType: string, description: string, example: string) =>
  Schema.String.annotate({ description, examples: [example] }).pipe(HttpApiSchema.asText({ contentType }))

const transcriptQuery = {
  raw: Schema.optionalKey(
    flag.pipe(
      Schema.annotateKey({ description: "`1`: the untouched output of speech recognition (ASR).", examples: ["0"] })
    )
  ),
  words: Schema.optionalKey(
    flag.pipe(
      Schema.annotateKey({
        description:
          "`0`: without the times of words. Captions are cut where words are said, so without them a segment is one cue.",
        examples: ["0"]
      })
    )
  ),
  format: Schema.optionalKey(
    Schema.Literals(["json", "vtt", "srt", "txt"]).pipe(
      Schema.annotateKey({ description: "The format, whatever `Accept` says.", examples: ["json"] })
    )
  )
}

const transcriptFormats = [
  Transcript,
  captions(
    "text/vtt",
    "WebVTT, voices as `<v Name>`.",
    "WEBVTT\n\n00:00:01.000 --> 00:00:03.500\n<v Mayor>Good evening.\n"
  ),
  captions("application/x-subrip", "SubRip.", "1\n00:00:01,000 --> 00:00:03,500\nMayor: Good evening.\n"),
  captions("text/plain", "The words alone, a line a segment, a paragraph a speaker.", "Mayor: Good evening.\n")
] as const

/** The parts of a meeting that stand at addresses of their own (spec 4.2). */
export const MeetingResourcesGroup = HttpApiGroup.make("meeting_resources")
  .add(
    HttpApiEndpoint.get("transcript", "/api/meetings/:id/transcript", {
      params,
      query: transcriptQuery,
      success: transcriptFormats,
      error: gatedErrors
    })
      .annotate(Security, sessionOrGrant)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getTranscript",
          summary: "What was said",
          description: `The refined transcript with the time of every word, or the raw one where there is no other; \`version\` says which. Also as WebVTT, SRT and plain text, by \`Accept\` or \`format\`. ${gate} ${notThere}`
        })
      )
      .middleware(Access),
    HttpApiEndpoint.get("newsletter", "/api/meetings/:id/newsletter", {
      params,
      success: Newsletter,
      error: gatedErrors
    })
      .annotate(Security, sessionOrGrant)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getNewsletter",
          summary: "The written briefing",
          description: `Already edited: a sentence whose claim the independent check did not support is never sent, and \`removed_sentences\` counts them. \`pending_verification\` is true while verdicts are awaited; where an operator has disabled the check, \`verification\` is \`disabled\`. ${gate} ${notThere}`
        })
      )
      .middleware(Access),
    HttpApiEndpoint.get("claims", "/api/meetings/:id/claims", { params, success: Claims, error: gatedErrors })
      .annotate(Security, sessionOrGrant)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getClaims",
          summary: "The checked claims behind the briefing",
          description: `Each claim with its verdict, and the places of the recording that it was checked against. While \`status\` is \`pending\` those that were checked so far. ${gate} ${notThere}`
        })
      )
      .middleware(Access),
    HttpApiEndpoint.get("recap", "/api/meetings/:id/recap", { params, success: Recap, error: gatedErrors })
      .annotate(Security, sessionOrGrant)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getRecap",
          summary: "The recap",
          description: `The meeting in short, with what was decided. ${gate} ${notThere}`
        })
      )
      .middleware(Access),
    HttpApiEndpoint.get("graphics", "/api/meetings/:id/graphics", { params, success: Graphics, error: gatedErrors })
      .annotate(Security, sessionOrGrant)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getGraphics",
          summary: "The briefing's figures",
          description: `In the order in which the briefing shows them. ${minted} ${gate}`
        })
      )
      .middleware(Access),
    HttpApiEndpoint.get("video", "/api/meetings/:id/video", { params, success: Video, error: gatedErrors })
      .annotate(Security, sessionOrGrant)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getVideo",
          summary: "The recording",
          description: `The 720p web rendition. ${minted} ${gate} ${notThere}`
        })
      )
      .middleware(Access),
    HttpApiEndpoint.get("agenda", "/api/meetings/:id/agenda", { params, success: AgendaCopy, error: gatedErrors })
      .annotate(Security, sessionOrGrant)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getAgendaCopy",
          summary: "The copy of the agenda PDF",
          description: `With where it came from. ${minted} ${gate} ${notThere}`
        })
      )
      .middleware(Access),
    HttpApiEndpoint.get("agenda_summary", "/api/meetings/:id/agenda-summary", {
      params,
      success: AgendaSummary,
      error: openErrors
    })
      .annotate(Surface, "public")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getAgendaSummary",
          summary: "The agenda in plain words",
          description: `Open to all, as the agenda is a public document. ${notThere}`
        })
      ),
    HttpApiEndpoint.get("clips", "/api/meetings/:id/clips", {
      params,
      success: Clips,
      error: openErrors
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getClips",
        summary: "The published clips",
        description: `Highlight clips that are published and rendered, by their start; proposals, dismissed clips and alternates of another analysis are never among them. ${minted}`
      })
    ),
    HttpApiEndpoint.get("community_clips", "/api/meetings/:id/community-clips", {
      params,
      success: CommunityClips,
      error: openErrors
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getCommunityClips",
        summary: "Clips that readers made",
        description: `The ready ones, by their start, without those that repeat a published clip or an older one of a reader: what two clips share is then at least 0.8 of what they cover together. ${minted}`
      })
    )
  )
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(
    OpenApi.annotations({ title: "Meeting resources", description: "The parts of a meeting's record, and its media." })
  )

/** These operations as their handlers know them: a part of the whole contract, under its name. */
export const MeetingResourcesApi = HttpApi.make("civic-record").add(MeetingResourcesGroup)
