import { Effect } from "effect"
import { ObjectStoreError } from "../errors.ts"
import { checkKey, type Presigned } from "../store.ts"
import { makeClient, type S3Settings } from "./requests.ts"

/** Addresses that carry their signature in the query, and the headers that the store is to answer with. */
export const presigned = (settings: S3Settings): Presigned => {
  const client = makeClient(settings)
  const origin = settings.publicOrigin ?? settings.endpoint
  return {
    origin,
    address: Effect.fn("ObjectStore.presigned")(function* (key, { seconds, cacheControl, downloadAs }) {
      yield* checkKey(key)
      const query = new URLSearchParams({
        "X-Amz-Expires": String(seconds),
        "response-cache-control": cacheControl,
        ...(downloadAs === undefined ? {} : { "response-content-disposition": `attachment; filename="${downloadAs}"` })
      })
      const { url } = yield* Effect.tryPromise({
        try: () => client.sign(`${origin}/${settings.bucket}/${key}?${query}`, { aws: { signQuery: true } }),
        catch: () => new ObjectStoreError({ reason: "failed", key, detail: "not signed" })
      })
      return url
    })
  }
}
