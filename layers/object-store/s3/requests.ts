import { AwsClient } from "aws4fetch"
import { Duration, Effect, Redacted, Schedule, Stream } from "effect"
import { ObjectNotFound, ObjectStoreError } from "../errors.ts"

export interface S3Settings {
  /** Such as `https://s3.example.org`; the bucket is the first segment of the path. */
  readonly endpoint: string
  readonly bucket: string
  /** Where readers reach the store, if not at `endpoint`. */
  readonly publicOrigin?: string | undefined
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
  readonly sessionToken?: Redacted.Redacted | undefined
  /**
   * Larger files are sent in parts of this many bytes (at least 5 MiB; S3 takes 10,000 parts, and 5 GiB per request).
   */
  readonly partBytes?: number | undefined
  /** Keys per page of a listing. */
  readonly pageKeys?: number | undefined
  /**
   * The timeout while the store is silent, before its response and between chunks of an object. 5 seconds by default.
   */
  readonly longestSilence?: Duration.Input | undefined
}

/** One request. The body is a function because each attempt needs a fresh one. */
export interface Asked {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE"
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: () => ReadableStream | string
  /** Aborts the request, and with it the response's body. */
  readonly signal?: AbortSignal
}

export const refusal = (key: string, status: number) =>
  new ObjectStoreError({
    reason: status === 401 || status === 403 ? "denied" : status >= 500 || status === 429 ? "unavailable" : "failed",
    key,
    detail: `status ${status}`
  })

const unavailable = (key: string) => (cause: unknown) =>
  new ObjectStoreError({ reason: "unavailable", key, detail: causeOf(cause) })

/** The code of undici's error (ECONNREFUSED, UND_ERR_SOCKET); its message may contain the address. */
const causeOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error && "code" in error.cause
    ? String(error.cause.code)
    : "no answer"

const silent = (key: string) => new ObjectStoreError({ reason: "unavailable", key, detail: "silent" })

/** Retries twice if the store is unavailable, but not if it is silent. All requests here are idempotent. */
const again = {
  schedule: Schedule.jittered(Schedule.exponential("100 millis")),
  times: 2,
  while: (error: ObjectStoreError | ObjectNotFound) =>
    error._tag === "ObjectStoreError" && error.reason === "unavailable" && error.detail !== "silent"
}

export const textIn = (xml: string, name: string): ReadonlyArray<string> =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text = ""]) =>
    text.replace(/&(quot|apos|lt|gt|amp);/g, (_, entity: string) => entities[entity] ?? "")
  )
const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: "<", gt: ">", amp: "&" }

/** Signs requests with AWS Signature 4. */
export const makeClient = (settings: S3Settings) =>
  new AwsClient({
    accessKeyId: settings.accessKeyId,
    secretAccessKey: Redacted.value(settings.secretAccessKey),
    ...(settings.sessionToken === undefined ? {} : { sessionToken: Redacted.value(settings.sessionToken) }),
    service: "s3",
    region: settings.region,
    retries: 0
  })

/** Signed requests to one bucket, path-style. */
export const makeRequests = (settings: S3Settings) => {
  const client = makeClient(settings)

  const longestSilence = Duration.fromInputUnsafe(settings.longestSilence ?? "5 seconds")
  /** An upload is acknowledged once it is stored, so its timeout is a minute, plus a second per megabyte. */
  const longestWait = ({ method, headers }: Asked) =>
    method === "PUT" || method === "POST"
      ? Duration.sum(
          Duration.times(longestSilence, 12),
          Duration.seconds(Number(headers?.["content-length"] ?? 0) / 1e6)
        )
      : longestSilence

  const attempt = Effect.fnUntraced(function* (key: string, asked: Asked) {
    const query = asked.query === undefined ? "" : `?${new URLSearchParams(asked.query)}`
    const response = yield* Effect.tryPromise({
      try: (signal) =>
        client.fetch(`${settings.endpoint}/${settings.bucket}${key === "" ? "" : `/${key}`}${query}`, {
          method: asked.method,
          // A compressed object would not match its length and ranges. With a range, `fetch` adds this header itself
          // (Fetch, section 4.6), after the request has been signed.
          headers: {
            ...(asked.headers?.range === undefined ? { "accept-encoding": "identity" } : {}),
            ...asked.headers
          },
          ...(asked.body === undefined ? {} : { body: asked.body(), duplex: "half" }),
          redirect: "manual",
          signal: asked.signal === undefined ? signal : AbortSignal.any([signal, asked.signal])
        }),
      catch: unavailable(key)
    }).pipe(Effect.timeoutOrElse({ duration: longestWait(asked), orElse: () => Effect.fail(silent(key)) }))
    if (response.ok) return response
    yield* Effect.promise(async () => response.body?.cancel())
    return yield* response.status === 404 || response.status === 412
      ? new ObjectNotFound({ key })
      : refusal(key, response.status)
  })

  const send = (key: string, asked: Asked) => Effect.retry(attempt(key, asked), again)

  /** For requests whose only possible 404 is a missing bucket. */
  const sendTo = (key: string, asked: Asked) =>
    Effect.catchTag(send(key, asked), "ObjectNotFound", () => Effect.fail(refusal(key, 404)))

  const xmlOf = (key: string, response: Response) =>
    Effect.tryPromise({ try: () => response.text(), catch: unavailable(key) }).pipe(
      Effect.timeoutOrElse({ duration: Duration.times(longestSilence, 12), orElse: () => Effect.fail(silent(key)) }),
      Effect.flatMap((xml) =>
        // A store that has already sent status 200 reports a later failure in the body.
        xml.includes("<Error>") ? Effect.fail(refusal(key, 500)) : Effect.succeed(xml)
      )
    )

  /** A response's body, aborted if the store falls silent midway. */
  const bodyOf = (key: string, body: ReadableStream<Uint8Array>) =>
    Stream.fromReadableStream({ evaluate: () => body, onError: unavailable(key) }).pipe(
      Stream.timeoutOrElse({ duration: longestSilence, orElse: () => Stream.fail(silent(key)) })
    )

  return { send, sendTo, xmlOf, bodyOf }
}

export type S3Requests = ReturnType<typeof makeRequests>
