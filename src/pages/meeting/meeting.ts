import { Effect } from "effect"
import type { Environment } from "../../../layers/config/config.ts"
import { anonymous } from "../../../schema/viewer.ts"
import { type El, el, type Kid } from "../../page-tree/tree.ts"
import type { UserClips } from "../../services/clips/user-clips.ts"
import type { Briefings } from "../../services/meetings/briefings.ts"
import type { MeetingMedia } from "../../services/meetings/meeting-media.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import type { Summaries } from "../../services/meetings/summaries.ts"
import type { Transcripts } from "../../services/meetings/transcripts.ts"
import type { Matters } from "../../services/people/matters.ts"
import type { People } from "../../services/people/people.ts"
import type { Votes } from "../../services/people/votes.ts"
import { sessionOfBody } from "../../text/meeting-name.ts"
import type { Load, Page } from "../page.ts"
import { meetingData } from "../parts/linked-data.ts"
import { onThisOrigin } from "../parts/origin.ts"
import { meetingIn } from "../parts/paths.ts"
import { shownVote } from "../pictures/share-pictures.ts"
import { clock, longDate } from "../said.ts"
import { agenda } from "./agenda.ts"
import { briefing } from "./briefing.ts"
import { beside, cite, reportMistake } from "./cite.ts"
import { claims } from "./claims.ts"
import { clips } from "./clips.ts"
import { decisions } from "./decisions.ts"
import { documents } from "./documents.ts"
import { invitation } from "./invitation.ts"
import { part } from "./part.ts"
import { isAlone, sourceOf, stage } from "./stage.ts"
import { title, titleOf } from "./title.ts"
import { transcript } from "./transcript.ts"
import { isRecord, type MeetingView, viewOf } from "./view.ts"
import { votes } from "./votes.ts"

const chapters = ({ meeting: { chapters } }: MeetingView): Kid =>
  chapters.length > 0 &&
  part(
    "chapters",
    "Chapters",
    el(
      "ol",
      { class: "chapters" },
      chapters.map(({ title, start }) =>
        el("li", {}, el("time", { datetime: `PT${Math.floor(start)}S` }, clock(start)), " ", el("span", {}, title))
      )
    )
  )

/** The parts of the page in order: the decisions, why to believe them, the words, the agenda. */
const partsOf = (view: MeetingView): ReadonlyArray<El> => {
  const parts: ReadonlyArray<Kid> = isRecord(view)
    ? [
        decisions(view),
        votes(view),
        briefing(view),
        transcript(view),
        agenda(view),
        documents(view),
        clips(view),
        claims(view),
        cite(view)
      ]
    : [
        chapters(view),
        votes(view),
        briefing(view),
        transcript(view),
        agenda(view),
        documents(view),
        clips(view),
        cite(view)
      ]
  return parts.filter((one): one is El => typeof one === "object" && "tag" in one)
}

/** `/in/{place}/{body}/{date}-{id}`: a whole meeting for its readers; for everyone else, the public parts. */
const meetingPage = (view: MeetingView): Page => {
  const { meeting } = view
  const { body, date, path, places, updated_at, source_url } = meeting
  const when = longDate(date)
  const [place] = places
  const parts = partsOf(view)
  const source = isRecord(view) ? sourceOf(view) : undefined
  return {
    head: {
      title: titleOf(view),
      // Link previews are seen by anyone, so this uses only public text.
      description: `${sessionOfBody(meeting)} on ${when}: agenda, chapters, clips.`,
      path,
      access: isRecord(view) ? "full" : "teaser",
      updated: updated_at,
      ...(source_url === undefined ? {} : { source: source_url }),
      current: "browse",
      json: `/api/meetings/${meeting.id}`,
      data: meetingData(meeting),
      ...(shownVote(view.votes) !== undefined
        ? { image: `${path}.png` }
        : meeting.poster_url === undefined
          ? {}
          : { image: onThisOrigin(meeting.poster_url) }),
      crumbs: [...(place === undefined ? [] : [place]), body, { name: when, path }],
      script: isRecord(view) ? "meeting" : "teaser",
      watched: {
        href: `/api/meetings/${meeting.id}`,
        seen: updated_at,
        has: Object.entries(meeting.has).flatMap(([part, held]) => (held === true ? [part] : []))
      },
      ...(source === undefined ? {} : { frames: source.origin }),
      ...(!isRecord(view) && view.closed === undefined ? {} : { personal: true })
    },
    main: el(
      "div",
      { class: isRecord(view) && isAlone(view) ? "meeting wide alone" : "meeting wide" },
      title(view, parts),
      isRecord(view) ? stage(view) : invitation(view),
      el("div", { class: "record" }, parts, reportMistake(view), beside(view))
    )
  }
}

/** What the page of a meeting asks. */
export type MeetingServices =
  | Briefings
  | Environment
  | Matters
  | MeetingMedia
  | Meetings
  | People
  | Summaries
  | Transcripts
  | UserClips
  | Votes

export const loadMeeting: Load<MeetingServices> = Effect.fn("MeetingPage.load")(function* (asked) {
  const { params, viewer } = asked
  const meeting = yield* (yield* Meetings).open(meetingIn(params.meeting), viewer)
  // Another body, place or date before the same id: one address per meeting.
  const isHere = meeting.path === `/in/${params.place}/${params.body}/${params.meeting}`
  return isHere ? meetingPage(yield* viewOf(meeting, asked)) : { movedTo: meeting.path }
})

/** The flat address of a meeting, which redirects forever (spec section 1). */
export const movedMeeting: Load<Meetings> = Effect.fn("MeetingPage.moved")(function* ({ params }) {
  const { path } = yield* (yield* Meetings).open(params.slug ?? "", anonymous)
  return { movedTo: path }
})
