import type { MeetingCard } from "../../../schema/meeting.ts"

/** What there is of a meeting beyond its card. */
interface Holdings {
  readonly recap: boolean
  readonly agenda_summary: boolean
  readonly figures: boolean
  readonly pending_verification: boolean | null
}

/** What this caller can fetch now, by name: only what exists, and gated parts only if the caller may read them. */
export const meetingLinks = (
  card: MeetingCard,
  holds: Holdings,
  readable: boolean
): Readonly<Record<string, string>> => {
  const self = `/api/meetings/${card.id}`
  const link = (name: string, there: boolean, segment: string = name) => (there ? { [name]: `${self}/${segment}` } : {})
  return {
    self,
    page: card.path,
    body: `/api/agencies/${card.body.slug}`,
    ...link("agenda_summary", holds.agenda_summary, "agenda-summary"),
    ...link("clips", card.has.clips > 0),
    ...(readable
      ? {
          ...link("transcript", card.has.transcript),
          ...link("newsletter", holds.pending_verification !== null),
          ...link("claims", holds.pending_verification !== null),
          ...link("recap", holds.recap),
          ...link("graphics", holds.figures),
          ...link("video", card.has.video),
          ...link("agenda", card.has.agenda)
        }
      : {})
  }
}
