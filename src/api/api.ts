import { HttpApi, OpenApi } from "effect/http-api"
import { MeetingEvent, MeetingsEvent } from "../../schema/events.ts"
import { AccountGroup } from "./account.ts"
import { AgenciesGroup } from "./agencies.ts"
import { AgentCompletionGroup } from "./agent/completion.ts"
import { AgentOverviewGroup } from "./agent/overview.ts"
import { AgentRecordGroup } from "./agent/record.ts"
import { AuthGroup } from "./auth.ts"
import { BrowseGroup } from "./browse.ts"
import { CalendarGroup } from "./calendar.ts"
import { DocumentsGroup } from "./documents.ts"
import { DrillsGroup } from "./drills.ts"
import { EmailPrefsGroup } from "./email-prefs.ts"
import { MeetingResourcesGroup } from "./meeting-resources.ts"
import { MeetingsGroup } from "./meetings.ts"
import { MetaGroup } from "./meta.ts"
import { SendsErrorHeaders } from "./middleware.ts"
import { MistakesGroup } from "./mistakes.ts"
import { PeopleGroup } from "./people.ts"
import { PlacesGroup } from "./places.ts"
import { QuotesGroup } from "./quotes.ts"
import { SavedSearchesGroup } from "./saved-searches.ts"
import { SearchGroup } from "./search.ts"
import { SharingGroup } from "./sharing.ts"
import { StreamsGroup } from "./streams.ts"
import { TrendsGroup } from "./trends.ts"
import { UnsubscribeGroup } from "./unsubscribe.ts"
import { UpcomingGroup } from "./upcoming.ts"
import { AutoClipsGroup, UserClipsGroup } from "./user-clips.ts"

/** The whole contract. Its implementation is in src/http. */
export const Api = HttpApi.make("civic-record")
  .add(
    MetaGroup,
    BrowseGroup,
    MeetingsGroup,
    MeetingResourcesGroup,
    DocumentsGroup,
    AgenciesGroup,
    PlacesGroup,
    PeopleGroup,
    SearchGroup,
    QuotesGroup,
    TrendsGroup,
    UpcomingGroup,
    SharingGroup,
    UserClipsGroup,
    AutoClipsGroup,
    MistakesGroup,
    CalendarGroup,
    EmailPrefsGroup,
    SavedSearchesGroup,
    UnsubscribeGroup,
    StreamsGroup,
    DrillsGroup,
    AuthGroup,
    AccountGroup,
    AgentOverviewGroup,
    AgentRecordGroup,
    AgentCompletionGroup
  )
  // Last, so outermost: it also sees the refusals of the other middleware.
  .middleware(SendsErrorHeaders)
  // Errors that no operation declares as a whole.
  .annotate(HttpApi.AdditionalSchemas, [MeetingsEvent, MeetingEvent])
  // A misspelled field of a body must not be taken for one that was left out.
  .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Civic Record",
      summary: "A machine-readable record of civic meetings.",
      description: [
        "A read API for civic meetings, the public bodies that held them, and the places those bodies serve.",
        "",
        "Lists, profiles and searches are open to anonymous callers. A field with no value is omitted, never null; lists are always present. Instants are ISO 8601 in UTC, dates are `YYYY-MM-DD`, and offsets and durations are in seconds.",
        "",
        'Every error, on every route and whatever its cause, is `{ "error", "message", "hint" }`. Unknown query parameters are ignored, and unknown fields of a body are refused. A parameter that may be repeated may also be written as a list: `type[]` is `type`. HEAD works wherever GET does.',
        "",
        "Public reads under `/api` are counted per client address (for IPv6, per /64 network). `RateLimit-Policy` and `RateLimit` say how many are left; over the limit, the response is 429 with `Retry-After`.",
        "",
        "What is under `/api/agent` is for operators: it accepts nothing but an agent token, which an operator mints by hand for a named machine, and which opens nothing else."
      ].join("\n"),
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" }
    })
  )
