import * as path from "node:path"
import { Config, ConfigProvider, Context, Data, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Email } from "../schema/email.ts"
import { isLoopback } from "./networks/loopback.ts"

/** A setting that cannot be used; the message is one line that names it and says what to write instead. */
export class InvalidSetting extends Data.TaggedError("InvalidSetting")<{
  readonly setting: string
  readonly message: string
}> {}

/** One OpenAI-compatible endpoint. */
export interface ModelEndpoint {
  readonly url: string
  readonly key: Redacted.Redacted
  readonly name: string
}

/** One OpenID provider of the deployment; `id` is `<NAME>` in lower case. */
export interface OidcProvider {
  readonly id: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Option.Option<Redacted.Redacted>
}

/** Everything that the environment sets (contract section 10), decoded once at start. */
export interface Configuration {
  readonly host: string
  readonly port: number
  readonly baseUrl: string
  readonly dataDir: string
  readonly databaseUrl: Option.Option<Redacted.Redacted>
  readonly databaseReplicaUrl: Option.Option<Redacted.Redacted>
  readonly signingKeys: Option.Option<Redacted.Redacted>
  readonly mediaUrl: Option.Option<Redacted.Redacted>
  readonly smtpUrl: Option.Option<Redacted.Redacted>
  readonly redisUrl: Option.Option<Redacted.Redacted>
  readonly oidcProviders: ReadonlyArray<OidcProvider>
  readonly identityPublishableKey: Option.Option<string>
  readonly cloudModel: Option.Option<ModelEndpoint>
  readonly speechModel: Option.Option<ModelEndpoint>
  readonly trustedProxies: ReadonlyArray<string>
  readonly publicReadLimit: number
  /** How many bytes of answers are kept until the record changes; with 0, none is. */
  readonly answerCacheBytes: number
  /** Where operators are answered. On loopback, whoever can reach it is one. */
  readonly operatorHost: string
  /** The address that operators open the console at, without a slash at its end, where they have to sign in. */
  readonly operatorUrl: Option.Option<string>
  /** Who may operate the service where they have to sign in: e-mail addresses. */
  readonly operatorEmails: ReadonlyArray<Email>
  /** None: the default port, or any free one if that is taken. */
  readonly operatorPort: Option.Option<number>
  /** None: the default port, or any free one if that is taken. */
  readonly localIdentityPort: Option.Option<number>
  /** Whether sources on private addresses are crawled, as a trial on a laptop needs. */
  readonly allowPrivateSources: boolean
  readonly otlpEndpoint: Option.Option<string>
  /** Programs to use instead of those found on `programPath` or shipped with the project. */
  readonly ffmpegPath: Option.Option<string>
  readonly ffprobePath: Option.Option<string>
  /** Folders that programs are looked up in, joined as the system joins them (`PATH`). */
  readonly programPath: string
  /** What an S3 store uses where `MEDIA_URL` does not say (the AWS SDKs' own variables). */
  readonly aws: AwsVariables
  /** `NODE_ENV` is `production`. */
  readonly isProduction: boolean
}

/** Credentials and region as AWS names them. */
export interface AwsVariables {
  readonly accessKeyId: Option.Option<string>
  readonly secretAccessKey: Option.Option<Redacted.Redacted>
  readonly sessionToken: Option.Option<Redacted.Redacted>
  readonly region: Option.Option<string>
}

export class Environment extends Context.Service<Environment, Configuration>()("civic-record/Environment") {
  static readonly layer = Layer.effect(
    Environment,
    Effect.suspend(() => readEnvironment(process.env))
  )
}

const PortNumber = Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 65_535 }))
const Switch = Schema.Literals(["0", "1"])
const Secret = Schema.RedactedFromValue(Schema.String)
const WebUrl = Schema.String.check(
  Schema.makeFilter((value) => (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) || "not an address")
)
const withProtocol = (...protocols: ReadonlyArray<string>) =>
  Schema.RedactedFromValue(
    Schema.String.check(
      Schema.makeFilter(
        (value) => (URL.canParse(value) && protocols.includes(new URL(value).protocol)) || "not an address"
      )
    )
  )

/** Cookies of operators travel over TLS only, or not at all beyond this machine. */
const isConsoleAddress = (value: string): boolean => {
  const { protocol, hostname, pathname } = new URL(value)
  return pathname === "/" && (protocol === "https:" || isLoopback(hostname))
}

/** A host name or address as a web address has it: IPv6 in brackets (RFC 3986, section 3.2.2). */
export const urlHost = (host: string): string => (host.includes(":") ? `[${host}]` : host)

