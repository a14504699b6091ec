import { Schema } from "effect"
import { Email } from "../../schema/email.ts"
import {
  aDatabase,
  aHost,
  anAddress,
  aPort,
  Database,
  defaulted,
  EmailList,
  Host,
  isConsoleAddress,
  optional,
  PortNumber,
  Secret,
  upTo,
  type Variable,
  WebUrl,
  WordList,
  withProtocol
} from "./variable.ts"

const [server, storage, models] = ["server", "storage", "models"] as const

/** One OpenAI-compatible endpoint: three variables set together. */
const endpoint = (prefix: string, what: string) => ({
  url: optional(`${prefix}_URL`, WebUrl, { family: models, about: `An OpenAI-compatible ${what}.`, must: anAddress }),
  key: optional(`${prefix}_KEY`, Secret, {
    family: models,
    about: `The ${what}'s key.`,
    must: "a key",
    isSecret: true
  }),
  name: optional(`${prefix}_NAME`, Schema.String, { family: models, about: `The ${what}'s name.`, must: "a name" })
})

/** The standalone variables, by decoded field. */
export const variables = {
  host: defaulted("HOST", Host, "127.0.0.1", { family: server, about: "The address to listen on.", must: aHost }),
  port: defaulted("PORT", PortNumber, "8787", { family: server, about: "The port to listen on.", must: aPort }),
  baseUrl: optional("BASE_URL", WebUrl, {
    family: server,
    about: "The address that links start with.",
    must: "an http or https address without a path, such as https://record.example.gov",
    otherwise: "`HOST` and `PORT`"
  }),
  dataDir: defaulted("DATA_DIR", Schema.NonEmptyString, ".data", {
    family: storage,
    about: "The folder of the embedded database, media and generated secrets.",
    must: "a folder"
  }),
  databaseUrl: optional("DATABASE_URL", Database, {
    family: storage,
    about: "Any PostgreSQL 18 with `unaccent`, `pg_trgm` and `fuzzystrmatch`.",
    must: aDatabase,
    otherwise: "the embedded one",
    isSecret: true
  }),
  databaseDirectUrl: optional("DATABASE_DIRECT_URL", Database, {
    family: storage,
    about: "The server itself, past a pooler at `DATABASE_URL`.",
    must: aDatabase,
    otherwise: "`DATABASE_URL`",
    isSecret: true
  }),
  databaseReplicaUrl: optional("DATABASE_REPLICA_URL", Database, {
    family: storage,
    about: "A replica for public reads.",
    must: aDatabase,
    otherwise: "`DATABASE_URL`",
    isSecret: true
  }),
  databaseReplicaLag: defaulted("DATABASE_REPLICA_LAG", upTo(1, 3600), "30", {
    family: storage,
    about: "Seconds a replica may be behind, or serve without the primary.",
    must: "a number of seconds, from 1 to 3600"
  }),
  mediaUrl: optional("MEDIA_URL", withProtocol("file:", "s3:"), {
    family: storage,
    about: "The media store: a folder or an S3-compatible store.",
    must: "a file: or s3: address",
    otherwise: "under `DATA_DIR`",
    isSecret: true
  }),
  mediaHandoff: defaulted("MEDIA_HANDOFF", Schema.Literals(["none", "x-accel", "presigned"]), "none", {
    family: storage,
    about: "Who sends media instead: nginx (`x-accel`) or the store (`presigned`).",
    must: "none, x-accel or presigned",
    otherwise: "the service itself"
  }),
  awsAccessKeyId: optional("AWS_ACCESS_KEY_ID", Schema.String, {
    family: storage,
    about: "The access key for S3, where `MEDIA_URL` has none.",
    must: "the id of an access key"
  }),
  awsSecretAccessKey: optional("AWS_SECRET_ACCESS_KEY", Secret, {
    family: storage,
    about: "The secret of that access key.",
    must: "the secret of an access key",
    isSecret: true
  }),
  awsSessionToken: optional("AWS_SESSION_TOKEN", Secret, {
    family: storage,
    about: "The session token for S3.",
    must: "a session token",
    isSecret: true
  }),
  awsRegion: defaulted("AWS_REGION", Schema.String, "us-east-1", {
    family: storage,
    about: "The region of S3, where `MEDIA_URL` has none.",
    must: "a region, such as us-east-1"
  }),
  redisUrl: optional("REDIS_URL", withProtocol("redis:", "rediss:"), {
    family: storage,
    about: "Counts rate limits across processes instead of in each.",
    must: "an address such as redis://host:6379",
    isSecret: true
  }),
  signingKeys: optional("SIGNING_KEYS", Secret, {
    family: server,
    about: "Keys for signed addresses. Required when `BASE_URL` is on https.",
    must: "id:secret pairs joined by commas, the first one signs",
    otherwise: "generated once",
    isSecret: true
  }),
  contactEmail: optional("CONTACT_EMAIL", Email, {
    family: server,
    about: "The operators' address, on `/about` and sent by the crawler.",
    must: "an e-mail address, such as record@example.gov"
  }),
  publicReadLimit: defaulted("PUBLIC_READ_LIMIT", upTo(1, 1_000_000), "300", {
    family: server,
    about: "Public reads per minute and client address.",
    must: "a number of requests per minute, from 1 to 1000000"
  }),
  streamLimit: defaulted("STREAM_LIMIT", upTo(1, 1_000_000), "100", {
    family: server,
    about: "Event streams open at once per client address.",
    must: "a number of streams, from 1 to 1000000"
  }),
  answerCacheMegabytes: defaulted("ANSWER_CACHE_MB", upTo(0, 100_000), "64", {
    family: server,
    about: "Memory for cached public answers; `0` turns the cache off.",
    must: "a number of megabytes, from 0 to 100000"
  }),
  drainSeconds: defaulted("DRAIN_SECONDS", upTo(0, 3600), "5", {
    family: server,
    about: "How long SIGTERM lets everything be answered before it stops.",
    must: "a number of seconds, from 0 to 3600"
  }),
  trustedProxies: defaulted("TRUSTED_PROXIES", Schema.String, "", {
    family: server,
    about: "Proxies whose `X-Forwarded-*` headers are trusted.",
    must: "addresses or networks joined by commas, such as 10.0.0.0/8"
  }),
  identityPublishableKey: optional("IDENTITY_PUBLISHABLE_KEY", Schema.String, {
    family: "identity",
    about: "The identity provider's public key, for `GET /api/auth/session`.",
    must: "the identity provider's public key"
  }),
  localIdentityPort: optional("LOCAL_IDENTITY_PORT", PortNumber, {
    family: "identity",
    about: "The port of the local sign-in provider.",
    must: aPort,
    otherwise: "`8789`, else any free one"
  }),
  operatorHost: defaulted("OPERATOR_HOST", Host, "127.0.0.1", {
    family: server,
    about: "The address that the console and `/metrics` listen on.",
    must: aHost
  }),
  operatorPort: optional("OPERATOR_PORT", PortNumber, {
    family: server,
    about: "The port of the console and `/metrics`.",
    must: aPort,
    otherwise: "`8788`, else any free one"
  }),
  operatorUrl: optional(
    "OPERATOR_URL",
    WebUrl.check(Schema.makeFilter((value) => isConsoleAddress(value) || "not an address")),
    {
      family: "identity",
      about: "The console's https address, outside of loopback.",
      must: "an https address without a path, such as https://console.example.gov"
    }
  ),
  operatorEmails: defaulted("OPERATOR_EMAILS", EmailList, "", {
    family: "identity",
    about: "Who may sign in to the console there, joined by commas.",
    must: "e-mail addresses joined by commas",
    isSecret: true
  }),
  operatorAcr: defaulted("OPERATOR_REQUIRES_ACR", WordList, "", {
    family: "identity",
    about: "Of which `acr` one must be in an operator's ID token.",
    must: "values of acr joined by commas"
  }),
  operatorAmr: defaulted("OPERATOR_REQUIRES_AMR", WordList, "", {
    family: "identity",
    about: "Of which `amr` one must be in an operator's ID token.",
    must: "values of amr joined by commas, such as mfa"
  }),
  operatorMaxAge: optional("OPERATOR_MAX_AGE", upTo(60, 86_400), {
    family: "identity",
    about: "Seconds since an operator signed in at the provider, at most.",
    must: "a number of seconds, from 60 to 86400"
  }),
  smtpUrl: optional("SMTP_URL", withProtocol("smtp:", "smtps:"), {
    family: "mail",
    about: "The mail server.",
    must: "an address such as smtp://user:password@host:587",
    otherwise: "`outbox/` in `DATA_DIR`",
    isSecret: true
  }),
  allowPrivateSources: defaulted("ALLOW_PRIVATE_SOURCES", Schema.Literals(["0", "1"]), "0", {
    family: "sources",
    about: "`1` crawls calendars on private addresses, for trials on a laptop.",
    must: "0 or 1"
  }),
  fetchCommand: optional("FETCH_COMMAND", Schema.String, {
    family: "machine",
    about: "A program that fetches recordings which players offer no file of.",
    must: "the path of a program",
    otherwise: "they stay there"
  }),
  ffmpegPath: optional("FFMPEG_PATH", Schema.String, {
    family: "machine",
    about: "The ffmpeg to use.",
    must: "the path of ffmpeg",
    otherwise: "found, else our own"
  }),
  ffprobePath: optional("FFPROBE_PATH", Schema.String, {
    family: "machine",
    about: "The ffprobe to use.",
    must: "the path of ffprobe",
    otherwise: "found, else our own"
  }),
  otlpEndpoint: optional("OTEL_EXPORTER_OTLP_ENDPOINT", WebUrl, {
    family: server,
    about: "Where traces are sent.",
    must: anAddress
  }),
  speechModelFile: optional("SPEECH_MODEL_FILE", Schema.String, {
    family: models,
    about: "A whisper.cpp model, for a speech model of our own.",
    must: "the path of a whisper.cpp model, such as models/ggml-small.en.bin"
  }),
  speechModelLanguage: defaulted("SPEECH_MODEL_LANGUAGE", Schema.String.check(Schema.isPattern(/^[a-z]{2,3}$/)), "en", {
    family: models,
    about: "The language that this model listens for.",
    must: "the code of a language that Whisper knows, such as en or es"
  }),
  programPath: defaulted("PATH", Schema.String, "", {
    family: "machine",
    about: "Folders that programs are looked up in.",
    must: "folders that hold programs"
  }),
  nodeEnv: defaulted("NODE_ENV", Schema.String, "", {
    family: "machine",
    about: "`production` writes the log as JSON.",
    must: "production, or anything else"
  })
} as const satisfies Readonly<Record<string, Variable<unknown>>>

