import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ApiIndex, HealthReport, Version } from "../../schema/meta.ts"
import { Internal, InvalidRequest, Unavailable } from "./errors/classes.ts"
import { PublicRead } from "./middleware.ts"
import { Surface } from "./surface.ts"

const version = (name: "version" | "api_version", path: "/version" | "/api/version", identifier: string, of: string) =>
  HttpApiEndpoint.get(name, path, { success: Version, error: [InvalidRequest, Internal] }).annotateMerge(
    OpenApi.annotations({
      identifier,
      summary: `The build of ${of}`,
      description: `Which build of ${of} is running, from which commit where that is known, and since when.`
    })
  )

/** Spec 4.1. Health and version are for machines that watch the service: never cached, never counted. */
export const MetaGroup = HttpApiGroup.make("meta")
  .add(
    HttpApiEndpoint.get("health", "/health", {
      success: HealthReport,
      error: [InvalidRequest, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getHealth",
        summary: "Liveness",
        description: "Answers 200 while the process runs and its database answers, and 503 while it does not."
      })
    ),
    HttpApiEndpoint.get("ready", "/health/ready", {
      success: HealthReport,
      error: [InvalidRequest, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getReadiness",
        summary: "Readiness",
        description: "Answers 200 once the database answers and its schema is this build's, and 503 until then."
      })
    ),
    version("version", "/version", "getVersion", "the service"),
    version("api_version", "/api/version", "getApiVersion", "the API").middleware(PublicRead),
    HttpApiEndpoint.get("index", "/api", { success: ApiIndex, error: [InvalidRequest, Internal] })
      .annotate(Surface, "public")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getIndex",
          summary: "Where to start",
          description: "Pointers to this specification, to the prose documentation and to the endpoints to start from."
        })
      )
      .middleware(PublicRead)
  )
  .annotate(Surface, "uncached")
  .annotateMerge(OpenApi.annotations({ title: "Meta", description: "The service itself: health, version, index." }))
