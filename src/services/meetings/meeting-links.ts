import type { MeetingCard, MeetingLinks } from "../../../schema/meeting.ts"
import { type LinkedPart, linkedParts, meetingParts } from "../../../schema/part.ts"
import { mayRead, type Viewer } from "../../../schema/viewer.ts"
import { given } from "../wire.ts"

/** The name of a link, and the last segment of its path. */
interface PartLink {
  readonly name: Exclude<keyof MeetingLinks, "self" | "page" | "body">
  readonly segment?: string
  readonly isOpen?: boolean
}

/** Which parts readers see, as far as the card says. */
const partsOnCard = ({ has }: MeetingCard) => ({
  transcript: has.transcript,
  briefing: has.briefing,
  claims: has.claims,
  recap: has.recap,
  video: has.video,
  clips: has.clips > 0
})

/** The linked parts that a card does not mention. */
export const partsBesideCard = ["agenda_copy", "agenda_summary", "community_clips", "figures"] as const

/** Which of them there are, and whether the meeting has documents. */
export type PartsBesideCard = Readonly<Record<(typeof partsBesideCard)[number] | "documents", boolean>>

/** Links to the parts that exist and that this viewer may read now. */
export const meetingLinks = (card: MeetingCard, others: PartsBesideCard, viewer: Viewer): MeetingLinks => {
  const isShown: Readonly<Record<LinkedPart, boolean>> = { ...partsOnCard(card), ...others }
  const self = `/api/meetings/${card.id}`
  const readable = mayRead(viewer, card.id)
  const isReader = viewer._tag === "Reader"
  const links: Partial<Record<PartLink["name"], string>> = {}
  for (const part of linkedParts) {
    const { name, segment = name, isOpen = false }: PartLink = meetingParts[part].link
    if (isShown[part] && (isOpen || readable)) links[name] = `${self}/${segment}`
  }
  return {
    self,
    page: card.path,
    body: `/api/agencies/${card.body.slug}`,
    ...given("documents", others.documents ? `${self}/documents` : undefined),
    ...links,
    ...given("events", readable ? `/api/events?meeting_id=${card.id}` : undefined),
    ...given("share", isReader ? `${self}/share` : undefined),
    ...given("user_clips", isReader ? `/api/user-clips?meeting_id=${card.id}` : undefined)
  }
}
