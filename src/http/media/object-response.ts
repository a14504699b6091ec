import { Effect, Option } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ObjectStore, OpenObject } from "../../../layers/object-store/object-store.ts"
import { anotherVersion, noSuchObject, rangeNotSatisfiable } from "../../api/errors/common.ts"
import { problemResponse } from "../problem.ts"
import { type RangeSelection, selectRange } from "./range.ts"

/** The part of the object to send: its headers, and which of its bytes, if any. */
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
      return HttpServerResponse.setStatus(problemResponse(anotherVersion()), 412)
    case 416:
      return problemResponse(rangeNotSatisfiable(size))
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
 * An object of the store, in ranges if requested (RFC 9110, sections 13 and 14), sent as it is read; fails with
 * `NotFound` if there is none. `downloadAs` is the name of the file to save it as (letters, digits, dots and hyphens
 * only).
 */
export const objectResponse = Effect.fnUntraced(function* (
  store: ObjectStore["Service"],
  { method, headers: sent }: HttpServerRequest.HttpServerRequest,
  key: string,
  options: { readonly cacheControl: string; readonly downloadAs?: string }
) {
  const found = yield* Effect.orDie(store.open(key))
  if (Option.isNone(found)) return yield* Effect.fail(noSuchObject(key))
  const object = found.value
  const { bytes, etag, media_type, modified } = object
  const selected = selectRange({
    method,
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
    // Media is compressed already, and a range must be a range of exactly these bytes.
    "content-encoding": "identity",
    "cache-control": options.cacheControl,
    etag,
    "last-modified": modified.toUTCString(),
    ...(options.downloadAs === undefined
      ? {}
      : { "content-disposition": `attachment; filename="${options.downloadAs}"` })
  }
  return answer(object, selected, headers)
})
