import { Clock, DateTime, Effect, Layer, Option } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { ObjectStore, type OpenObject } from "../../layers/object-store.ts"
import { Signer } from "../../layers/signer.ts"
import {
  invalidRequest,
  noSuchObject,
  rangeNotSatisfiable,
  signatureExpired,
  signatureInvalid,
  signatureRequired
} from "../api/errors.ts"
import { type MediaTier, mediaTier } from "../services/media-tier.ts"
import { problemResponse } from "./problem.ts"
import { type RangeSelection, selectRange } from "./range.ts"

const prefix = "/api/media/"

/** The key as it was sent, not decoded; undefined for any other path. */
const sentKey = (url: string): string | undefined =>
  url.startsWith(prefix) ? url.slice(prefix.length).split("?", 1)[0] : undefined

/** Whether this asks for an object of tier 3, which nothing opens (spec 4.5). */
export const isForbiddenMedia = ({ method, url }: HttpServerRequest.HttpServerRequest): boolean => {
  const key = sentKey(url)
  return key !== undefined && (method === "GET" || method === "HEAD") && mediaTier(key).tier === 3
}

/** What a caller may do with an object, and for how long a cache may keep it. */
interface Pass {
  readonly download: boolean
  readonly cacheControl: string
}

const dayInSeconds = 86_400

/** A poster is open, and is not expected to change. */
const open: Pass = { download: false, cacheControl: `public, max-age=${dayInSeconds}` }

/** Decides by tier and signature alone, before anyone looks whether there is such an object (contract section 2). */
const passFor = Effect.fnUntraced(function* (
  signer: Signer["Service"],
  media: Exclude<MediaTier, { readonly tier: 3 }>,
  query: URLSearchParams
) {
  if (media.tier === 1) return open
  const [sig, eg] = [query.get("sig"), query.get("eg")]
  if (sig !== null) {
    const { download, expiresAt } = yield* signer
      .verifyMedia(media.key, sig)
      .pipe(
        Effect.mapError((failure) => (failure._tag === "SignatureExpired" ? signatureExpired() : signatureInvalid()))
      )
    const left = Math.floor((DateTime.toEpochMillis(expiresAt) - (yield* Clock.currentTimeMillis)) / 1000)
    return { download, cacheControl: `private, max-age=${left}` }
  }
  if (eg === null) return yield* Effect.fail(signatureRequired())
  if (media.kind !== "figure") return yield* Effect.fail(signatureInvalid())
  yield* Effect.mapError(signer.verifyFigure(media.key, eg), signatureInvalid)
  return { download: false, cacheControl: `private, max-age=${dayInSeconds}` }
})

const anotherVersion = invalidRequest(
  "If-Match or If-Unmodified-Since",
  "is of another version of this object",
  "Ask for it without conditions, and go by the ETag that comes with it."
)

const fileName = (key: string): string => key.slice(key.lastIndexOf("/") + 1)

/** What is sent of the object: its headers, and which bytes of it, if any. */
const answer = (
  object: OpenObject,
  selected: RangeSelection,
  headers: Readonly<Record<string, string>>
): HttpServerResponse.HttpServerResponse => {
  const size = object.bytes
  switch (selected.status) {
    case 304:
      return HttpServerResponse.empty({ status: 304, headers })
    case 412:
      return HttpServerResponse.setStatus(problemResponse(anotherVersion), 412)
    case 416:
      return problemResponse(rangeNotSatisfiable(size), { "content-range": selected.contentRange })
    case 206:
      return HttpServerResponse.stream(object.bytesFrom(selected.start, selected.end), {
        status: 206,
        headers: { ...headers, "content-range": selected.contentRange },
        contentType: headers["content-type"],
        contentLength: selected.end - selected.start + 1
      })
    case 200:
      return HttpServerResponse.stream(object.bytesFrom(0, size - 1), {
        headers,
        contentType: headers["content-type"],
        contentLength: size
      })
  }
}

/**
 * `GET /api/media/{key}`: bytes of one object, in ranges where they are asked for (RFC 9110, sections 13 and 14), sent as
 * they are read. A client that goes away frees the file.
 */
export const MediaRoute = Layer.unwrap(
  Effect.gen(function* () {
    const store = yield* ObjectStore
    const signer = yield* Signer

    const handle = Effect.fn("Media.get")(function* (request: HttpServerRequest.HttpServerRequest) {
      const media = mediaTier(sentKey(request.url) ?? "")
      // The edge has refused tier 3 before the router was asked.
      if (media.tier === 3) return yield* Effect.fail(noSuchObject(request.url))
      const { searchParams } = new URL(request.url, "http://localhost")
      const { download, cacheControl } = yield* passFor(signer, media, searchParams)
      const found = yield* Effect.orDie(store.open(media.key))
      if (Option.isNone(found)) return yield* Effect.fail(noSuchObject(media.key))
      const object = found.value
      const { bytes, etag, media_type, modified } = object
      const sent = request.headers
      const selected = selectRange({
        method: request.method,
        rangeHeader: sent.range,
        ifRange: sent["if-range"],
        ifMatch: sent["if-match"],
        ifNoneMatch: sent["if-none-match"],
        ifModifiedSince: sent["if-modified-since"],
        ifUnmodifiedSince: sent["if-unmodified-since"],
        etag,
        lastModified: modified,
        size: bytes
      })
      const headers = {
        "accept-ranges": "bytes",
        "content-type": media_type,
        // These bytes are compressed as they are; a range of them must be of them.
        "content-encoding": "identity",
        "cache-control": cacheControl,
        etag,
        "last-modified": modified.toUTCString(),
        ...(download ? { "content-disposition": `attachment; filename="${fileName(media.key)}"` } : {})
      }
      return answer(object, selected, headers)
    })

    return HttpRouter.add("GET", `${prefix}*`, (request) =>
      Effect.catch(handle(request), (refusal) => Effect.succeed(problemResponse(refusal)))
    )
  })
)