const Host = Schema.String.check(
  Schema.makeFilter((value) => !/[\s/?#@\\]/.test(value) && URL.canParse(`http://${urlHost(value)}`))
)

/** What is joined by commas. */
const listed = (list: Option.Option<string>): ReadonlyArray<string> =>
  Option.getOrElse(list, () => "")
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")

/** The settings that stand alone, each with what it must be, as the message about a bad one says. */
const forms = {
  HOST: [Host, "a host name or address to listen on, such as 127.0.0.1"],
  PORT: [PortNumber, "a port from 0 to 65535"],
  BASE_URL: [WebUrl, "an http or https address without a path, such as https://record.example.gov"],
  DATA_DIR: [Schema.NonEmptyString, "a folder"],
  DATABASE_URL: [
    withProtocol("postgres:", "postgresql:"),
    "an address such as postgres://user:password@host:5432/name"
  ],
  DATABASE_REPLICA_URL: [
    withProtocol("postgres:", "postgresql:"),
    "an address such as postgres://user:password@host:5432/name"
  ],
  SIGNING_KEYS: [Secret, "id:secret pairs joined by commas, the first one signs"],
  MEDIA_URL: [withProtocol("file:", "s3:"), "a file: or s3: address"],
  SMTP_URL: [withProtocol("smtp:", "smtps:"), "an address such as smtp://user:password@host:587"],
  REDIS_URL: [withProtocol("redis:", "rediss:"), "an address such as redis://host:6379"],
  IDENTITY_PUBLISHABLE_KEY: [Schema.String, "the identity provider's public key"],
  TRUSTED_PROXIES: [Schema.String, "addresses or networks joined by commas, such as 10.0.0.0/8"],
  PUBLIC_READ_LIMIT: [
    Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
    "a number of requests per minute, from 1 to 1000000"
  ],
  ANSWER_CACHE_MB: [
    Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 100_000 })),
    "a number of megabytes, from 0 to 100000"
  ],
  OPERATOR_HOST: [Host, "a host name or address to listen on, such as 127.0.0.1"],
  OPERATOR_PORT: [PortNumber, "a port from 0 to 65535"],
  OPERATOR_URL: [
    WebUrl.check(Schema.makeFilter((value) => isConsoleAddress(value) || "not an address")),
    "an https address without a path, such as https://console.example.gov"
  ],
  OPERATOR_EMAILS: [Schema.String, "e-mail addresses joined by commas"],
  LOCAL_IDENTITY_PORT: [PortNumber, "a port from 0 to 65535"],
  ALLOW_PRIVATE_SOURCES: [Switch, "0 or 1"],
  OTEL_EXPORTER_OTLP_ENDPOINT: [WebUrl, "an http or https address"],
  FFMPEG_PATH: [Schema.String, "the path of ffmpeg"],
  FFPROBE_PATH: [Schema.String, "the path of ffprobe"],
  PATH: [Schema.String, "folders that hold programs"],
  AWS_ACCESS_KEY_ID: [Schema.String, "the id of an access key"],
  AWS_SECRET_ACCESS_KEY: [Secret, "the secret of an access key"],
  AWS_SESSION_TOKEN: [Secret, "a session token"],
  AWS_REGION: [Schema.String, "a region, such as us-east-1"],
  NODE_ENV: [Schema.String, "production, or anything else"]
} as const

const setting = <K extends keyof typeof forms>(env: ConfigProvider.ConfigProvider, name: K) =>
  Config.schema(forms[name][0] as Schema.Codec<(typeof forms)[K][0]["Type"], string>, name).pipe(
    Config.option,
    (config) => config.parse(env),
    Effect.mapError(() => new InvalidSetting({ setting: name, message: `${name} must be ${forms[name][1]}.` }))
  )

const model = Effect.fnUntraced(function* (env: NodeJS.ProcessEnv, prefix: string) {
  const [url, key, name] = [env[`${prefix}_URL`], env[`${prefix}_KEY`], env[`${prefix}_NAME`]]
  if (!url && !key && !name) return Option.none<ModelEndpoint>()
  if (!url || !name || !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    return yield* new InvalidSetting({
      setting: `${prefix}_URL`,
      message: `${prefix}_URL must be an http or https address, and ${prefix}_NAME must name the model.`
    })
  }
  return Option.some<ModelEndpoint>({ url, key: Redacted.make(key ?? ""), name })
})

const providers = Effect.fnUntraced(function* (env: NodeJS.ProcessEnv) {
  const found: Array<OidcProvider> = []
  const ids = Object.entries(env).flatMap(([name, value]) => {
    const id = /^OIDC_([A-Z0-9_]+)_(?:ISSUER|CLIENT_ID|CLIENT_SECRET)$/.exec(name)?.[1]
    return id === undefined || !value ? [] : [id]
  })
  for (const id of new Set(ids)) {
    const name = `OIDC_${id}_ISSUER`
    const issuer = env[name]
    const clientId = env[`OIDC_${id}_CLIENT_ID`]
    if (!issuer || !URL.canParse(issuer) || !clientId) {
      return yield* new InvalidSetting({
        setting: name,
        message: `${name} must be the issuer's address, and OIDC_${id}_CLIENT_ID must be set too.`
      })
    }
    const secret = env[`OIDC_${id}_CLIENT_SECRET`]
    found.push({
      id: id.toLowerCase(),
      issuer,
      clientId,
      clientSecret: secret ? Option.some(Redacted.make(secret)) : Option.none()
    })
  }
  return found
})

