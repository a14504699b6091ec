import * as path from "node:path"
import { Context, Data, Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { Email } from "../../schema/email.ts"
import { isLoopback, urlHost } from "../networks/host.ts"
import { entriesOf, type Variable } from "./variable.ts"
import { endpoints, provider, shownValue, variables } from "./variables.ts"

/** An invalid setting; the message is one line that names it and says how to correct it. */
export class InvalidSetting extends Data.TaggedError("InvalidSetting")<{
  readonly setting: string
  readonly message: string
}> {}

/** One OpenAI-compatible endpoint. The key is empty if there is none. */
export interface ModelEndpoint {
  readonly url: string
  readonly key: Redacted.Redacted
  readonly name: string
}

/** A file of whisper.cpp in place of a speech model behind an address. */
export interface SpeechFile {
  readonly path: string
  /** The file's name without its ending. */
  readonly name: string
  /** ISO 639-1. */
  readonly language: string
}

/** One OpenID provider of the deployment; `id` is `<NAME>` in lower case. */
export interface OidcProvider {
  readonly id: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Option.Option<Redacted.Redacted>
}

/** What a provider has to say of how somebody signed in there; nothing of what is empty. */
export interface SignInDemands {
  /** One of these authentication contexts (OpenID Connect Core, section 2). */
  readonly acr: ReadonlyArray<string>
  /** One of these methods (RFC 8176). */
  readonly amr: ReadonlyArray<string>
  /** So many seconds ago at most. */
  readonly maxAge: Option.Option<number>
}

/** A variable as shown to operators. `value` is absent for secrets. */
export interface ShownVariable extends Pick<Variable<unknown>, "name" | "family" | "about" | "isSecret"> {
  readonly isSet: boolean
  readonly value: string | undefined
}

type Decoded = { readonly [K in keyof typeof variables]: (typeof variables)[K] extends Variable<infer A> ? A : never }

/**
 * The decoded environment (contract section 10), read once at startup: `variables`, and values derived from several.
 */
export interface Configuration
  extends Omit<
    Decoded,
    | "baseUrl"
    | "trustedProxies"
    | "operatorEmails"
    | "operatorAcr"
    | "operatorAmr"
    | "operatorMaxAge"
    | "answerCacheMegabytes"
    | "allowPrivateSources"
    | "nodeEnv"
    | "speechModelFile"
    | "speechModelLanguage"
  > {
  readonly baseUrl: string
  readonly oidcProviders: ReadonlyArray<OidcProvider>
  readonly cloudModel: Option.Option<ModelEndpoint>
  /** May be the language model itself; `checkerOf` tells. */
  readonly checkModel: Option.Option<ModelEndpoint>
  readonly embeddingModel: Option.Option<ModelEndpoint>
  readonly speechModel: Option.Option<ModelEndpoint>
  /** Never set together with `speechModel`. */
  readonly speechFile: Option.Option<SpeechFile>
  readonly trustedProxies: ReadonlyArray<string>
  readonly answerCacheBytes: number
  /** The console's origin. Without one, anyone who can reach the console's port is an operator. */
  readonly operatorUrl: Option.Option<string>
  readonly operatorEmails: ReadonlyArray<Email>
  readonly operatorDemands: SignInDemands
  readonly allowPrivateSources: boolean
  readonly isProduction: boolean
  readonly shown: ReadonlyArray<ShownVariable>
}

export class Environment extends Context.Service<Environment, Configuration>()("civic-record/Environment") {
  static readonly layer = Layer.effect(
    Environment,
    Effect.suspend(() => readEnvironment(process.env))
  )
}

const refuse = ({ name, must }: Variable<unknown>) =>
  new InvalidSetting({ setting: name, message: `${name} must be ${must}.` })

type Variables = Readonly<Record<string, string>>

const read = <A>(set: Variables, variable: Variable<A>): Effect.Effect<A, InvalidSetting> =>
  Result.match(variable.decode(set[variable.name]), {
    onSuccess: Effect.succeed,
    onFailure: () => Effect.fail(refuse(variable))
  })

const readEndpoint = Effect.fnUntraced(function* (set: Variables, form: (typeof endpoints)[keyof typeof endpoints]) {
  const names = [form.url.name, form.key.name, form.name.name]
  if (names.every((name) => set[name] === undefined)) return Option.none<ModelEndpoint>()
  const [url, key, name] = yield* Effect.all([
    read(set, form.url).pipe(Effect.orElseSucceed(() => Option.none<string>())),
    read(set, form.key),
    read(set, form.name)
  ])
  if (Option.isNone(url) || Option.isNone(name)) {
    return yield* new InvalidSetting({
      setting: form.url.name,
      message: `${form.url.name} must be ${form.url.must}, and ${form.name.name} must name the model.`
    })
  }
  return Option.some<ModelEndpoint>({
    url: url.value,
    key: Option.getOrElse(key, () => Redacted.make("")),
    name: name.value
  })
})

const readSpeechFile = Effect.fnUntraced(function* (
  file: Option.Option<string>,
  language: string,
  endpoint: Option.Option<ModelEndpoint>
) {
  if (Option.isSome(file) && Option.isSome(endpoint)) {
    return yield* new InvalidSetting({
      setting: "SPEECH_MODEL_FILE",
      message: "SPEECH_MODEL_FILE and SPEECH_MODEL_URL must not both be set: each names a speech model."
    })
  }
  return Option.map(file, (at): SpeechFile => ({ path: path.resolve(at), name: path.parse(at).name, language }))
})

const providerIds = (set: Variables): ReadonlyArray<string> => {
  const found = Object.keys(set).flatMap(
    (name) => /^OIDC_([A-Z0-9_]+)_(?:ISSUER|CLIENT_ID|CLIENT_SECRET)$/.exec(name)?.[1] ?? []
  )
  return [...new Set(found)]
}

const readProvider = Effect.fnUntraced(function* (set: Variables, id: string) {
  const form = provider(id)
  const [issuer, clientId, clientSecret] = yield* Effect.all([
    read(set, form.issuer).pipe(Effect.orElseSucceed(() => Option.none<string>())),
    read(set, form.clientId),
    read(set, form.clientSecret)
  ])
  if (Option.isNone(issuer) || Option.isNone(clientId)) {
    return yield* new InvalidSetting({
      setting: form.issuer.name,
      message: `${form.issuer.name} must be ${form.issuer.must}, and ${form.clientId.name} must be set too.`
    })
  }
  return { id: id.toLowerCase(), issuer: issuer.value, clientId: clientId.value, clientSecret }
})

const shownVariables = (set: Variables): ReadonlyArray<ShownVariable> =>
  [
    ...Object.values<Variable<unknown>>(variables),
    ...Object.values(endpoints).flatMap((form) => Object.values<Variable<unknown>>(form)),
    ...providerIds(set).flatMap((id) => Object.values<Variable<unknown>>(provider(id)))
  ].map((one) => ({
    name: one.name,
    family: one.family,
    about: one.about.replaceAll("`", ""),
    isSecret: one.isSecret,
    isSet: set[one.name] !== undefined,
    value: shownValue(one, set[one.name])
  }))

/** TypeScript cannot see that each field gets the type its own variable decodes to, hence the cast. */
const readAll = (set: Variables) =>
  Effect.map(
    Effect.forEach(Object.entries<Variable<unknown>>(variables), ([field, one]) =>
      Effect.map(read(set, one), (value) => [field, value] as const)
    ),
    (fields) => Object.fromEntries(fields) as Decoded
  )

/**
 * Decodes the environment. An empty variable counts as unset. Fails with `InvalidSetting` at the first invalid
 * variable, and if `BASE_URL` is on https but a secret that a laptop would generate is missing.
 */
export const readEnvironment = Effect.fnUntraced(function* (
  env: NodeJS.ProcessEnv
): Effect.fn.Return<Configuration, InvalidSetting> {
  const set = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  const { speechModelFile, speechModelLanguage, ...others } = yield* readAll(set)
  const { operatorAcr, operatorAmr, operatorMaxAge, ...known } = others
  const { trustedProxies, operatorEmails, answerCacheMegabytes, allowPrivateSources, nodeEnv, ...decoded } = known
  const { host, port, signingKeys } = decoded
  const local = `http://${host === "0.0.0.0" || host === "::" ? "localhost" : urlHost(host)}:${port}`
  const baseUrl = Option.getOrElse(decoded.baseUrl, () => local).replace(/\/+$/, "")
  if (new URL(baseUrl).pathname !== "/") return yield* refuse(variables.baseUrl)
  if (baseUrl.startsWith("https:") && Option.isNone(signingKeys) && !isLoopback(new URL(baseUrl).hostname)) {
    return yield* new InvalidSetting({
      setting: "SIGNING_KEYS",
      message:
        "SIGNING_KEYS must be set when BASE_URL is on https: id:secret pairs, such as k1:$(openssl rand -base64 32)"
    })
  }
  const speechModel = yield* readEndpoint(set, endpoints.speechModel)
  return {
    ...decoded,
    baseUrl,
    dataDir: path.resolve(decoded.dataDir),
    oidcProviders: yield* Effect.forEach(providerIds(set), (id) => readProvider(set, id)),
    cloudModel: yield* readEndpoint(set, endpoints.cloudModel),
    checkModel: yield* readEndpoint(set, endpoints.checkModel),
    embeddingModel: yield* readEndpoint(set, endpoints.embeddingModel),
    speechModel,
    speechFile: yield* readSpeechFile(speechModelFile, speechModelLanguage, speechModel),
    trustedProxies: entriesOf(trustedProxies),
    answerCacheBytes: answerCacheMegabytes * 1024 * 1024,
    operatorUrl: Option.map(decoded.operatorUrl, (url) => new URL(url).origin),
    operatorEmails: entriesOf(operatorEmails).filter(Schema.is(Email)),
    operatorDemands: { acr: entriesOf(operatorAcr), amr: entriesOf(operatorAmr), maxAge: operatorMaxAge },
    allowPrivateSources: allowPrivateSources === "1",
    isProduction: nodeEnv === "production",
    shown: shownVariables(set)
  }
})
