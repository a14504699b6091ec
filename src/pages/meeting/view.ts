import { Effect, Option } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import type { AgendaSummary, Claims, Graphics, Newsletter, Recap } from "../../../schema/briefing.ts"
import type { CommunityClips } from "../../../schema/clip.ts"
import type { AgendaCopy, Video } from "../../../schema/media.ts"
import type { Meeting, MeetingRecord, MeetingTeaser } from "../../../schema/meeting.ts"
import type { Transcript } from "../../../schema/transcript.ts"
import type { UserClip } from "../../../schema/user-clip.ts"
import type { Votes } from "../../../schema/vote.ts"
import { UserClips } from "../../services/clips/user-clips.ts"
import { Briefings } from "../../services/meetings/briefings.ts"
import { MeetingMedia } from "../../services/meetings/meeting-media.ts"
import { Meetings, type Neighbors } from "../../services/meetings/meetings.ts"
import type { MissingPart } from "../../services/meetings/missing-part.ts"
import { Summaries } from "../../services/meetings/summaries.ts"
import { Transcripts } from "../../services/meetings/transcripts.ts"
import { Votes as VotesOnRecord } from "../../services/people/votes.ts"
import type { Asked } from "../page.ts"

/** The parts of a meeting's page that anyone may see. */
interface OpenParts {
  /** `BASE_URL`, for text that is copied from the page. */
  readonly base: string
  /** The second in the address (`?t=`). */
  readonly at: number | undefined
  /** The words in the address (`?q=`), as they were searched for; empty if there are none. */
  readonly q: string
  readonly agendaSummary: AgendaSummary | undefined
  readonly communityClips: CommunityClips["clips"]
  readonly neighbors: Neighbors
  /** Votes and roll calls; their seconds only for who may read the meeting. */
  readonly votes: Votes
}

/** A meeting for viewers who may not read it; nothing gated is in it. */
export interface TeaserView extends OpenParts {
  readonly meeting: MeetingTeaser
  /** The number of decisions on record; the decisions themselves are for readers. */
  readonly decisions: number
  /** Why a share link did not open the meeting: it was already used, is for another meeting, or has expired. */
  readonly closed: "refused" | "other meeting" | "over" | undefined
}

/** A meeting for its readers, with the parts it has. */
export interface RecordView extends OpenParts {
  readonly meeting: MeetingRecord
  readonly recap: Recap | undefined
  readonly newsletter: Newsletter | undefined
  readonly claims: Claims | undefined
  readonly figures: Graphics["figures"]
  readonly transcript: Transcript | undefined
  readonly video: Video | undefined
  readonly agendaCopy: AgendaCopy | undefined
  /** The reader's own clips of this meeting; undefined for the holder of a share grant, who has no account. */
  readonly ownClips: ReadonlyArray<UserClip> | undefined
}

export type MeetingView = TeaserView | RecordView

export const isRecord = (view: MeetingView): view is RecordView => !view.meeting.gated

/** The second in `?t=`; anything but a number of seconds is ignored. */
const secondOf = (query: URLSearchParams): number | undefined => {
  const asked = query.get("t") ?? ""
  return /^\d{1,6}(\.\d{1,3})?$/.test(asked) ? Number(asked) : undefined
}

/** Longer than any search. */
const longestQuery = 500

const wordsIn = (query: URLSearchParams): string => (query.get("q") ?? "").trim().slice(0, longestQuery)

const whyClosed = ({ viewer, query }: Asked): TeaserView["closed"] => {
  if (viewer._tag === "ShareHolder") return query.has("st") ? "other meeting" : undefined
  if (viewer._tag === "Reader" || !viewer.grantRefused) return undefined
  return query.has("st") ? "refused" : "over"
}

/** A part that the meeting's links name; it may be gone by the time it is requested. */
const part = <A, R>(link: string | undefined, read: Effect.Effect<A, MissingPart, R>) =>
  link === undefined ? Effect.succeed(undefined) : Effect.map(Effect.option(read), Option.getOrUndefined)

const together = { concurrency: "unbounded" } as const

/** Loads everything a meeting's page shows, as far as the viewer may read it. */
export const viewOf = Effect.fn("MeetingPage.view")(function* (meeting: Meeting, asked: Asked) {
  const [media, summaries] = [yield* MeetingMedia, yield* Summaries]
  const { id, links } = meeting
  const { agendaSummary, community, neighbors, votes } = yield* Effect.all(
    {
      agendaSummary: part(links.agenda_summary, summaries.agenda(id)),
      community: part(links.community_clips, media.communityClips(id)),
      neighbors: (yield* Meetings).beside(id),
      votes: (yield* VotesOnRecord).ofMeeting(id, asked.viewer)
    },
    together
  )
  const open = {
    base: (yield* Environment).baseUrl,
    at: secondOf(asked.query),
    q: wordsIn(asked.query),
    agendaSummary,
    communityClips: community?.clips ?? [],
    neighbors,
    votes
  }
  if (meeting.gated) {
    const recap = yield* Effect.option(summaries.recap(id))
    const decisions = Option.match(recap, { onNone: () => 0, onSome: (found) => found.decisions.length })
    return { ...open, meeting, decisions, closed: whyClosed(asked) } satisfies TeaserView
  }
  const [briefings, transcripts, userClips] = [yield* Briefings, yield* Transcripts, yield* UserClips]
  const { viewer } = asked
  const { graphics, own, ...parts } = yield* Effect.all(
    {
      recap: part(links.recap, summaries.recap(id)),
      newsletter: part(links.newsletter, briefings.newsletter(id)),
      claims: part(links.claims, briefings.claims(id)),
      graphics: part(links.graphics, media.graphics(id)),
      transcript: part(links.transcript, transcripts.spoken(id)),
      video: part(links.video, media.video(id)),
      agendaCopy: part(links.agenda, media.agenda(id)),
      own: viewer._tag === "Reader" ? userClips.list(viewer.accountId, id) : Effect.succeed(undefined)
    },
    together
  )
  return { ...open, ...parts, meeting, figures: graphics?.figures ?? [], ownClips: own?.clips } satisfies RecordView
})
