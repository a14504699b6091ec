import * as path from "node:path"
import { Console, Effect, Layer, Option, Redacted } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { DbHealth } from "../../../layers/db/db.ts"
import { Identity } from "../../../layers/identity/identity.ts"
import { LocalIdentity } from "../../../layers/identity/local-identity.ts"
import { ServiceDb } from "../../../layers/live.ts"
import { Mailer } from "../../../layers/mailer.ts"
import { ObjectStore } from "../../../layers/object-store/object-store.ts"
import { type LocalProvider, Siblings } from "../../../layers/processes/siblings.ts"
import { RateLimits } from "../../../layers/rate-limits.ts"
import { Renderer } from "../../../layers/renderer/renderer.ts"
import { logFfmpeg } from "../../../layers/renderer/tools.ts"
import { Signer } from "../../../layers/signer/signer.ts"
import { logSpeechFile } from "../../../layers/speech-model/about.ts"
import { exposition } from "../../../layers/telemetry/metrics.ts"
import { Geocoder } from "../../geocoder/geocoder.ts"
import { ConsoleRoutes } from "../../http/operator/console.ts"
import { HealthRoutes } from "../../http/operator/health.ts"
import { MetricsRoute, ownReadings } from "../../http/operator/metrics.ts"
import { OperatorAddress, OperatorServer } from "../../http/operator/server.ts"
import { ServerLive } from "../../http/server.ts"
import { LocalIdentityLive } from "../../local-identity/local-identity.ts"
import { PipelineLive } from "../../pipeline/pipeline.ts"
import { AddressCheckLive } from "../../pipeline/sources/check-address.ts"
import { PastEstimatesLive } from "../../pipeline/sources/estimate-past.ts"
import { isSampleWanted, keepTryingSampleMedia, putSample } from "../../record/sample/sample-record.ts"
import { TypedPlacesLive } from "../../record/typed-places.ts"
import { LocalPasswordsLive } from "../../services/accounts/passwords.ts"
import { ServicesLive } from "../../services/live.ts"
import { Digests } from "../../services/mail/digests.ts"
import { CloudModelLive } from "../../services/making/model-accounts.ts"
import { laneNames } from "../../services/queue/stages.ts"
import { SearchIndex } from "../../services/search/search-index.ts"

/** The message a start prints: where to look. */
const greeting = (address: string, operators: string, hasSample: boolean, signIn: ReadonlyArray<string>) => `
  Civic Record is running${hasSample ? ", with its sample record: a made-up county of Illinois" : ""}.

    open it             ${address}/
    search it           ${address}/browse?q=greenway
    the same as JSON    ${address}/api/meetings/browse?q=greenway
    API description     ${address}/openapi.json
    operate it          ${operators}/
${signIn.map((line) => `    ${line}\n`).join("")}
  Press Ctrl-C to stop. To import a record, in another terminal: npm run civic-record -- import PATH
`

/** The local provider runs in the first process; the others know it. */
const LocalProviderLive = Layer.unwrap(
  Effect.map(Siblings, ({ number, identity }) => {
    if (number === 1) return LocalIdentityLive
    const told = (of: LocalProvider) => ({ ...of, clientSecret: Option.some(Redacted.make(of.clientSecret)) })
    return Layer.succeed(LocalIdentity, { provider: Option.map(Option.fromUndefinedOr(identity), told) })
  })
)

/**
 * Sign-in. A deployment without a provider of its own runs the local one, which asks this service to check passwords.
 */
const SignIn = Identity.layer.pipe(Layer.provideMerge(LocalProviderLive), Layer.provide(LocalPasswordsLive))

/** Where to sign in; and, if mail stays on this machine, where the local provider's codes appear. */
const whereToSignIn = Effect.gen(function* () {
  const { providers } = yield* Identity
  const { isOutbox } = yield* Mailer
  const { baseUrl, dataDir } = yield* Environment
  const outbox = path.join(dataDir, "outbox")
  const near = path.relative("", outbox)
  const hasCodesHere = isOutbox && providers.some(({ id }) => id === "local")
  return [
    `sign in             ${baseUrl}/signin`,
    ...(hasCodesHere
      ? [`                    (the code appears here, and in ${near.startsWith("..") ? outbox : near})`]
      : [])
  ]
})

