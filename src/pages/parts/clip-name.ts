import type { MeetingCard } from "../../../schema/meeting.ts"
import type { SharedClip } from "../../../schema/user-clip.ts"
import { plainDate } from "../said.ts"

/** What a reader's clip is called: by its title, else by its meeting. */
export const clipName = ({ title }: Pick<SharedClip, "title">, { body, date }: Pick<MeetingCard, "body" | "date">) =>
  title ?? `${body.name}, ${plainDate(date)}`
