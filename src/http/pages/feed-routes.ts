import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { WireError } from "../../api/errors/classes.ts"
import { loadBodyFeed, loadBrowseFeed, loadPlaceFeed } from "../../pages/feeds/browse-feed.ts"
import { loadBodyCalendar, loadPlaceCalendar } from "../../pages/feeds/calendar.ts"
import type { LoadFile } from "../../pages/feeds/feed-file.ts"
import { loadMatterFeed, loadPersonFeed } from "../../pages/feeds/who-feeds.ts"
import { loadMatterPicture, loadMeetingPicture } from "../../pages/pictures/share-pictures.ts"
import { loadTrendsTable } from "../../pages/trends/trends-csv.ts"
import { cachedResponses } from "../cache/cached-response.ts"
import { countingPublicReads } from "../middleware/public-reads.ts"
import { problemResponse } from "../problem.ts"
import { refusal } from "./page-route.ts"
import { publicPage, redirect } from "./show.ts"

/**
 * One file at its address: counted as a public read, the same for every viewer and so cached, with errors in the one
 * error shape.
 */
const feedRoute = <R>(path: `/${string}`, load: LoadFile<R>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const services = yield* Effect.context<R>()
      const counted = yield* countingPublicReads
      const respond = yield* cachedResponses<WireError>()

      const answer = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const params = yield* HttpRouter.params
        const query = new URL(request.url, "http://localhost").searchParams
        const found = yield* load({ params, query }).pipe(
          Effect.provideContext(services),
          Effect.mapError((failure) => refusal(failure, query))
        )
        if ("movedTo" in found) return redirect(request, found.movedTo)
        const { text, contentType } = found
        const options = { contentType, headers: { "cache-control": publicPage } }
        return typeof text === "string"
          ? HttpServerResponse.text(text, options)
          : HttpServerResponse.uint8Array(text, options)
      })
      const cached = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
        respond({ until: "minute", target: url }, answer)
      )
      return HttpRouter.add(
        "GET",
        path,
        Effect.catch(Effect.andThen(counted, cached), (error: WireError) => Effect.succeed(problemResponse(error)))
      )
    })
  )

/** Feeds, calendars and pictures, each beside the page it belongs to. */
export const FeedRoutes = Layer.mergeAll(
  feedRoute("/browse.atom", loadBrowseFeed),
  feedRoute("/trends.csv", loadTrendsTable),
  feedRoute("/in/:place.atom", loadPlaceFeed),
  feedRoute("/in/:place/:body.atom", loadBodyFeed),
  feedRoute("/in/:place/matters/:slug.atom", loadMatterFeed("atom")),
  feedRoute("/in/:place/matters/:slug.json", loadMatterFeed("json")),
  feedRoute("/people/:slug.atom", loadPersonFeed("atom")),
  feedRoute("/people/:slug.json", loadPersonFeed("json")),
  feedRoute("/in/:place/matters/:slug.png", loadMatterPicture),
  feedRoute("/in/:place/:body/:meeting.png", loadMeetingPicture),
  feedRoute("/in/:place.ics", loadPlaceCalendar),
  feedRoute("/in/:place/:body.ics", loadBodyCalendar)
)
