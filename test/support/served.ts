import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Logger, Option, References, Tracer } from "effect"
import { HttpServer } from "effect/http"
import { type Configuration, Environment, readEnvironment } from "../../layers/config/config.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { RateLimits } from "../../layers/rate-limits.ts"
import { Signer } from "../../layers/signer/signer.ts"
import { examples } from "../../src/api/examples/index.ts"
import { Build } from "../../src/http/build.ts"
import { nodeServer } from "../../src/http/node-server.ts"
import { HttpLive, serveRoutes } from "../../src/http/server.ts"
import { AccountExport } from "../../src/services/accounts/account-export.ts"
import { Accounts } from "../../src/services/accounts/accounts.ts"
import { CalendarAddresses } from "../../src/services/accounts/calendar-addresses.ts"
import { EmailChanges } from "../../src/services/accounts/email-changes.ts"
import { EmailPrefs } from "../../src/services/accounts/email-prefs.ts"
import { Follows } from "../../src/services/accounts/follows.ts"
import { MistakeReports } from "../../src/services/accounts/mistake-reports.ts"
import { Passwords } from "../../src/services/accounts/passwords.ts"
import { ReaderTokens } from "../../src/services/accounts/reader-tokens.ts"
import { SavedSearches } from "../../src/services/accounts/saved-searches.ts"
import { Sessions } from "../../src/services/accounts/sessions.ts"
import { Shares } from "../../src/services/accounts/shares.ts"
import { SignIns } from "../../src/services/accounts/sign-ins.ts"
import { Visits } from "../../src/services/accounts/visits.ts"
import { AutoClips } from "../../src/services/clips/auto-clips.ts"
import { ClipCounters } from "../../src/services/clips/clip-counters.ts"
import { ClipWords } from "../../src/services/clips/clip-words.ts"
import { UserClips } from "../../src/services/clips/user-clips.ts"
import { Calendars } from "../../src/services/directory/calendars.ts"
import { Directory } from "../../src/services/directory/directory.ts"
import { Locations } from "../../src/services/directory/locations.ts"
import { News } from "../../src/services/directory/news.ts"
import { Sitemaps } from "../../src/services/directory/sitemaps.ts"
import { Upcoming } from "../../src/services/directory/upcoming.ts"
import {
  agencyNotFound,
  documentNotFound,
  locationNotFound,
  matterNotFound,
  meetingNotFound,
  personNotFound,
  placeNotFound
} from "../../src/services/failures.ts"
import { Feed } from "../../src/services/feed/feed.ts"
import { RecordRevision } from "../../src/services/feed/record-revision.ts"
import { Costs } from "../../src/services/making/costs.ts"
import { Briefings } from "../../src/services/meetings/briefings.ts"
import { Documents } from "../../src/services/meetings/documents.ts"
import { MeetingMedia } from "../../src/services/meetings/meeting-media.ts"
import { Meetings } from "../../src/services/meetings/meetings.ts"
import { Summaries } from "../../src/services/meetings/summaries.ts"
import { Transcripts } from "../../src/services/meetings/transcripts.ts"
import { AgentDirectory } from "../../src/services/operators/agent-directory.ts"
import { AgentTokens } from "../../src/services/operators/agent-tokens.ts"
import { Drills } from "../../src/services/operators/drills.ts"
import { Health } from "../../src/services/operators/health.ts"
import { Issues } from "../../src/services/operators/issues.ts"
import { MeetingList } from "../../src/services/operators/meeting-list.ts"
import { MeetingView } from "../../src/services/operators/meeting-view.ts"
import { Completion } from "../../src/services/operators/runs/completion.ts"
import { Matters } from "../../src/services/people/matters.ts"
import { People } from "../../src/services/people/people.ts"
import { Said } from "../../src/services/people/said.ts"
import { Votes } from "../../src/services/people/votes.ts"
import { PipelineLog } from "../../src/services/queue/pipeline-log.ts"
import { Work } from "../../src/services/queue/work.ts"
import { Browse } from "../../src/services/search/browse.ts"
import { QuoteChecks } from "../../src/services/search/quotes/quote-check.ts"
import { Quotes } from "../../src/services/search/quotes/quotes.ts"
import { Trends } from "../../src/services/search/trends.ts"
import { SettingFamilies } from "../../src/services/settings/setting-families.ts"
import { Sources } from "../../src/services/sources/sources.ts"
import { fakeIdentity } from "../layers/fake-identity.ts"

