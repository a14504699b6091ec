import { Effect } from "effect"
import { fontFile } from "../../../layers/renderer/args.ts"
import { anonymous } from "../../../schema/viewer.ts"
import type { Votes as VotesOfMeeting } from "../../../schema/vote.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { Matters } from "../../services/people/matters.ts"
import { Votes } from "../../services/people/votes.ts"
import { meetingName } from "../../text/meeting-name.ts"
import { figureOf } from "../../text/vote-words.ts"
import type { LoadFile } from "../feeds/feed-file.ts"
import { statusOf } from "../matter.ts"
import { meetingIn } from "../parts/paths.ts"
import { plainDate } from "../said.ts"
import { type VoteCard, voteCard } from "./vote-card.ts"

/** Draws a card as PNG, in a thread of its own; what draws is loaded with the first. */
const drawn = (card: VoteCard) =>
  Effect.promise(async () => {
    const { renderAsync } = await import("@resvg/resvg-js")
    const font = { fontFiles: [fontFile], loadSystemFonts: false, defaultFontFamily: "DejaVu Sans" }
    const picture = await renderAsync(voteCard(card), { font })
    return { contentType: "image/png", text: Uint8Array.from(picture.asPng()) }
  }).pipe(Effect.withSpan("SharePicture.draw"))

/** The vote of a meeting that its picture shows: the most divided one, or else its last; roll calls are none. */
export const shownVote = ({ votes }: VotesOfMeeting): VotesOfMeeting["votes"][number] | undefined => {
  const counted = votes.filter((vote) => vote.kind === "vote" && figureOf(vote) !== undefined)
  const against = (vote: (typeof counted)[number]) => vote.counts.find(({ option }) => option === "no")?.value ?? 0
  return counted.toSorted((a, b) => against(a) - against(b)).at(-1)
}

/** `/in/{place}/matters/{slug}.png`: a matter, and the last vote on it. */
export const loadMatterPicture: LoadFile<Matters> = Effect.fn("MatterPicture.load")(function* ({ params }) {
  const matter = yield* (yield* Matters).matter(params.slug ?? "")
  if (matter.path !== `/in/${params.place}/matters/${params.slug}`) return { movedTo: `${matter.path}.png` }
  const last = matter.history.findLast(({ vote }) => vote !== undefined && figureOf(vote) !== undefined)
  const from = [matter.identifier, last?.meeting?.body.name ?? matter.place.name]
  return yield* drawn({
    from: [...from, ...(last === undefined ? [] : [plainDate(last.date)])].join(" · "),
    title: matter.title,
    ...(last?.vote === undefined ? { status: statusOf(matter) } : { vote: last.vote })
  })
})

/** `/in/{place}/{body}/{meeting}.png`: a meeting, and its most divided vote. */
export const loadMeetingPicture: LoadFile<Meetings | Votes> = Effect.fn("MeetingPicture.load")(function* ({ params }) {
  const meeting = yield* (yield* Meetings).open(meetingIn(params.meeting), anonymous)
  if (meeting.path !== `/in/${params.place}/${params.body}/${params.meeting}`) return { movedTo: `${meeting.path}.png` }
  const vote = shownVote(yield* (yield* Votes).ofMeeting(meeting.id))
  return yield* drawn({
    from: `${meeting.body.name} · ${plainDate(meeting.date)}`,
    title: vote?.meeting?.item?.title ?? vote?.matter?.title ?? meetingName(meeting),
    ...(vote === undefined ? {} : { vote })
  })
})
