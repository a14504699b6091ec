import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, type Redacted } from "effect"
import { HttpServer, HttpServerRequest } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { RateLimits } from "../../layers/rate-limits.ts"
import { AccountId, MeetingId } from "../../schema/primitives.ts"
import { anonymous, type Viewer } from "../../schema/viewer.ts"
import { Access, CurrentViewer } from "../../src/api/access.ts"
import { StreamsGroup } from "../../src/api/streams.ts"
import { EndsStreams, StreamsLive } from "../../src/http/handlers/streams.ts"
import { NamesBadFieldsLive } from "../../src/http/middleware/bad-fields.ts"
import { SendsErrorHeadersLive } from "../../src/http/middleware/error-headers.ts"
import { PublicReadLive } from "../../src/http/middleware/public-reads.ts"
import { nodeServer } from "../../src/http/node-server.ts"
import { serveRoutes } from "../../src/http/server.ts"
import { Locations } from "../../src/services/directory/locations.ts"
import { Feed } from "../../src/services/feed/feed.ts"
import { RecordRevision } from "../../src/services/feed/record-revision.ts"
import { Meetings } from "../../src/services/meetings/meetings.ts"
import { databaseAt } from "./database.ts"

/** The header `x-test-viewer` identifies the caller: `reader`, or `holder` and the id of a meeting. */
const viewerOf = (asked: string | undefined): Viewer => {
  const [kind, meeting = ""] = asked?.split(" ") ?? []
  return kind === "reader"
    ? { _tag: "Reader", accountId: AccountId.make("5f1a3f0e-35a4-4b6e-9a55-1d2f0c7b8e11") }
    : kind === "holder"
      ? { _tag: "ShareHolder", meetingId: MeetingId.make(meeting) }
      : anonymous
}

const AccessAsSaid = Layer.succeed(Access, (handler) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    Effect.provideService(handler, CurrentViewer, viewerOf(headers["x-test-viewer"]))
  )
)

/** A part of the whole contract, under its name. */
const StreamsApi = HttpApi.make("civic-record").add(StreamsGroup)

/** The streams alone, behind the real edge, on their own port; with the feed and the database that they read. */
export const streamsServer = (database: Redacted.Redacted, streamLimit = "100000") =>
  EndsStreams.pipe(
    Layer.provide(
      serveRoutes(
        HttpApiBuilder.layer(StreamsApi).pipe(
          Layer.provide(
            StreamsLive.pipe(Layer.provide([AccessAsSaid, NamesBadFieldsLive, PublicReadLive, SendsErrorHeadersLive]))
          )
        )
      )
    ),
    Layer.provide(RateLimits.layerMemory),
    Layer.provideMerge(nodeServer({ host: "127.0.0.1", port: 0 })),
    Layer.provideMerge(Layer.mergeAll(Feed.layer, Meetings.layer)),
    Layer.provide([Layer.mock(Locations)({}), Layer.mock(ObjectStore)({}), Layer.mock(RecordRevision)({})]),
    Layer.provideMerge(databaseAt(database)),
    Layer.provide(
      Layer.effect(Environment, readEnvironment({ PUBLIC_READ_LIMIT: "1000000", STREAM_LIMIT: streamLimit }))
    ),
    Layer.provide(NodeHttpServer.layerHttpServices)
  )

/** The address of the server. */
export const addressOf = HttpServer.HttpServer.use(({ address }) =>
  Effect.succeed(`http://127.0.0.1:${"port" in address ? address.port : 0}`)
)
