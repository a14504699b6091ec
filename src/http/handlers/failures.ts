import { ambiguousBody, notFound, removed, shortened } from "../../api/errors/common.ts"
import type { AmbiguousBody, NotFound, Removed } from "../../services/failures.ts"

/** What each thing is called when it is not there, and where to find those that are. */
const absent = {
  meeting: ["No meeting has the id or slug", "Find meetings with GET /api/meetings/browse."],
  agency: ["No body has, or ever had, the slug", "GET /api/agencies lists every body."],
  place: ["No place has the slug", "GET /api/places lists every place."],
  user_clip: ["No clip of yours has the id", "GET /api/user-clips lists your clips."],
  location: ["No location has the place_id", "Take a place_id from GET /api/search/geo."],
  saved_search: ["You keep no search with the id", "GET /api/me/saved-searches lists those you keep."]
} as const satisfies Record<NotFound["what"], readonly [string, string]>

/** A service's failure as the wire knows it: here, and nowhere else. */
export const wireNotFound = ({ what, ref }: NotFound) =>
  notFound(`${absent[what][0]} "${shortened(ref)}".`, absent[what][1])

export const wireNoMeeting = (failure: NotFound | Removed) =>
  failure._tag === "NotFound" ? wireNotFound(failure) : removed(failure.ref, failure.reason)

export const wireAmbiguous = ({ place, segment }: AmbiguousBody) => ambiguousBody(place, segment)
