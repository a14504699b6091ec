import { Layer } from "effect"
import { AutoClips } from "./auto-clips.ts"
import { Briefings } from "./briefings.ts"
import { Browse } from "./browse.ts"
import { ClipCounters } from "./clip-counters.ts"
import { Directory } from "./directory.ts"
import { Feed } from "./feed.ts"
import { Health } from "./health.ts"
import { Locations } from "./locations.ts"
import { Meetings } from "./meetings.ts"
import { RemovedClips } from "./removed-clips.ts"
import { Sessions } from "./sessions.ts"
import { Settings } from "./settings.ts"
import { Shares } from "./shares.ts"
import { Summaries } from "./summaries.ts"
import { Transcripts } from "./transcripts.ts"
import { Upcoming } from "./upcoming.ts"
import { UserClips } from "./user-clips.ts"
import { Visits } from "./visits.ts"

/** What every route is answered by; needs the databases and the ports. */
export const ServicesLive = Layer.mergeAll(
  AutoClips.layer,
  Briefings.layer,
  Browse.layer,
  ClipCounters.layer,
  Feed.layer,
  Health.layer,
  Locations.layer,
  Sessions.layer,
  Shares.layer,
  Summaries.layer,
  Transcripts.layer,
  Upcoming.layer,
  Visits.layer
).pipe(
  Layer.provideMerge(UserClips.layer),
  Layer.provideMerge(Layer.mergeAll(Directory.layer, Meetings.layer, RemovedClips.layer, Settings.layer))
)
