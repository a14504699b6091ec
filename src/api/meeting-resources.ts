import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AgendaSummary, Claims, Graphics, Newsletter, Recap } from "../../schema/briefing.ts"
import { Clips, CommunityClips } from "../../schema/clip.ts"
import { AgendaCopy, Video } from "../../schema/media.ts"
import { Transcript } from "../../schema/transcript.ts"
import { Access } from "./access.ts"
import { Forbidden, Gone, Internal, NotFound, Unauthorized, Unavailable } from "./errors/classes.ts"
import { meetingRef } from "./meetings.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { Security, sessionOrGrant } from "./security.ts"
import { Revalidates, Surface } from "./surface.ts"

const params = { id: meetingRef }
const openErrors = [NotFound, Gone, Internal, Unavailable] as const
const gatedErrors = [Unauthorized, Forbidden, ...openErrors] as const

const gate = "Needs a session, or a share grant for this meeting."
const notThere = "404 means that there is no such meeting or that it lacks this part; the message says which."
const minted = "Addresses are signed for this visit: watch-only, and valid for six hours."

const flag = Schema.Literals(["1", "0", "true", "false"])

const captions = (contentType: string, description: string, example: string) =>
  Schema.String.annotate({ description, examples: [example] }).pipe(HttpApiSchema.asText({ contentType }))

const transcriptQuery = {
  raw: Schema.optionalKey(
    flag.pipe(
      Schema.annotateKey({
        description: "`1` returns the untouched output of speech recognition (ASR).",
        examples: ["0"]
      })
    )
  ),
  words: Schema.optionalKey(
    flag.pipe(
      Schema.annotateKey({
        description:
          "`0` drops per-word timestamps. Captions are split at word times, so without them each segment is one cue.",
        examples: ["0"]
      })
    )
  ),
  format: Schema.optionalKey(
    Schema.Literals(["json", "vtt", "srt", "txt"]).pipe(
      Schema.annotateKey({ description: "The format; overrides `Accept`.", examples: ["json"] })
    )
  )
}

const transcriptFormats = [
  Transcript,
  captions(
    "text/vtt",
    "WebVTT, with speakers as `<v Name>`.",
    "WEBVTT\n\n00:00:01.000 --> 00:00:03.500\n<v Mayor>Good evening.\n"
  ),
  captions("application/x-subrip", "SubRip.", "1\n00:00:01,000 --> 00:00:03,500\nMayor: Good evening.\n"),
  captions("text/plain", "The text alone: one line per segment, one paragraph per speaker.", "Mayor: Good evening.\n")
] as const

/** The parts of a meeting that have addresses of their own (spec 4.2). */
export const MeetingResourcesGroup = HttpApiGroup.make("meeting_resources")
  .add(
    HttpApiEndpoint.get("transcript", "/api/meetings/:id/transcript", {
      params,
      query: transcriptQuery,
      success: transcriptFormats,
      error: gatedErrors
    })
      .annotate(Security, sessionOrGrant)
      .annotate(Revalidates, "whole")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getTranscript",
          summary: "Get the transcript",
          description: `Returns the refined transcript with per-word timestamps, or the raw one if there is no other; \`version\` says which, and \`removals\` how many home addresses and other private words were taken out of it. Also available as WebVTT, SRT and plain text, through \`Accept\` or \`format\`. ${gate} ${notThere}`
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
          summary: "Get the briefing",
          description: `Returns the written briefing, already edited: sentences whose claims the independent check did not support are removed, and \`removed_sentences\` counts them. A headline or a line of \`worth_watching\` that is not supported gives way to a supported sentence, and is not counted. \`pending_verification\` is true until the verdicts are in. If an operator has disabled the check, \`verification\` is \`disabled\`. A briefing that was imported without claims is \`unchecked\`. ${gate} ${notThere}`
        })
      )
      .middleware(Access),
    HttpApiEndpoint.get("claims", "/api/meetings/:id/claims", { params, success: Claims, error: gatedErrors })
      .annotate(Security, sessionOrGrant)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getClaims",
          summary: "Get the claims behind the briefing",
          description: `Returns each checked claim with its verdict and the moments of the recording it was checked against. Each sentence of the briefing makes a claim under the title of its topic; so does the headline, under \`Headline\`, and each line of \`worth_watching\`, under \`Worth watching\`. While \`status\` is \`pending\`, these are the claims checked so far. ${gate} ${notThere}`
        })
      )
      .middleware(Access),
    HttpApiEndpoint.get("recap", "/api/meetings/:id/recap", { params, success: Recap, error: gatedErrors })
      .annotate(Security, sessionOrGrant)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getRecap",
          summary: "Get the recap",
          description: `Returns a short summary of the meeting and what was decided. ${gate} ${notThere}`
        })
      )
      .middleware(Access),
    HttpApiEndpoint.get("graphics", "/api/meetings/:id/graphics", { params, success: Graphics, error: gatedErrors })
      .annotate(Security, sessionOrGrant)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getGraphics",
          summary: "Get the briefing's figures",
          description: `Returns the figures in the order in which the briefing shows them. ${minted} ${gate}`
        })
      )
      .middleware(Access),
    HttpApiEndpoint.get("video", "/api/meetings/:id/video", { params, success: Video, error: gatedErrors })
      .annotate(Security, sessionOrGrant)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getVideo",
          summary: "Get the recording",
          description: `Returns the address of the 720p web rendition. ${minted} ${gate} ${notThere}`
        })
      )
      .middleware(Access),
    HttpApiEndpoint.get("agenda", "/api/meetings/:id/agenda", { params, success: AgendaCopy, error: gatedErrors })
      .annotate(Security, sessionOrGrant)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getAgendaCopy",
          summary: "Get the agenda PDF",
          description: `Returns the address of our copy of the agenda PDF, and where the original is. ${minted} ${gate} ${notThere}`
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
          summary: "Get the agenda summary",
          description: `Returns the agenda in plain words. It is open to everyone, because the agenda is a public document. ${notThere}`
        })
      ),
    HttpApiEndpoint.get("clips", "/api/meetings/:id/clips", {
      params,
      success: Clips,
      error: openErrors
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getClips",
        summary: "List the published clips",
        description: `Returns the highlight clips that are published and rendered, ordered by start. Proposals, dismissed clips and alternate analysis versions are never included. ${minted}`
      })
    ),
    HttpApiEndpoint.get("community_clips", "/api/meetings/:id/community-clips", {
      params,
      success: CommunityClips,
      error: openErrors
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getCommunityClips",
        summary: "List the community clips",
        description: `Returns the ready clips that readers made, ordered by start. A clip that duplicates a published clip or an older community clip is left out: two clips are duplicates if they share at least 0.8 of what they cover together. ${minted}`
      })
    )
  )
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(
    OpenApi.annotations({ title: "Meeting resources", description: "The parts of a meeting's record, and its media." })
  )
