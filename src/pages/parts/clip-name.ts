import type { MeetingCard } from "../../../schema/meeting.ts"
import type { SharedClip } from "../../../schema/user-clip.ts"
import { plainDate } from "../said.ts"

/** The name of a reader's clip: its title, else its meeting. */
export const clipName = ({ title }: Pick<SharedClip, "title">, { body, date }: Pick<MeetingCard, "body" | "date">) =>
  title ?? `${body.name}, ${plainDate(date)}`
