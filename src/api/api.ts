import { HttpApi, OpenApi } from "effect/http-api"
import { AccountGroup } from "./account.ts"
import { AgenciesGroup } from "./agencies.ts"
import { AuthGroup } from "./auth.ts"
import { BrowseGroup } from "./browse.ts"
import { EmailPrefsGroup } from "./email-prefs.ts"
import { MeetingResourcesGroup } from "./meeting-resources.ts"
import { MeetingsGroup } from "./meetings.ts"
import { MetaGroup } from "./meta.ts"
import { SendsErrorHeaders } from "./middleware.ts"
import { PlacesGroup } from "./places.ts"
import { SavedSearchesGroup } from "./saved-searches.ts"
import { SearchGroup } from "./search.ts"
import { SharingGroup } from "./sharing.ts"
import { StreamsGroup } from "./streams.ts"
import { UnsubscribeGroup } from "./unsubscribe.ts"
import { UpcomingGroup } from "./upcoming.ts"
import { AutoClipsGroup, UserClipsGroup } from "./user-clips.ts"

/** The whole contract. What implements it is in src/http. */
export const Api = HttpApi.make("civic-record")
  .add(
    MetaGroup,
    BrowseGroup,
    MeetingsGroup,
    MeetingResourcesGroup,
    AgenciesGroup,
    PlacesGroup,
    SearchGroup,
    UpcomingGroup,
    SharingGroup,
    UserClipsGroup,
    AutoClipsGroup,
    EmailPrefsGroup,
    SavedSearchesGroup,
    UnsubscribeGroup,
    StreamsGroup,
    AuthGroup,
    AccountGroup
  )
  // Last, so outermost: it also sees the refusals of the other middleware.
  .middleware(SendsErrorHeaders)
  .annotateMerge(
    OpenApi.annotations({
      title: "Civic Record",
      summary: "A machine-readable record of civic meetings.",
      description: [
        "A read API for civic meetings, the public bodies that held them, and the places those bodies serve.",
        "",
        "Lists, profiles and searches answer an anonymous caller. A field with no value is omitted, never null; lists are always present. Instants are ISO 8601 in UTC, dates `YYYY-MM-DD`, offsets and durations seconds.",
        "",
        'Every error, on every route and for every cause, is `{ "error", "message", "hint" }`. Unknown query parameters are ignored. HEAD answers wherever GET does.',
        "",
        "Reads under `/api` are counted by client address (an IPv6 address by its /64): `RateLimit-Policy` and `RateLimit` say how many are left, and past the limit the answer is 429 with `Retry-After`."
      ].join("\n"),
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" }
    })
  )