/**
 * Decodes the environment. An empty variable counts as not set. Fails with `InvalidSetting` at the first variable that
 * cannot be used, and if `BASE_URL` is on https and a secret is missing that a laptop would generate.
 */
export const readEnvironment = Effect.fnUntraced(function* (
  variables: NodeJS.ProcessEnv
): Effect.fn.Return<Configuration, InvalidSetting> {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""))
  const env = ConfigProvider.fromEnv({ env: set as Record<string, string> })
  const host = Option.getOrElse(yield* setting(env, "HOST"), () => "127.0.0.1")
  const port = Option.getOrElse(yield* setting(env, "PORT"), () => 8787)
  const baseUrl = Option.getOrElse(
    yield* setting(env, "BASE_URL"),
    () => `http://${host === "0.0.0.0" || host === "::" ? "localhost" : urlHost(host)}:${port}`
  ).replace(/\/+$/, "")
  if (new URL(baseUrl).pathname !== "/") {
    return yield* new InvalidSetting({ setting: "BASE_URL", message: `BASE_URL must be ${forms.BASE_URL[1]}.` })
  }
  const signingKeys = yield* setting(env, "SIGNING_KEYS")
  if (baseUrl.startsWith("https:") && Option.isNone(signingKeys) && !isLoopback(new URL(baseUrl).hostname)) {
    return yield* new InvalidSetting({
      setting: "SIGNING_KEYS",
      message:
        "SIGNING_KEYS must be set when BASE_URL is on https: id:secret pairs, such as k1:$(openssl rand -base64 32)"
    })
  }
  const operatorEmails = listed(yield* setting(env, "OPERATOR_EMAILS"))
  if (!operatorEmails.every(Schema.is(Email))) {
    return yield* new InvalidSetting({
      setting: "OPERATOR_EMAILS",
      message: `OPERATOR_EMAILS must be ${forms.OPERATOR_EMAILS[1]}.`
    })
  }
  return {
    host,
    port,
    baseUrl,
    dataDir: path.resolve(Option.getOrElse(yield* setting(env, "DATA_DIR"), () => ".data")),
    databaseUrl: yield* setting(env, "DATABASE_URL"),
    databaseReplicaUrl: yield* setting(env, "DATABASE_REPLICA_URL"),
    signingKeys,
    mediaUrl: yield* setting(env, "MEDIA_URL"),
    smtpUrl: yield* setting(env, "SMTP_URL"),
    redisUrl: yield* setting(env, "REDIS_URL"),
    oidcProviders: yield* providers(set),
    identityPublishableKey: yield* setting(env, "IDENTITY_PUBLISHABLE_KEY"),
    cloudModel: yield* model(set, "CLOUD_MODEL"),
    speechModel: yield* model(set, "SPEECH_MODEL"),
    trustedProxies: listed(yield* setting(env, "TRUSTED_PROXIES")),
    publicReadLimit: Option.getOrElse(yield* setting(env, "PUBLIC_READ_LIMIT"), () => 300),
    answerCacheBytes: Option.getOrElse(yield* setting(env, "ANSWER_CACHE_MB"), () => 64) * 1024 * 1024,
    operatorHost: Option.getOrElse(yield* setting(env, "OPERATOR_HOST"), () => "127.0.0.1"),
    operatorPort: yield* setting(env, "OPERATOR_PORT"),
    operatorUrl: Option.map(yield* setting(env, "OPERATOR_URL"), (url) => new URL(url).origin),
    operatorEmails,
    localIdentityPort: yield* setting(env, "LOCAL_IDENTITY_PORT"),
    allowPrivateSources: Option.contains(yield* setting(env, "ALLOW_PRIVATE_SOURCES"), "1"),
    otlpEndpoint: yield* setting(env, "OTEL_EXPORTER_OTLP_ENDPOINT"),
    ffmpegPath: yield* setting(env, "FFMPEG_PATH"),
    ffprobePath: yield* setting(env, "FFPROBE_PATH"),
    programPath: Option.getOrElse(yield* setting(env, "PATH"), () => ""),
    aws: {
      accessKeyId: yield* setting(env, "AWS_ACCESS_KEY_ID"),
      secretAccessKey: yield* setting(env, "AWS_SECRET_ACCESS_KEY"),
      sessionToken: yield* setting(env, "AWS_SESSION_TOKEN"),
      region: yield* setting(env, "AWS_REGION")
    },
    isProduction: Option.contains(yield* setting(env, "NODE_ENV"), "production")
  }
})
