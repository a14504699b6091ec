import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import { HttpMiddleware, HttpRouter, UrlParams } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Environment } from "../../layers/config/config.ts"
import { Api } from "../api/api.ts"
import { Assets } from "../pages/assets.ts"
import { Build } from "./build.ts"
import { CachesResponsesLive } from "./cache/caches-responses.ts"
import { ResponseCache } from "./cache/response-cache.ts"
import { EdgeLive } from "./edge.ts"
import { hasPlainQuery } from "./exchange.ts"
import { AccountLive } from "./handlers/account.ts"
import { AgenciesLive } from "./handlers/agencies.ts"
import { AgentCompletionLive } from "./handlers/agent/completion.ts"
import { AgentOverviewLive } from "./handlers/agent/overview.ts"
import { AgentRecordLive } from "./handlers/agent/record.ts"
import { AuthLive } from "./handlers/auth.ts"
import { BrowseLive } from "./handlers/browse.ts"
import { CalendarLive } from "./handlers/calendar.ts"
import { DocumentsLive } from "./handlers/documents.ts"
import { DrillsLive } from "./handlers/drills.ts"
import { EmailPrefsLive } from "./handlers/email-prefs.ts"
import { MeetingResourcesLive } from "./handlers/meeting-resources.ts"
import { MeetingsLive } from "./handlers/meetings.ts"
import { MetaLive } from "./handlers/meta.ts"
import { MistakesLive } from "./handlers/mistakes.ts"
import { PeopleLive } from "./handlers/people.ts"
import { PlacesLive } from "./handlers/places.ts"
import { QuotesLive } from "./handlers/quotes.ts"
import { SavedSearchesLive } from "./handlers/saved-searches.ts"
import { SearchLive } from "./handlers/search.ts"
import { SharingLive } from "./handlers/sharing.ts"
import { EndsStreams, StreamsLive } from "./handlers/streams.ts"
import { TrendsLive } from "./handlers/trends.ts"
import { UnsubscribeLive } from "./handlers/unsubscribe.ts"
import { UpcomingLive } from "./handlers/upcoming.ts"
import { UserClipsLive } from "./handlers/user-clips.ts"
import { McpRoute } from "./mcp/mcp.ts"
import { MediaRoute } from "./media/media.ts"
import { AccessLive } from "./middleware/access.ts"
import { AgentAccessLive } from "./middleware/agent-access.ts"
import { NamesBadFieldsLive } from "./middleware/bad-fields.ts"
import { SendsErrorHeadersLive } from "./middleware/error-headers.ts"
import { PublicReadLive } from "./middleware/public-reads.ts"
import { drainedFirst, nodeServer } from "./node-server.ts"
import { ApiDocumentLive, OpenApiRoute } from "./openapi/openapi.ts"
import { AccountRoutes } from "./pages/account/account-routes.ts"
import { AssetsRoute } from "./pages/assets-route.ts"
import { ClipEmbedRoutes } from "./pages/clip-embeds.ts"
import { DiscoveryRoutes } from "./pages/discovery.ts"
import { FeedRoutes } from "./pages/feed-routes.ts"
import { OwnCalendarRoute } from "./pages/own-calendar-route.ts"
import { PageRoutes } from "./pages/pages.ts"
import { SharedClipRoute } from "./pages/shared-clip-page.ts"
import { SignInRoute } from "./pages/sign-in-page.ts"
import { SitemapRoutes } from "./pages/sitemap-routes.ts"
import { Routes, recordingRouter, routerConfig } from "./routes.ts"

const Handlers = Layer.mergeAll(
  AccountLive,
  AgentCompletionLive,
  AgentOverviewLive,
  AgentRecordLive,
  AuthLive,
  MetaLive,
  BrowseLive,
  MeetingsLive,
  MeetingResourcesLive,
  MistakesLive,
  AgenciesLive,
  DocumentsLive,
  PeopleLive,
  PlacesLive,
  SearchLive,
  QuotesLive,
  TrendsLive,
  SharingLive,
  CalendarLive,
  DrillsLive,
  EmailPrefsLive,
  SavedSearchesLive,
  UnsubscribeLive,
  StreamsLive,
  UpcomingLive,
  UserClipsLive
).pipe(
  Layer.provide([
    AccessLive,
    AgentAccessLive,
    CachesResponsesLive,
    NamesBadFieldsLive,
    PublicReadLive,
    SendsErrorHeadersLive
  ])
)

/** Every route of the service; further surfaces are added here. */
export const HttpLive = Layer.mergeAll(
  HttpApiBuilder.layer(Api).pipe(Layer.provide(Handlers)),
  MediaRoute,
  McpRoute,
  OpenApiRoute,
  PageRoutes,
  FeedRoutes,
  OwnCalendarRoute,
  AccountRoutes,
  DiscoveryRoutes,
  AssetsRoute,
  SharedClipRoute,
  ClipEmbedRoutes,
  SignInRoute,
  SitemapRoutes
).pipe(Layer.provide(ApiDocumentLive))

/**
 * Credentials that travel in a query: share grant, media signature, a mailed figure's grant, unsubscribe link, sign-in
 * code.
 */
const secretParameters = ["st", "sig", "eg", "t", "code", "state", "access_token"]

/** A request's span is named after its route, and contains no secret. */
const spans = Layer.mergeAll(
  Layer.effect(
    HttpMiddleware.SpanNameGenerator,
    Effect.map(
      Routes,
      (routes) => (request) => `${request.method} ${routes.match(request.method, request.url)?.path ?? "unknown route"}`
    )
  ),
  // Only query parameters are redacted: a target that hides a secret elsewhere has no span.
  Layer.succeed(HttpMiddleware.TracerDisabledWhen, ({ url }) => !hasPlainQuery(url)),
  Layer.effect(
    UrlParams.CurrentRedactedNames,
    Effect.map(UrlParams.CurrentRedactedNames, (names) => [...names, ...secretParameters])
  )
)

/** Serves routes behind the edge, on the `HttpServer` that is provided. */
export const serveRoutes = <E, R>(routes: Layer.Layer<never, E, R>) =>
  HttpRouter.serve(Layer.mergeAll(routes, EdgeLive).pipe(Layer.provide(recordingRouter)), {
    routerConfig,
    disableLogger: true,
    disableListenLog: true
  }).pipe(Layer.provide(spans), Layer.provide([Routes.layer, Assets.layer, ResponseCache.layer]))

/**
 * The public server on `HOST` and `PORT`. Provides `HttpServer`, whose address is the one that was bound. To stop, it
 * drains, refuses new connections, gives requests in progress five seconds to finish, and closes the rest.
 */
export const ServerLive = drainedFirst(Layer.provide(EndsStreams, serveRoutes(HttpLive))).pipe(
  Layer.provide(Build.layer),
  Layer.provideMerge(
    Layer.unwrap(Effect.map(Environment, ({ host, port }) => nodeServer({ host, port }))).pipe(
      Layer.provideMerge(NodeHttpServer.layerHttpServices)
    )
  )
)
