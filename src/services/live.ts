import { Layer } from "effect"
import { AccountExport } from "./account-export.ts"
import { Accounts } from "./accounts.ts"
import { AutoClips } from "./auto-clips.ts"
import { Briefings } from "./briefings.ts"
import { Browse } from "./browse.ts"
import { ClipCounters } from "./clip-counters.ts"
import { Directory } from "./directory.ts"
import { EmailChanges } from "./email-changes.ts"
import { EmailPrefs } from "./email-prefs.ts"
import { Feed } from "./feed.ts"
import { Follows } from "./follows.ts"
import { Health } from "./health.ts"
import { Locations } from "./locations.ts"
import { Meetings } from "./meetings.ts"
import { Passwords } from "./passwords.ts"
import { RemovedClips } from "./removed-clips.ts"
import { SavedSearches } from "./saved-searches.ts"
import { Sessions } from "./sessions.ts"
import { Settings } from "./settings.ts"
import { Shares } from "./shares.ts"
import { SignIns } from "./sign-ins.ts"
import { Summaries } from "./summaries.ts"
import { Transcripts } from "./transcripts.ts"
import { Upcoming } from "./upcoming.ts"
import { UserClips } from "./user-clips.ts"
import { Visits } from "./visits.ts"

/** What every route is answered by; needs the databases and the ports. */
export const ServicesLive = Layer.mergeAll(
  AccountExport.layer,
  AutoClips.layer,
  Briefings.layer,
  ClipCounters.layer,
  EmailChanges.layer,
  Feed.layer,
  Health.layer,
  Locations.layer,
  Passwords.layer,
  SavedSearches.layer,
  Shares.layer,
  SignIns.layer,
  Summaries.layer,
  Transcripts.layer,
  Upcoming.layer,
  Visits.layer
).pipe(
  Layer.provideMerge(UserClips.layer),
  Layer.provideMerge(
    Layer.mergeAll(
      Accounts.layer,
      Browse.layer,
      Directory.layer,
      EmailPrefs.layer,
      Follows.layer,
      Meetings.layer,
      Sessions.layer
    )
  ),
  Layer.provideMerge(Layer.mergeAll(RemovedClips.layer, Settings.layer))
)
