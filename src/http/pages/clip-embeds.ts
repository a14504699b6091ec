import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Environment } from "../../../layers/config/config.ts"
import { Signer } from "../../../layers/signer/signer.ts"
import { wholeNumber } from "../../../schema/browse-query.ts"
import type { WireError } from "../../api/errors/classes.ts"
import { clipFormatUnknown, noSuchObject, signatureRequired } from "../../api/errors/common.ts"
import { wire } from "../../failures/failures.ts"
import { Assets } from "../../pages/assets.ts"
import { embedDocument, noEmbedDocument } from "../../pages/embed.ts"
import { type ClipAddress, clipAt, oembedOf, oembedXml } from "../../pages/oembed.ts"
import { publishedClip, sharedClip } from "../../pages/parts/shown-clip.ts"
import { queryDecoder } from "../../pages/query.ts"
import { ClipWords } from "../../services/clips/clip-words.ts"
import { SharedClipNotFound, type UserClips } from "../../services/clips/user-clips.ts"
import { captionsPrefix, mediaTier } from "../../services/meetings/media-tier.ts"
import type { MeetingMedia } from "../../services/meetings/meeting-media.ts"
import type { Meetings } from "../../services/meetings/meetings.ts"
import { mediaSource } from "../media/hand-off.ts"
import { countingPublicReads } from "../middleware/public-reads.ts"
import { problemResponse } from "../problem.ts"
import { refusal } from "./page-route.ts"
import { framedPolicy, publicPage } from "./show.ts"

const pixels = Schema.optionalKey(wholeNumber(1, 10_000))
const decode = queryDecoder(
  Schema.Struct({ url: Schema.String, format: Schema.optionalKey(Schema.String), maxwidth: pixels, maxheight: pixels })
)

/**
 * A clip on other sites. `GET /embed/…`, before the path of a shared or a published clip, is the one page that may be
 * framed; `GET /oembed` describes it (oembed.com); `GET /captions/…` has the clip's words as WebVTT, and is opened by
 * the signature of its media. None looks at the viewer, so none sets a cookie.
 */
export const ClipEmbedRoutes = Layer.unwrap(
  Effect.gen(function* () {
    const services = yield* Effect.context<ClipWords | MeetingMedia | Meetings | UserClips>()
    const words = yield* ClipWords
    const signer = yield* Signer
    const assets = yield* Assets
    const { baseUrl } = yield* Environment
    const policy = framedPolicy(yield* mediaSource)
    const counted = yield* countingPublicReads

    const found = Effect.fnUntraced(
      function* (at: ClipAddress) {
        const clip = "slug" in at ? yield* sharedClip(at.slug) : yield* publishedClip(at.meeting, at.clip)
        return clip ?? (yield* new SharedClipNotFound())
      },
      Effect.mapError(() => new SharedClipNotFound()),
      Effect.provideContext(services)
    )

    const framed = (text: string, status: number) =>
      HttpServerResponse.text(text, {
        status,
        contentType: "text/html; charset=utf-8",
        headers: {
          "cache-control": "private, no-store",
          "content-security-policy": policy,
          "referrer-policy": "no-referrer",
          "x-robots-tag": "noindex"
        }
      })

    const embed = Effect.gen(function* () {
      const { slug, meeting = "", clip = "" } = yield* HttpRouter.params
      return yield* found(slug === undefined ? { meeting, clip } : { slug }).pipe(
        Effect.map((shown) => framed(embedDocument(shown, baseUrl, assets), 200)),
        Effect.catch(() => Effect.succeed(framed(noEmbedDocument(baseUrl, assets), 404)))
      )
    })

    const oembed = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const query = new URL(request.url, "http://localhost").searchParams
      const { url, format = "json", ...room } = yield* Effect.mapError(decode(query), (wrong) => refusal(wrong, query))
      if (format !== "json" && format !== "xml") return yield* Effect.fail(clipFormatUnknown(format))
      const clip = yield* Effect.mapError(found(clipAt(url, baseUrl) ?? { slug: "" }), wire)
      const video = oembedOf(clip, room, baseUrl)
      return HttpServerResponse.text(format === "xml" ? oembedXml(video) : JSON.stringify(video), {
        contentType: format === "xml" ? "text/xml; charset=utf-8" : "application/json",
        headers: { "cache-control": publicPage }
      })
    })

    // A signature is judged before anything looks whether the clip exists, as for its media.
    const captions = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { pathname, searchParams } = new URL(request.url, "http://localhost")
      const media = mediaTier(pathname.slice(captionsPrefix.length).replace(/vtt$/, "mp4"))
      if (media.tier !== 2 || (media.kind !== "clip" && media.kind !== "user_clip")) {
        return yield* Effect.fail(noSuchObject(request.url))
      }
      const sig = searchParams.get("sig")
      if (sig === null) return yield* Effect.fail(signatureRequired())
      yield* Effect.mapError(signer.verifyMedia(media.key, sig), wire)
      const vtt = yield* words.captions(media)
      if (vtt === undefined) return yield* Effect.fail(noSuchObject(request.url))
      return HttpServerResponse.text(vtt, {
        contentType: "text/vtt; charset=utf-8",
        headers: { "cache-control": "private, no-store" }
      })
    })

    const route = <R>(path: `/${string}`, answer: Effect.Effect<HttpServerResponse.HttpServerResponse, WireError, R>) =>
      HttpRouter.add(
        "GET",
        path,
        Effect.catch(Effect.andThen(counted, answer), (error: WireError) => Effect.succeed(problemResponse(error)))
      )
    return Layer.mergeAll(
      route("/embed/clips/:slug", embed),
      route("/embed/in/:place/:body/:meeting/clips/:clip", embed),
      route("/oembed", oembed),
      route(`${captionsPrefix}*`, captions)
    )
  })
)
