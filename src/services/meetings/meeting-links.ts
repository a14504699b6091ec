import type { MeetingCard, MeetingLinks } from "../../../schema/meeting.ts"
import { mayRead, type Viewer } from "../../../schema/viewer.ts"
import { given } from "../wire.ts"

/** What there is of a meeting beyond its card. */
interface Holdings {
  readonly recap: boolean
  readonly agenda_summary: boolean
  readonly figures: boolean
  readonly community_clips: boolean
  readonly pending_verification: boolean | null
}

/** What this viewer can fetch now, by name: only what there is, and only what the viewer may read. */
export const meetingLinks = (card: MeetingCard, holds: Holdings, viewer: Viewer): MeetingLinks => {
  const self = `/api/meetings/${card.id}`
  const link = <Name extends keyof MeetingLinks>(name: Name, there: boolean, path = `${self}/${name}`) =>
    given(name, there ? path : undefined)
  const readable = mayRead(viewer, card.id)
  const isReader = viewer._tag === "Reader"
  return {
    self,
    page: card.path,
    body: `/api/agencies/${card.body.slug}`,
    ...link("agenda_summary", holds.agenda_summary, `${self}/agenda-summary`),
    ...link("clips", card.has.clips > 0),
    ...link("community_clips", holds.community_clips, `${self}/community-clips`),
    ...link("transcript", readable && card.has.transcript),
    ...link("newsletter", readable && holds.pending_verification !== null),
    ...link("claims", readable && holds.pending_verification !== null),
    ...link("recap", readable && holds.recap),
    ...link("graphics", readable && holds.figures),
    ...link("video", readable && card.has.video),
    ...link("agenda", readable && card.has.agenda),
    ...link("events", readable, `/api/events?meeting_id=${card.id}`),
    ...link("share", isReader),
    ...link("user_clips", isReader, `/api/user-clips?meeting_id=${card.id}`)
  }
}