/** The OpenAI-compatible endpoints, by decoded field. */
export const endpoints = {
  cloudModel: endpoint("CLOUD_MODEL", "language model"),
  checkModel: endpoint("CHECK_MODEL", "claim checker"),
  embeddingModel: endpoint("EMBEDDING_MODEL", "embedding model"),
  speechModel: endpoint("SPEECH_MODEL", "speech model")
} as const

/** The variables of one sign-in provider; there may be any number of providers. */
export const provider = (id: string) => ({
  issuer: optional(`OIDC_${id}_ISSUER`, WebUrl, {
    family: "identity",
    about: "The issuer of a sign-in provider.",
    must: "the issuer's address",
    otherwise: "the local provider"
  }),
  clientId: optional(`OIDC_${id}_CLIENT_ID`, Schema.String, {
    family: "identity",
    about: "The service's id at that provider.",
    must: "a client id"
  }),
  clientSecret: optional(`OIDC_${id}_CLIENT_SECRET`, Secret, {
    family: "identity",
    about: "The service's secret at that provider.",
    must: "a client secret",
    isSecret: true
  })
})

/** A variable's value as shown to operators, unless it is a secret; a model's address without its secret parts. */
export const shownValue = ({ name, isSecret, initial }: Variable<unknown>, text = initial): string | undefined =>
  isSecret || text === undefined || text === "" ? undefined : /_MODEL_URL$/.test(name) ? URL.parse(text)?.origin : text
