import type { MeetingCard } from "../../../schema/meeting.ts"

/** How many meetings one mail lists; it says how many more there are. */
export const mostMeetings = 20

const plainDay = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" })
const day = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeZone: "UTC" })
const shortDay = new Intl.DateTimeFormat("en-US", { month: "long", day: "numeric", timeZone: "UTC" })

const dateOf = ({ date }: MeetingCard) => new Date(`${date}T00:00:00Z`)

/** `March 10, 2026` */
export const dayOf = (date: string): string => plainDay.format(new Date(`${date}T00:00:00Z`))

/** `March 10`, if the year is clear. */
export const shortDate = (card: MeetingCard): string => shortDay.format(dateOf(card))

/** `Springfield City Council · Tuesday, March 10, 2026, 6:30 PM CDT`, by local time. */
export const whoAndWhen = (card: MeetingCard): string => {
  const time =
    card.starts_at === undefined
      ? ""
      : `, ${new Intl.DateTimeFormat("en-US", {
          hour: "numeric",
          minute: "2-digit",
          timeZone: card.timezone,
          timeZoneName: "short"
        })
          .format(new Date(card.starts_at))
          .replace(/\u202f/g, " ")}`
  return `${card.body.name} · ${day.format(dateOf(card))}${time}`
}

export const meetingCount = (count: number): string => (count === 1 ? "1 meeting" : `${count} meetings`)
