import { Layer } from "effect"
import { AccountExport } from "./accounts/account-export.ts"
import { Accounts } from "./accounts/accounts.ts"
import { Allowances } from "./accounts/allowance.ts"
import { CalendarAddresses } from "./accounts/calendar-addresses.ts"
import { EmailChanges } from "./accounts/email-changes.ts"
import { EmailPrefs } from "./accounts/email-prefs.ts"
import { Follows } from "./accounts/follows.ts"
import { MistakeReports } from "./accounts/mistake-reports.ts"
import { Passwords } from "./accounts/passwords.ts"
import { ReaderTokens } from "./accounts/reader-tokens.ts"
import { SavedSearches } from "./accounts/saved-searches.ts"
import { Sessions } from "./accounts/sessions.ts"
import { Shares } from "./accounts/shares.ts"
import { SignIns } from "./accounts/sign-ins.ts"
import { Visits } from "./accounts/visits.ts"
import { AutoClips } from "./clips/auto-clips.ts"
import { ClipCounters } from "./clips/clip-counters.ts"
import { ClipWords } from "./clips/clip-words.ts"
import { CuratedClips } from "./clips/curated-clips.ts"
import { RemovedMedia } from "./clips/removed-media.ts"
import { UserClips } from "./clips/user-clips.ts"
import { AgencyMerge } from "./directory/agency-merge.ts"
import { Calendars } from "./directory/calendars.ts"
import { Directory } from "./directory/directory.ts"
import { Locations } from "./directory/locations.ts"
import { News } from "./directory/news.ts"
import { Reversals } from "./directory/reversals.ts"
import { Sitemaps } from "./directory/sitemaps.ts"
import { Upcoming } from "./directory/upcoming.ts"
import { Feed } from "./feed/feed.ts"
import { MeetingCorrections } from "./feed/meeting-corrections.ts"
import { MeetingRemoval } from "./feed/meeting-removal.ts"
import { RecordRevision } from "./feed/record-revision.ts"
import { Costs } from "./making/costs.ts"
import { GivenRecordings } from "./making/given-recordings.ts"
import { Removals } from "./making/removals.ts"
import { Briefings } from "./meetings/briefings.ts"
import { Documents } from "./meetings/documents.ts"
import { MeetingMedia } from "./meetings/meeting-media.ts"
import { Meetings } from "./meetings/meetings.ts"
import { Summaries } from "./meetings/summaries.ts"
import { Transcripts } from "./meetings/transcripts.ts"
import { AgentDirectory } from "./operators/agent-directory.ts"
import { AgentTokens } from "./operators/agent-tokens.ts"
import { Drills } from "./operators/drills.ts"
import { Health } from "./operators/health.ts"
import { Issues } from "./operators/issues.ts"
import { MeetingList } from "./operators/meeting-list.ts"
import { MeetingView } from "./operators/meeting-view.ts"
import { Observations } from "./operators/observations.ts"
import { OperatorActions } from "./operators/operator-actions.ts"
import { Completion } from "./operators/runs/completion.ts"
import { Matters } from "./people/matters.ts"
import { People } from "./people/people.ts"
import { PeopleAtWork } from "./people/people-at-work.ts"
import { PersonMerge } from "./people/person-merge.ts"
import { Said } from "./people/said.ts"
import { Votes } from "./people/votes.ts"
import { Flows } from "./queue/flows.ts"
import { PipelineLog } from "./queue/pipeline-log.ts"
import { Work } from "./queue/work.ts"
import { Browse } from "./search/browse.ts"
import { ByMeaningLive } from "./search/meaning/by-meaning.ts"
import { QuoteChecks } from "./search/quotes/quote-check.ts"
import { Quotes } from "./search/quotes/quotes.ts"
import { Trends } from "./search/trends.ts"
import { SettingFamilies } from "./settings/setting-families.ts"
import { Settings } from "./settings/settings.ts"
import { ChannelRecordings } from "./sources/channel-recordings.ts"
import { SitePermissions } from "./sources/site-permissions.ts"
import { SourceChanges } from "./sources/source-changes.ts"
import { SourcePast } from "./sources/source-past.ts"
import { Sources } from "./sources/sources.ts"

/** The operators' services: for the console, the agent API and the command line. */
const OperatorsLive = Layer.mergeAll(
  AgentDirectory.layer,
  AgentTokens.layer,
  ChannelRecordings.layer,
  Completion.layer.pipe(Layer.provideMerge(Layer.mergeAll(AgencyMerge.layer, Flows.layer))),
  CuratedClips.layer,
  GivenRecordings.layer.pipe(Layer.provide(Flows.layer)),
  Issues.layer,
  MeetingCorrections.layer,
  MeetingList.layer,
  MeetingRemoval.layer,
  MeetingView.layer,
  OperatorActions.layer,
  PeopleAtWork.layer,
  PersonMerge.layer,
  Removals.layer,
  Reversals.layer,
  PipelineLog.layer,
  Drills.layer,
  SettingFamilies.layer,
  SitePermissions.layer,
  SourceChanges.layer,
  SourcePast.layer,
  Sources.layer,
  Work.layer
).pipe(Layer.provideMerge(Costs.layer))

/** The services behind every route; needs the databases and the ports. */
export const ServicesLive = Layer.mergeAll(
  AccountExport.layer,
  AutoClips.layer,
  Briefings.layer,
  CalendarAddresses.layer,
  Calendars.layer,
  ClipCounters.layer,
  ClipWords.layer,
  EmailChanges.layer,
  Feed.layer,
  Health.layer,
  Locations.layer,
  Observations.layer,
  Matters.layer,
  Passwords.layer,
  People.layer,
  ReaderTokens.layer,
  RecordRevision.layer,
  SavedSearches.layer,
  Shares.layer,
  SignIns.layer,
  Sitemaps.layer,
  Trends.layer,
  Summaries.layer,
  Layer.mergeAll(Quotes.layer, QuoteChecks.layer).pipe(Layer.provideMerge(Transcripts.layer)),
  News.layer,
  Upcoming.layer,
  Visits.layer,
  Said.layer,
  Votes.layer,
  MeetingMedia.layer,
  MistakeReports.layer,
  OperatorsLive
).pipe(
  Layer.provideMerge(UserClips.layer),
  Layer.provideMerge(
    Layer.mergeAll(
      Accounts.layer,
      Allowances.layer,
      Layer.provide(Browse.layer, ByMeaningLive),
      Directory.layer,
      Documents.layer,
      EmailPrefs.layer,
      Follows.layer,
      Meetings.layer,
      Sessions.layer
    )
  ),
  Layer.provideMerge(Layer.mergeAll(RemovedMedia.layer, Settings.layer))
)
