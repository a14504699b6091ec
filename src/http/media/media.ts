import { Clock, DateTime, Effect, Layer } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { SignatureInvalid, Signer } from "../../../layers/signer/signer.ts"
import { noSuchObject, signatureRequired } from "../../api/errors/common.ts"
import { wire } from "../../failures/failures.ts"
import { type MediaTier, mediaTier } from "../../services/meetings/media-tier.ts"
import { problemResponse } from "../problem.ts"
import type { MatchedRoute } from "../routes.ts"
import { sendingMedia } from "./hand-off.ts"

const prefix = "/api/media/"

const route = `${prefix}*` as const

/** The key as sent, undecoded; undefined if the path before it is not in the canonical spelling. */
const sentKey = (url: string): string | undefined =>
  url.startsWith(prefix) ? url.slice(prefix.length).split("?", 1)[0] : undefined

/**
 * Whether this requests an object of tier 3, which nothing opens (spec 4.5). A media address in any other spelling that
 * the router accepts, such as `/%61pi/media/...`, is in tier 3 too, and so is one that the router does not accept.
 */
export const isForbiddenMedia = (
  { method, url }: HttpServerRequest.HttpServerRequest,
  matched: MatchedRoute | undefined
): boolean => {
  const key = sentKey(url)
  const asksForMedia = key !== undefined || matched?.path === route
  return asksForMedia && (method === "GET" || method === "HEAD") && mediaTier(key ?? "").tier === 3
}

/** A caller's rights to an object, and how long a cache may store it. */
interface Pass {
  readonly download: boolean
  readonly cacheControl: string
  /** For how many seconds the signature of a visit is still good. */
  readonly left?: number
}

const dayInSeconds = 86_400

/** A poster is open, and rarely changes. */
const open: Pass = { download: false, cacheControl: `public, max-age=${dayInSeconds}` }

/** Decides by tier and signature alone, before anything checks whether the object exists (contract section 2). */
const passFor = Effect.fnUntraced(function* (
  signer: Signer["Service"],
  media: Exclude<MediaTier, { readonly tier: 3 }>,
  query: URLSearchParams
) {
  if (media.tier === 1) return open
  const [sig, eg] = [query.get("sig"), query.get("eg")]
  if (sig !== null) {
    const { download, expiresAt } = yield* Effect.mapError(signer.verifyMedia(media.key, sig), wire)
    const left = Math.floor((DateTime.toEpochMillis(expiresAt) - (yield* Clock.currentTimeMillis)) / 1000)
    return { download, cacheControl: `private, max-age=${left}`, left }
  }
  if (eg === null) return yield* Effect.fail(signatureRequired())
  if (media.kind !== "figure") return yield* Effect.fail(wire(new SignatureInvalid({ signedFor: "mailed_figure" })))
  yield* Effect.mapError(signer.verifyFigure(media.key, eg), wire)
  return { download: false, cacheControl: `private, max-age=${dayInSeconds}` }
})

/** What is long enough for the store to send; pictures and agendas keep this origin and its headers. */
const isRecording = (media: MediaTier): boolean =>
  media.tier === 2 && (media.kind === "rendition" || media.kind === "clip" || media.kind === "user_clip")

const fileName = (key: string): string => key.slice(key.lastIndexOf("/") + 1)

/**
 * `GET /api/media/{key}`: the bytes of one object, in ranges if requested (RFC 9110, sections 13 and 14), sent as they
 * are read. A client that goes away frees the file. Where `MEDIA_HANDOFF` says so, others send the bytes, after the
 * same checks.
 */
export const MediaRoute = Layer.unwrap(
  Effect.gen(function* () {
    const signer = yield* Signer
    const send = yield* sendingMedia

    const handle = Effect.fn("Media.get")(function* (request: HttpServerRequest.HttpServerRequest) {
      const media = mediaTier(sentKey(request.url) ?? "")
      // The edge has already refused tier 3.
      if (media.tier === 3) return yield* Effect.fail(noSuchObject(request.url))
      const { searchParams } = new URL(request.url, "http://localhost")
      const { download, cacheControl, left } = yield* passFor(signer, media, searchParams)
      return yield* send(request, media.key, {
        cacheControl,
        // A browser asks for further ranges where the first led it, so the store's address lives as long.
        seconds: left !== undefined && isRecording(media) ? Math.max(left, 1) : undefined,
        ...(download ? { downloadAs: fileName(media.key) } : {})
      })
    })

    return HttpRouter.add("GET", route, (request) =>
      Effect.catch(handle(request), (refusal) => Effect.succeed(problemResponse(refusal)))
    )
  })
)
