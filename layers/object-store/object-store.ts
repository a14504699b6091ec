import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { Context, Effect, Layer, Option, Predicate, Redacted } from "effect"
import { type Configuration, Environment, InvalidSetting } from "../config/config.ts"
import { folderStore, prepareFolder } from "./folder.ts"
import type { S3Settings } from "./s3/requests.ts"
import { s3Store } from "./s3/s3.ts"
import { isKey, type Store } from "./store.ts"

export { ObjectNotFound, ObjectStoreError } from "./errors.ts"
export type { OpenObject } from "./store.ts"

/** Defaults for an S3 store whose `MEDIA_URL` does not set them. */
type AwsCredentials = Pick<Configuration, "awsAccessKeyId" | "awsSecretAccessKey" | "awsSessionToken" | "awsRegion">

export class ObjectStore extends Context.Service<ObjectStore, Store>()("civic-record/ObjectStore") {
  /** The store at `MEDIA_URL` (see `readMediaUrl`); by default the folder `media` in DATA_DIR. */
  static readonly layer = Layer.effect(
    ObjectStore,
    Effect.gen(function* () {
      const environment = yield* Environment
      const { mediaUrl, dataDir } = environment
      const place = Option.isSome(mediaUrl)
        ? yield* readMediaUrl(mediaUrl.value, environment)
        : { folder: path.join(dataDir, "media") }
      const wrong = wrongHandoff(environment, place)
      if (wrong !== undefined) return yield* new InvalidSetting({ setting: "MEDIA_HANDOFF", message: wrong })
      if (!("folder" in place)) return s3Store(place)
      yield* prepareFolder(place.folder, { ours: Option.isNone(mediaUrl) })
      return folderStore(place.folder)
    })
  )

  static readonly layerFolder = (folder: string) => Layer.succeed(ObjectStore, folderStore(folder))

  static readonly layerS3 = (settings: S3Settings) => Layer.sync(ObjectStore, () => s3Store(settings))
}

/**
 * Reads `file:/folder`, or `s3://key:secret@host:port/bucket?region=eu-west-1&tls=false`, with key and secret
 * percent-encoded. Without a key the credentials are `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and
 * `AWS_SESSION_TOKEN`; `region` defaults to `AWS_REGION`, then us-east-1, and `tls` to true. `public` is the origin at
 * which readers reach the store, if that is another one.
 */
export const readMediaUrl = (
  address: Redacted.Redacted,
  aws: AwsCredentials
): Effect.Effect<{ readonly folder: string } | S3Settings, InvalidSetting> =>
  // Malformed percent-encoding throws.
  Effect.try({ try: () => placeOf(Redacted.value(address), aws), catch: () => badMediaUrl }).pipe(
    Effect.filterOrFail(Predicate.isNotUndefined, () => badMediaUrl)
  )

/** What the media cannot be handed to others for, if anything. */
const wrongHandoff = (
  { mediaHandoff, mediaUrl, baseUrl }: Configuration,
  place: { readonly folder: string } | S3Settings
): string | undefined => {
  if (mediaHandoff === "x-accel" && !("folder" in place && Option.isSome(mediaUrl))) {
    return "MEDIA_HANDOFF=x-accel needs MEDIA_URL=file:/folder, a folder that nginx may read."
  }
  if (mediaHandoff !== "presigned") return undefined
  if ("folder" in place) return "MEDIA_HANDOFF=presigned needs an S3 store at MEDIA_URL."
  return baseUrl.startsWith("https:") && !(place.publicOrigin ?? place.endpoint).startsWith("https:")
    ? "MEDIA_HANDOFF=presigned needs a store that readers reach over https: add public=https://host to MEDIA_URL."
    : undefined
}

const badMediaUrl = new InvalidSetting({
  setting: "MEDIA_URL",
  message:
    "MEDIA_URL must be file:/folder, or name host, bucket and credentials: s3://key:secret@host/bucket?region=us-east-1"
})

const placeOf = (text: string, aws: AwsCredentials): { readonly folder: string } | S3Settings | undefined => {
  const url = URL.parse(text)
  if (url?.protocol === "file:") return /^file:\/(\/\/)?[^/]/.test(text) ? { folder: fileURLToPath(url) } : undefined
  return url === null ? undefined : s3Of(url, aws)
}

/**
 * Opens a folder of an S3 store: `s3://host/bucket/folder`, and otherwise as `readMediaUrl` says. The name is the
 * address without credentials.
 */
export const storeFolder = (address: string, aws: AwsCredentials) =>
  Option.gen(function* () {
    const url = yield* Option.fromNullishOr(URL.parse(address))
    const [, bucket = "", folder = ""] = /^\/([^/]+)\/(.+?)\/?$/.exec(url.pathname) ?? []
    url.pathname = `/${bucket}`
    // Malformed percent-encoding throws.
    const settings = yield* Option.flatMap(Option.liftThrowable(s3Of)(url, aws), Option.fromUndefinedOr)
    return isKey(folder)
      ? { store: s3Store(settings), prefix: `${folder}/`, name: `s3://${url.host}/${bucket}/${folder}` }
      : yield* Option.none()
  })

const s3Of = (url: URL, aws: AwsCredentials): S3Settings | undefined => {
  const bucket = /^\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?$/.exec(url.pathname)?.[1]
  if (url.protocol !== "s3:" || url.host === "" || bucket === undefined) return undefined
  const keys = url.username
    ? { id: decodeURIComponent(url.username), secret: Redacted.make(decodeURIComponent(url.password)) }
    : {
        id: Option.getOrElse(aws.awsAccessKeyId, () => ""),
        secret: Option.getOrElse(aws.awsSecretAccessKey, () => Redacted.make("")),
        session: Option.getOrUndefined(aws.awsSessionToken)
      }
  if (keys.id === "" || Redacted.value(keys.secret) === "") return undefined
  const given = url.searchParams.get("public")
  const publicOrigin = given === null ? undefined : URL.parse(given)?.origin
  if (given !== null && !/^https?:/.test(publicOrigin ?? "")) return undefined
  return {
    endpoint: `${url.searchParams.get("tls") === "false" ? "http" : "https"}://${url.host}`,
    bucket,
    publicOrigin,
    region: url.searchParams.get("region") || aws.awsRegion,
    accessKeyId: keys.id,
    secretAccessKey: keys.secret,
    sessionToken: keys.session
  }
}
