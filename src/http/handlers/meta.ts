import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Environment } from "../../../layers/config/config.ts"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { Health } from "../../services/operators/health.ts"
import { Build } from "../build.ts"

const startHere = [
  ["/api/meetings/browse", "Search and browse held meetings"],
  ["/api/upcoming", "Upcoming meetings"],
  ["/api/agencies", "All bodies"],
  ["/api/places", "All places"],
  ["/api/search/locations", "Find a place or a body by name, address or ZIP"]
] as const

export const MetaLive = HttpApiBuilder.group(
  Api,
  "meta",
  Effect.fnUntraced(function* (handlers) {
    const health = yield* Health
    const { baseUrl } = yield* Environment
    const build = yield* Build
    const version = Effect.succeed({
      build: build.id,
      ...(build.commit === undefined ? {} : { commit: build.commit }),
      started_at: build.startedAt
    })
    return handlers.handleAll({
      health: () => health.live,
      ready: () => Effect.mapError(health.ready, wire),
      version: () => version,
      api_version: () => version,
      index: () =>
        Effect.succeed({
          name: "Civic Record",
          version: build.id,
          specification: `${baseUrl}/openapi.json`,
          documentation: `${baseUrl}/developers`,
          start_here: startHere.map(([path, title]) => ({ href: `${baseUrl}${path}`, title }))
        })
    })
  })
)