/** A record of one council, made from the examples in the specification. */
export const fakeRecord = Layer.mergeAll(
  Layer.mock(Health)({ live: Effect.succeed(examples.getHealth), ready: Effect.succeed(examples.getReadiness) }),
  Layer.mock(Meetings)({
    cards: () => Effect.succeed([]),
    resolve: (ref) =>
      ref.startsWith("3f2b8c1e") ? Effect.succeed(examples.getMeeting.id) : Effect.fail(meetingNotFound(ref)),
    open: (ref) =>
      ref.startsWith("3f2b8c1e") ? Effect.succeed(examples.getMeeting) : Effect.fail(meetingNotFound(ref))
  }),
  Layer.mock(Browse)({
    search: (query) =>
      Effect.succeed({ ...examples.browseMeetings, total: 95, page: query.page ?? 1, page_size: query.page_size ?? 20 })
  }),
  Layer.mock(People)({
    list: () => Effect.succeed(examples.listPeople),
    person: (slug) =>
      slug === examples.getPerson.slug ? Effect.succeed(examples.getPerson) : Effect.fail(personNotFound(slug))
  }),
  Layer.mock(Matters)({
    list: () => Effect.succeed(examples.listMatters),
    matter: (slug) =>
      slug === examples.getMatter.slug ? Effect.succeed(examples.getMatter) : Effect.fail(matterNotFound(slug))
  }),
  Layer.mock(Documents)({
    ofMeeting: () => Effect.succeed(examples.listDocuments),
    document: (id) =>
      id === examples.getDocument.id ? Effect.succeed(examples.getDocument) : Effect.fail(documentNotFound(id)),
    text: (id) =>
      id === examples.getDocument.id ? Effect.succeed(examples.getDocumentText) : Effect.fail(documentNotFound(id))
  }),
  Layer.mock(Votes)({
    ofMeeting: () => Effect.succeed(examples.listVotes),
    ofPerson: () => Effect.succeed(examples.listPersonVotes)
  }),
  Layer.mock(Said)({
    byPerson: () => Effect.succeed(examples.listPersonSaid)
  }),
  Layer.mock(Directory)({
    agencies: Effect.succeed(examples.listAgencies),
    holding: Effect.succeed(examples.listAgencies.agencies.length),
    arrivals: Effect.succeed([]),
    agency: (slug) =>
      slug === "springfield-city-council" ? Effect.succeed(examples.getAgency) : Effect.fail(agencyNotFound(slug)),
    places: Effect.succeed(examples.listPlaces),
    place: (slug) => (slug === "springfield" ? Effect.succeed(examples.getPlace) : Effect.fail(placeNotFound(slug))),
    agencyAt: (_, segment) =>
      segment === "city-council" ? Effect.succeed(examples.getAgencyAt) : Effect.fail(agencyNotFound(segment))
  }),
  Layer.mock(Locations)({
    search: () => Effect.succeed(examples.searchLocations),
    match: () => Effect.succeed(examples.matchGeo),
    suggest: (_q, session = examples.suggestGeo.session) => Effect.succeed({ ...examples.suggestGeo, session }),
    resolve: (id) => (id === "zip:62701" ? Effect.succeed(examples.resolveGeo) : Effect.fail(locationNotFound(id)))
  }),
  Layer.mergeAll(
    Layer.mock(AutoClips)({}),
    Layer.mock(Briefings)({}),
    Layer.mock(CalendarAddresses)({}),
    Layer.mock(Calendars)({}),
    Layer.mock(ClipCounters)({}),
    Layer.mock(EmailPrefs)({}),
    Layer.mock(SavedSearches)({}),
    Layer.mock(Feed)({}),
    Layer.mock(RecordRevision)({ current: Effect.succeed("1") }),
    Layer.mock(Sitemaps)({}),
    Layer.mock(Summaries)({}),
    Layer.mock(QuoteChecks)({ check: () => Effect.succeed(examples.checkQuote) }),
    Layer.mock(Quotes)({}),
    Layer.mock(Trends)({ read: () => Effect.succeed(examples.readTrends) }),
    Layer.mock(Visits)({}),
    Layer.mock(News)({}),
    Layer.mock(MistakeReports)({}),
    Layer.mock(ReaderTokens)({}),
    Layer.mock(Transcripts)({}),
    Layer.mock(ClipWords)({}),
    Layer.mock(UserClips)({}),
    Layer.mock(MeetingMedia)({})
  ),
  Layer.mergeAll(
    Layer.mock(AccountExport)({}),
    Layer.mock(Accounts)({}),
    Layer.mock(EmailChanges)({}),
    Layer.mock(Follows)({}),
    Layer.mock(Passwords)({}),
    Layer.mock(SignIns)({}),
    fakeIdentity
  ),
  Layer.mergeAll(
    Layer.mock(AgentDirectory)({}),
    Layer.mock(AgentTokens)({ holder: () => Effect.succeed(Option.none()) }),
    Layer.mock(Completion)({}),
    Layer.mock(Costs)({}),
    Layer.mock(Drills)({}),
    Layer.mock(Issues)({}),
    Layer.mock(MeetingList)({}),
    Layer.mock(MeetingView)({}),
    Layer.mock(PipelineLog)({}),
    Layer.mock(SettingFamilies)({ families: [] }),
    Layer.mock(Sources)({}),
    Layer.mock(Work)({})
  ),
  Layer.mock(ObjectStore)({ head: () => Effect.succeed(Option.none()) }),
  Layer.mock(Signer)({}),
  Layer.mock(Sessions)({ reader: () => Effect.succeed(Option.none()) }),
  Layer.mock(Shares)({ ofToken: () => Effect.succeed(Option.none()), ofCookie: () => Effect.succeed(Option.none()) }),
  Layer.mock(Upcoming)({
    list: () => Effect.succeed({ list: examples.listUpcoming, bodies: 1, page: 1, pageSize: 200 }),
    calendar: () => {
      const meetings = examples.listUpcoming.bodies.flatMap(({ meetings }) => meetings)
      return Effect.succeed({ meetings, total: meetings.length, cancelled: 0, withinDays: 30 })
    },
    ofAgency: (slug) =>
      slug === "springfield-city-council"
        ? Effect.succeed(examples.listUpcomingOfAgency)
        : Effect.fail(agencyNotFound(slug))
  })
)

