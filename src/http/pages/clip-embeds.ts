import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Environment } from "../../../layers/config/config.ts"
import { wholeNumber } from "../../../schema/browse-query.ts"
import { anonymous } from "../../../schema/viewer.ts"
import type { WireError } from "../../api/errors/classes.ts"
import { clipFormatUnknown } from "../../api/errors/common.ts"
import { wire } from "../../failures/failures.ts"
import { Assets } from "../../pages/assets.ts"
import { embedDocument, noEmbedDocument } from "../../pages/embed.ts"
import { clipAt, oembedOf, oembedXml } from "../../pages/oembed.ts"
import { queryDecoder } from "../../pages/query.ts"
import { SharedClipNotFound, UserClips } from "../../services/clips/user-clips.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { countingPublicReads } from "../middleware/public-reads.ts"
import { problemResponse } from "../problem.ts"
import { refusal } from "./page-route.ts"
import { framedPolicy, publicPage } from "./show.ts"

const pixels = Schema.optionalKey(wholeNumber(1, 10_000))
const decode = queryDecoder(
  Schema.Struct({ url: Schema.String, format: Schema.optionalKey(Schema.String), maxwidth: pixels, maxheight: pixels })
)

/**
 * `GET /embed/clips/{slug}`, the one page that other sites may show in a frame, and `GET /oembed`, which describes it
 * (oembed.com). Neither looks at the viewer, so neither sets a cookie.
 */
export const ClipEmbedRoutes = Layer.unwrap(
  Effect.gen(function* () {
    const clips = yield* UserClips
    const meetings = yield* Meetings
    const assets = yield* Assets
    const { baseUrl } = yield* Environment
    const counted = yield* countingPublicReads

    const found = Effect.fnUntraced(
      function* (slug: string) {
        const clip = yield* clips.shared(slug)
        return { slug, clip, meeting: yield* meetings.open(clip.meeting_id, anonymous) }
      },
      Effect.mapError(() => new SharedClipNotFound())
    )

    const framed = (text: string, status: number) =>
      HttpServerResponse.text(text, {
        status,
        contentType: "text/html; charset=utf-8",
        headers: {
          "cache-control": "private, no-store",
          "content-security-policy": framedPolicy,
          "referrer-policy": "no-referrer",
          "x-robots-tag": "noindex"
        }
      })

    const embed = Effect.gen(function* () {
      const { slug = "" } = yield* HttpRouter.params
      return yield* found(slug).pipe(
        Effect.flatMap(({ clip, meeting }) =>
          Effect.map(clips.words(slug), (turns) =>
            framed(embedDocument(clip, { meeting, turns, link: `${baseUrl}/clips/${slug}` }, assets), 200)
          )
        ),
        Effect.catch(() => Effect.succeed(framed(noEmbedDocument(baseUrl, assets), 404)))
      )
    })

    const oembed = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const query = new URL(request.url, "http://localhost").searchParams
      const { url, format = "json", ...room } = yield* Effect.mapError(decode(query), (wrong) => refusal(wrong, query))
      if (format !== "json" && format !== "xml") return yield* Effect.fail(clipFormatUnknown(format))
      const clip = yield* Effect.mapError(found(clipAt(url, baseUrl) ?? ""), wire)
      const video = oembedOf(clip, room, baseUrl)
      return HttpServerResponse.text(format === "xml" ? oembedXml(video) : JSON.stringify(video), {
        contentType: format === "xml" ? "text/xml; charset=utf-8" : "application/json",
        headers: { "cache-control": publicPage }
      })
    })

    const route = <R>(path: `/${string}`, answer: Effect.Effect<HttpServerResponse.HttpServerResponse, WireError, R>) =>
      HttpRouter.add(
        "GET",
        path,
        Effect.catch(Effect.andThen(counted, answer), (error: WireError) => Effect.succeed(problemResponse(error)))
      )
    return Layer.mergeAll(route("/embed/clips/:slug", embed), route("/oembed", oembed))
  })
)
