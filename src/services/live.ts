import { Layer } from "effect"
import { Briefings } from "./briefings.ts"
import { Browse } from "./browse.ts"
import { Directory } from "./directory.ts"
import { EmailPrefs } from "./email-prefs.ts"
import { Feed } from "./feed.ts"
import { Health } from "./health.ts"
import { Locations } from "./locations.ts"
import { Meetings } from "./meetings.ts"
import { SavedSearches } from "./saved-searches.ts"
import { Sessions } from "./sessions.ts"
import { Shares } from "./shares.ts"
import { Summaries } from "./summaries.ts"
import { Transcripts } from "./transcripts.ts"
import { Upcoming } from "./upcoming.ts"
import { Visits } from "./visits.ts"

/** What every route is answered by; needs the databases and the ports. */
export const ServicesLive = Layer.mergeAll(
  Briefings.layer,
  EmailPrefs.layer,
  Feed.layer,
  Health.layer,
  Locations.layer,
  SavedSearches.layer,
  Sessions.layer,
  Shares.layer,
  Summaries.layer,
  Transcripts.layer,
  Upcoming.layer,
  Visits.layer
).pipe(Layer.provideMerge(Layer.mergeAll(Browse.layer, Directory.layer, Meetings.layer)))
