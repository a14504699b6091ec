import { Schema } from "effect"
import { AgendaItemId, ClipId, Instant, MeetingId, Seconds } from "./primitives.ts"

/** The state of a curated clip (spec section 3); only a published one is ever shown or signed. */
export const ClipState = Schema.Literals(["published", "proposal", "dismissed", "alternate"]).annotate({
  description: "`alternate` is a clip from another version of the analysis."
})
export type ClipState = typeof ClipState.Type

const span = {
  title: Schema.String.annotate({ examples: ["Council debates the greenway"] }),
  start: Seconds,
  end: Seconds,
  duration: Seconds
}

export const ClipCard = Schema.Struct({
  id: ClipId,
  ...span,
  agenda_item: Schema.optionalKey(AgendaItemId)
}).annotate({ identifier: "ClipCard", description: "A published highlight clip, anchored to the agenda." })
export interface ClipCard extends Schema.Schema.Type<typeof ClipCard> {}

/** For clips of meetings with a transcript. */
export const captioned = {
  captions_url: Schema.optionalKey(
    Schema.String.annotate({
      description: "The words of the clip as WebVTT, by the clip's own clock, for as long as `url` is valid."
    })
  )
}

export const signed = {
  url: Schema.String.annotate({ description: "An address signed for this visit, valid for six hours." }),
  expires_at: Instant
}

export const Clips = Schema.Struct({
  meeting_id: MeetingId,
  clips: Schema.Array(
    Schema.Struct({ ...ClipCard.fields, ...signed, ...captioned }).annotate({
      identifier: "SignedClip",
      description: "A published clip, with an address signed for this visit."
    })
  )
}).annotate({ identifier: "Clips", description: "A meeting's published clips, ordered by start." })
export interface Clips extends Schema.Schema.Type<typeof Clips> {}

export const CommunityClips = Schema.Struct({
  meeting_id: MeetingId,
  clips: Schema.Array(
    Schema.Struct({
      slug: Schema.String,
      title: Schema.optionalKey(Schema.String),
      start: Seconds,
      end: Seconds,
      duration: Seconds,
      ...signed,
      ...captioned
    }).annotate({
      identifier: "CommunityClip",
      description: "A clip that a reader made, with an address signed for this visit."
    })
  )
}).annotate({ identifier: "CommunityClips", description: "A meeting's community clips, ordered by start." })
export interface CommunityClips extends Schema.Schema.Type<typeof CommunityClips> {}
