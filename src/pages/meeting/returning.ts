import { withQuery } from "../query.ts"
import type { MeetingView } from "./view.ts"

/** The sign-in that leads back to the same moment of the same meeting, with the words that are looked for there. */
export const signInHere = ({ at, q, meeting: { path } }: MeetingView): string => {
  const moment = { t: at === undefined ? undefined : Math.floor(at), q: q === "" ? undefined : q }
  return `/signin?return_to=${encodeURIComponent(withQuery(path, moment))}`
}
