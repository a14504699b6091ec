import type { MeetingCard } from "../../../schema/meeting.ts"

/** Meetings to come as a calendar has them: by day, then by hour; those without an hour after the others of their day. */
export const soonestFirst = (meetings: ReadonlyArray<MeetingCard>): ReadonlyArray<MeetingCard> =>
  meetings.toSorted(
    (a, b) =>
      a.date.localeCompare(b.date) || (a.starts_at ?? "9").localeCompare(b.starts_at ?? "9") || a.id.localeCompare(b.id)
  )
