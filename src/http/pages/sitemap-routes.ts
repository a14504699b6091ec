import { Effect, Layer, Stream } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Environment } from "../../../layers/config/config.ts"
import type { WireError } from "../../api/errors/classes.ts"
import { noSuchRoute } from "../../api/errors/common.ts"
import { ownPages, sitemapEnd, sitemapEntries, sitemapIndex, sitemapStart } from "../../pages/feeds/sitemap.ts"
import { Sitemaps } from "../../services/directory/sitemaps.ts"
import { countingPublicReads } from "../middleware/public-reads.ts"
import { problemResponse } from "../problem.ts"
import { publicPage } from "./show.ts"

const contentType = "application/xml; charset=utf-8"

/**
 * `GET /sitemap.xml`, and the files that it names. A file is sent while it is read, a thousand addresses at a time, so
 * that neither its size nor a slow reader holds much memory or a database connection.
 */
export const SitemapRoutes = Layer.unwrap(
  Effect.gen(function* () {
    const sitemaps = yield* Sitemaps
    const { baseUrl } = yield* Environment
    const counted = yield* countingPublicReads

    const index = Effect.map(sitemaps.parts, (parts) =>
      HttpServerResponse.text(sitemapIndex(parts, baseUrl), { contentType, headers: { "cache-control": publicPage } })
    )
    const file = Effect.gen(function* () {
      const { n = "" } = yield* HttpRouter.params
      const part = /^[1-9]\d{0,5}$/.test(n) ? (yield* sitemaps.parts)[Number(n) - 1] : undefined
      if (part === undefined) return yield* Effect.fail(noSuchRoute(`/sitemaps/${n}.xml`))
      const text = Stream.concat(
        Stream.succeed(sitemapStart),
        Stream.concat(
          Stream.map(sitemaps.entries(part, ownPages), (entries) => sitemapEntries(entries, baseUrl)),
          Stream.succeed(sitemapEnd)
        )
      )
      return HttpServerResponse.stream(Stream.encodeText(text), {
        contentType,
        headers: { "cache-control": publicPage, etag: `W/"${part.entries}-${part.changed}"` }
      })
    })
    const route = <R>(path: `/${string}`, answer: Effect.Effect<HttpServerResponse.HttpServerResponse, WireError, R>) =>
      HttpRouter.add(
        "GET",
        path,
        Effect.catch(Effect.andThen(counted, answer), (error: WireError) => Effect.succeed(problemResponse(error)))
      )

    return Layer.mergeAll(route("/sitemap.xml", index), route("/sitemaps/:n.xml", file))
  })
)
