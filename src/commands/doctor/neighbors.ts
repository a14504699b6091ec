import { randomUUID } from "node:crypto"
import { Effect, Option, Redacted, Stream } from "effect"
import { checkerOf } from "../../../layers/cloud-model/check-model.ts"
import { Environment, type ModelEndpoint } from "../../../layers/config/config.ts"
import { discover } from "../../../layers/identity/identity.ts"
import { verifySmtp } from "../../../layers/mailer.ts"
import { isLoopback } from "../../../layers/networks/host.ts"
import { ObjectStore } from "../../../layers/object-store/object-store.ts"
import { aboutSpeechFile } from "../../../layers/speech-model/about.ts"
import { check, type Found, fail, ok, warn } from "./finding.ts"

/** The host and port of an address, without its credentials. */
const hostOf = (address: string) => new URL(address).host

const isOnLaptop = Effect.map(Environment, ({ baseUrl }) => isLoopback(new URL(baseUrl).hostname))

/** Writes an object, reads it back and deletes it. */
const media = Effect.gen(function* () {
  const store = yield* ObjectStore
  const key = `doctor/${randomUUID()}.txt`
  const probe = new TextEncoder().encode(key)
  yield* store.put(key, Stream.make(probe), "text/plain")
  const read = Buffer.concat(yield* Stream.runCollect(Stream.map(store.read(key), (chunk) => Buffer.from(chunk))))
  yield* store.delete(key)
  return read.equals(probe)
    ? ok("an object was written, read and deleted")
    : fail("an object was not read as it was written", "Check what serves the store: it must not change objects.")
}).pipe(
  Effect.provide(ObjectStore.layer),
  Effect.catchTags({
    InvalidSetting: ({ message }) => Effect.succeed(fail("cannot be used", message)),
    ObjectNotFound: () => Effect.succeed(fail("an object that was written was not there", "Check MEDIA_URL.")),
    ObjectStoreError: ({ reason }) =>
      Effect.succeed(fail(`the store says: ${reason}`, "Check MEDIA_URL, its credentials, and that the store runs."))
  })
)

const providers = Effect.gen(function* () {
  const { oidcProviders, baseUrl } = yield* Environment
  if (oidcProviders.length === 0) {
    return (yield* isOnLaptop) || baseUrl.startsWith("http:")
      ? [ok("the local provider, which comes with the service")]
      : [fail("none, so nobody can sign in", "Set OIDC_<NAME>_ISSUER and OIDC_<NAME>_CLIENT_ID.")]
  }
  return yield* Effect.forEach(
    oidcProviders,
    (provider) =>
      Effect.match(
        Effect.tryPromise(() => discover(provider)),
        {
          onSuccess: () => ok(`${provider.id} answers at ${hostOf(provider.issuer)}`),
          onFailure: () =>
            fail(
              `${provider.id} has no usable configuration at ${hostOf(provider.issuer)}`,
              `Check OIDC_${provider.id.toUpperCase()}_ISSUER, and that the provider can be reached.`
            )
        }
      ),
    { concurrency: "unbounded" }
  )
})

const mail = Effect.gen(function* () {
  const { smtpUrl } = yield* Environment
  if (Option.isNone(smtpUrl)) {
    return (yield* isOnLaptop)
      ? ok("mails are written to the outbox folder")
      : warn("mails are written to the outbox folder and reach nobody", "Set SMTP_URL.")
  }
  const host = hostOf(Redacted.value(smtpUrl.value))
  return yield* Effect.match(verifySmtp(smtpUrl.value), {
    onSuccess: () => ok(`${host} accepts our credentials`),
    onFailure: (reason) => fail(`${host}: ${reason}`, "Check SMTP_URL and that the mail server can be reached.")
  })
})

const contact = Effect.gen(function* () {
  const { contactEmail } = yield* Environment
  if (Option.isSome(contactEmail)) return ok(contactEmail.value)
  return (yield* isOnLaptop)
    ? ok("none is set")
    : warn("none is set: /about tells readers of no way to reach you", "Set CONTACT_EMAIL.")
})

