import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Environment } from "../../../layers/config.ts"
import { Api } from "../../api/api.ts"
import { notReady } from "../../api/errors/common.ts"
import { Health } from "../../services/operations/health.ts"
import { Build } from "../build.ts"
import { problemResponse, retryAfterSeconds } from "../problem.ts"

const startHere = [
  ["/api/meetings/browse", "Search and browse held meetings"],
  ["/api/upcoming", "Upcoming meetings"],
  ["/api/agencies", "All bodies"],
  ["/api/places", "All places"],
  ["/api/search/locations", "Find a place or a body by name, address or ZIP"]
] as const

const waiting = problemResponse(notReady(retryAfterSeconds), { "retry-after": String(retryAfterSeconds) })

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
      ready: () =>
        Effect.map(health.ready, (isReady) => (isReady ? ({ status: "ok", database: "ok" } as const) : waiting)),
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