const settings = Effect.runSync(
  readEnvironment({
    BASE_URL: "https://record.example.gov",
    SIGNING_KEYS: `t1:${Buffer.alloc(32, 7).toString("base64url")}`,
    LOCAL_IDENTITY_PORT: "0"
  })
)

/** One log line as written. */
interface Line {
  readonly level: string
  readonly message: unknown
  readonly annotations: Readonly<Record<string, unknown>>
}

interface Overrides<E, R> {
  readonly settings?: Partial<Configuration>
  readonly record?: typeof fakeRecord
  readonly routes?: Layer.Layer<never, E, R>
  readonly tracer?: Tracer.Tracer
}

/** A server on its own port, until the scope closes: its address, and its log. */
export const served = Effect.fnUntraced(function* <E = never, R = never>(overrides: Overrides<E, R> = {}) {
  const lines: Array<Line> = []
  const logger = Logger.make(({ fiber, logLevel, message }) => {
    lines.push({ level: logLevel, message, annotations: fiber.getRef(References.CurrentLogAnnotations) })
  })
  const context = yield* Layer.build(
    serveRoutes(overrides.routes === undefined ? HttpLive : Layer.mergeAll(HttpLive, overrides.routes)).pipe(
      Layer.provide(Build.layer),
      Layer.provide(overrides.record ?? fakeRecord),
      Layer.provide(RateLimits.layerMemory),
      Layer.provideMerge(nodeServer({ host: "127.0.0.1", port: 0 })),
      Layer.provide(Layer.succeed(Environment, { ...settings, ...overrides.settings })),
      Layer.provide(NodeHttpServer.layerHttpServices),
      Layer.provide(Logger.layer([logger])),
      Layer.provide(overrides.tracer === undefined ? Layer.empty : Layer.succeed(Tracer.Tracer, overrides.tracer))
    )
  )
  const address = yield* HttpServer.HttpServer.use(({ address }) => Effect.succeed(address)).pipe(
    Effect.provide(context)
  )
  const port = "port" in address ? address.port : 0
  return { port, base: `http://127.0.0.1:${port}`, lines }
})
