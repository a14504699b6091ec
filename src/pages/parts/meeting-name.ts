import type { MeetingCard } from "../../../schema/meeting.ts"

type Named = Pick<MeetingCard, "title" | "body">

/** Whether a title names the body as well: `Youth Board Meeting` of the Youth Board. */
export const namesBody = ({ title, body }: Named): boolean => title.toLowerCase().includes(body.name.toLowerCase())

/** What a meeting is called where its body is not named beside it. */
export const nameWithBody = (meeting: Named): string =>
  namesBody(meeting) ? meeting.title : `${meeting.title}: ${meeting.body.name}`

/** The same with the body first, as calendars list it. */
export const nameAfterBody = (meeting: Named): string =>
  namesBody(meeting) ? meeting.title : `${meeting.body.name}: ${meeting.title}`

/** The same within a sentence. */
export const titleOfBody = (meeting: Named): string =>
  namesBody(meeting) ? meeting.title : `${meeting.title} of ${meeting.body.name}`
