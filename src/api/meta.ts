import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ApiIndex, HealthReport, Version } from "../../schema/meta.ts"
import { Internal, InvalidRequest, Unavailable } from "./errors/classes.ts"
import { PublicRead } from "./middleware.ts"
import { Surface } from "./surface.ts"

const version = (name: "version" | "api_version", path: "/version" | "/api/version", identifier: string, of: string) =>
  HttpApiEndpoint.get(name, path, { success: Version, error: [InvalidRequest, Internal] }).annotateMerge(
    OpenApi.annotations({
      identifier,
      summary: `Get the build of ${of}`,
      description: `Returns which build of ${of} is running, its commit if known, and when it started.`
    })
  )

/** Spec 4.1. Health and version are for machines that monitor the service, so they are never cached. */
export const MetaGroup = HttpApiGroup.make("meta")
  .add(
    HttpApiEndpoint.get("health", "/health", {
      success: HealthReport,
      error: [InvalidRequest, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getHealth",
        summary: "Check liveness",
        description: "Returns 200 while the process is running and its database responds, otherwise 503."
      })
    ),
    HttpApiEndpoint.get("ready", "/health/ready", {
      success: HealthReport,
      error: [InvalidRequest, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getReadiness",
        summary: "Check readiness",
        description:
          "Returns 200 once the database responds and its schema matches this build, and 503 until then and while the process is about to stop."
      })
    ),
    version("version", "/version", "getVersion", "the service"),
    version("api_version", "/api/version", "getApiVersion", "the API").middleware(PublicRead),
    HttpApiEndpoint.get("index", "/api", { success: ApiIndex, error: [InvalidRequest, Internal] })
      .annotate(Surface, "public")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getIndex",
          summary: "Find out where to start",
          description:
            "Returns links to this specification, to the documentation for people and to the endpoints to start from."
        })
      )
      .middleware(PublicRead)
  )
  .annotate(Surface, "uncached")
  .annotateMerge(OpenApi.annotations({ title: "Meta", description: "The service itself: health, version, index." }))