export const Ports = SignIn.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      CloudModelLive,
      Geocoder.layer,
      Mailer.layer,
      ObjectStore.layer,
      RateLimits.layer,
      Renderer.layer,
      Signer.layer
    )
  )
)

/** Added before the service listens, so that the first reader finds it. */
const SampleOnRecord = Layer.effectDiscard(
  Effect.flatMap(isSampleWanted, (wanted) => (wanted ? putSample : Effect.void))
)

const Mails = Digests.schedule.pipe(Layer.provide(Digests.layer))

/** Besides its readers, the service runs so many tasks of the pipeline at a time, one of them with ffmpeg. */
const pipeline = (jobs: number) =>
  jobs === 0
    ? Layer.empty
    : PipelineLive({ jobs, lanes: new Map(laneNames.map((lane) => [lane, lane === "media" ? 1 : jobs])) })

/** The operators' listener, on a port of its own. */
const Operators = OperatorServer(Layer.mergeAll(HealthRoutes, MetricsRoute, ConsoleRoutes)).pipe(
  Layer.provide([AddressCheckLive, PastEstimatesLive, TypedPlacesLive])
)

/** What every process of the service has. */
const Basis = ServicesLive.pipe(
  Layer.provideMerge(SearchIndex.layer),
  Layer.provideMerge(Ports),
  Layer.provideMerge(ServiceDb)
)

const service = (jobs: number) =>
  Layer.mergeAll(ServerLive, Operators, Mails, pipeline(jobs)).pipe(
    Layer.provide(SampleOnRecord),
    Layer.provideMerge(Basis)
  )

/** Tells the parent, if there is one, that this process listens, and where its sign-in provider is. */
const tellUp = Effect.gen(function* () {
  const { ask, number } = yield* Siblings
  const { provider } = yield* LocalIdentity
  if (ask === undefined) return
  const told = Option.flatMap(provider, (of) =>
    Option.map(of.clientSecret, (secret) => ({ ...of, clientSecret: Redacted.value(secret) }))
  )
  yield* Effect.promise(() => ask("up", number === 1 ? Option.getOrUndefined(told) : undefined))
})

/** The first lookup reads the gazetteer; it should not be a reader's. */
const readGazetteer = Effect.ignore(Geocoder.use((geocoder) => geocoder.locate("62701")))

/** The service, or the first of its processes: its readers, its operators and all of its work. */
export const runService = (jobs: number) =>
  Effect.gen(function* () {
    const { baseUrl, operatorUrl } = yield* Environment
    const listening = yield* OperatorAddress
    const hasSample = yield* isSampleWanted
    yield* tellUp
    if ((yield* Siblings).greets) {
      const operators = Option.getOrElse(operatorUrl, () => listening)
      yield* Console.log(greeting(baseUrl, operators, hasSample, yield* whereToSignIn))
    }
    yield* Effect.forkScoped(Effect.andThen(logFfmpeg, logSpeechFile))
    if (hasSample) yield* Effect.forkScoped(keepTryingSampleMedia)
    yield* Effect.forkScoped(readGazetteer)
    // Without its database the service ends; its supervisor decides whether to restart it.
    return yield* DbHealth.use(({ lost }) => lost)
  }).pipe(Effect.scoped, Effect.provide(service(jobs)))

/** A further process of the service: its readers alone. `tellsMetrics` is given what reads its metrics. */
export const runReaders = (tellsMetrics: (read: () => Promise<string>) => void) =>
  Effect.gen(function* () {
    const metrics = Effect.flatMap(yield* ownReadings, exposition)
    const context = yield* Effect.context<never>()
    tellsMetrics(() => Effect.runPromiseWith(context)(metrics))
    yield* tellUp
    yield* Effect.forkScoped(readGazetteer)
    return yield* Effect.never
  }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(ServerLive, Basis)))