/** Any answer shows that the endpoint is there; only some endpoints also check the key here. */
const modelAnswers = (endpoint: ModelEndpoint, setting: string): Effect.Effect<Found> =>
  Effect.tryPromise((signal) => {
    const url = new URL(endpoint.url)
    url.pathname = `${url.pathname.replace(/\/(chat\/completions|embeddings)?\/*$/, "").replace(/\/+$/, "")}/models`
    const key = Redacted.value(endpoint.key)
    return fetch(url, { signal, headers: key === "" ? {} : { authorization: `Bearer ${key}` } })
  }).pipe(
    Effect.match({
      onSuccess: ({ status }) => {
        const found = `${endpoint.name} at ${hostOf(endpoint.url)} answers`
        if (status === 401 || status === 403) return fail(`${found}, and refuses the key`, `Check ${setting}_KEY.`)
        return status >= 500
          ? warn(`${found} with ${status}`, "Ask its operator; it is tried again when needed.")
          : ok(found)
      },
      onFailure: () => fail(`nothing answers at ${hostOf(endpoint.url)}`, `Check ${setting}_URL.`)
    })
  )

const modelIfAny = (endpoint: Option.Option<ModelEndpoint>, setting: string) =>
  Option.match(endpoint, {
    onNone: () => Effect.succeed(ok("none is configured")),
    onSome: (one) => modelAnswers(one, setting)
  })

const cloudModel = Effect.flatMap(Environment, (set) => modelIfAny(set.cloudModel, "CLOUD_MODEL"))

const embeddingModel = Effect.flatMap(Environment, (set) => modelIfAny(set.embeddingModel, "EMBEDDING_MODEL"))

const speechModel = Effect.gen(function* () {
  const { speechModel, speechFile } = yield* Environment
  if (Option.isSome(speechModel)) return yield* modelAnswers(speechModel.value, "SPEECH_MODEL")
  if (Option.isNone(speechFile)) return ok("none is configured")
  const { found, todo } = yield* aboutSpeechFile(speechFile.value)
  return todo === undefined ? ok(found) : fail(found, todo)
})

const checkModel = Effect.gen(function* () {
  const environment = yield* Environment
  const checker = checkerOf(environment)
  const consequence = "what code cannot settle in a briefing stays unchecked, and is left out"
  if (checker === "writer") {
    return warn(`it is the language model itself: ${consequence}`, "Name another model in CHECK_MODEL_NAME.")
  }
  if (checker !== "none") return yield* modelAnswers(checker, "CHECK_MODEL")
  return Option.isNone(environment.cloudModel)
    ? ok("none is configured")
    : warn(`none is configured: ${consequence}`, "Set CHECK_MODEL_URL and CHECK_MODEL_NAME.")
})

const redis = Effect.gen(function* () {
  const { redisUrl } = yield* Environment
  if (Option.isNone(redisUrl)) return ok("none is configured: each process counts rate limits for itself")
  const url = Redacted.value(redisUrl.value)
  const { createClient } = yield* Effect.promise(() => import("redis"))
  return yield* Effect.acquireUseRelease(
    // Without a listener, a connection error would end the process; the failure itself is seen below.
    Effect.sync(() =>
      createClient({ url, socket: { connectTimeout: 3000, reconnectStrategy: false } }).on("error", () => undefined)
    ),
    (client) =>
      Effect.tryPromise(async () => {
        await client.connect()
        return await client.ping()
      }),
    (client) => Effect.sync(() => client.destroy()).pipe(Effect.ignoreCause)
  ).pipe(
    Effect.match({
      onSuccess: () => ok(`${hostOf(url)} answers`),
      onFailure: () => fail(`${hostOf(url)} does not answer, or refuses us`, "Check REDIS_URL and that Redis runs.")
    })
  )
})

const traces = Effect.gen(function* () {
  const { otlpEndpoint } = yield* Environment
  if (Option.isNone(otlpEndpoint)) return ok("not sent")
  const host = hostOf(otlpEndpoint.value)
  return yield* Effect.tryPromise((signal) => fetch(otlpEndpoint.value, { signal })).pipe(
    Effect.match({
      onSuccess: () => ok(`${host} answers`),
      onFailure: () => warn(`nothing answers at ${host}: traces are lost`, "Check OTEL_EXPORTER_OTLP_ENDPOINT.")
    })
  )
})

/** Checks of everything the service depends on besides its database. */
export const neighborChecks = [
  check("media store", media),
  check("sign-in", providers),
  check("mail", mail),
  check("contact", contact),
  check("cloud model", cloudModel),
  check("check model", checkModel),
  check("embedding model", embeddingModel),
  // A large model on a slow disk takes its time.
  check("speech model", speechModel, "120 seconds"),
  check("redis", redis),
  check("traces", traces)
]
