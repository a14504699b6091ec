import type { MeetingCard } from "../../../schema/meeting.ts"

type Named = Pick<MeetingCard, "title" | "body">

/** Whether a title already names the body: `Youth Board Meeting` of the Youth Board. */
export const namesBody = ({ title, body }: Named): boolean => title.toLowerCase().includes(body.name.toLowerCase())

/** The name of a meeting where its body is not shown beside it. */
export const nameWithBody = (meeting: Named): string =>
  namesBody(meeting) ? meeting.title : `${meeting.title}: ${meeting.body.name}`

/** The same with the body first, as calendars list it. */
export const nameAfterBody = (meeting: Named): string =>
  namesBody(meeting) ? meeting.title : `${meeting.body.name}: ${meeting.title}`

/** The same within a sentence. */
export const titleOfBody = (meeting: Named): string =>
  namesBody(meeting) ? meeting.title : `${meeting.title} of ${meeting.body.name}`
