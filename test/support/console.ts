import { Effect, Layer, Logger } from "effect"
import type { Identity } from "../../layers/identity/identity.ts"
import { ConsoleRoutes } from "../../src/http/operator/console.ts"
import { MetricsRoute } from "../../src/http/operator/metrics.ts"
import { OperatorAddress, OperatorServer } from "../../src/http/operator/server.ts"
import { AddressCheckLive } from "../../src/pipeline/sources/check-address.ts"
import { PastEstimatesLive } from "../../src/pipeline/sources/estimate-past.ts"
import { TypedPlacesLive } from "../../src/record/typed-places.ts"
import { fakeIdentity } from "../layers/fake-identity.ts"
import { ask } from "./asked.ts"
import { TestDb } from "./database.ts"
import { serviceOf, setupOf } from "./service.ts"

/** The service with its operators' listener, each on a port of its own. */
export const operatedService = <E, R>(
  env: NodeJS.ProcessEnv,
  identity: Layer.Layer<Identity, E, R>,
  database: typeof TestDb = TestDb
) => {
  const setup = setupOf({ BASE_URL: "http://record.example.gov", PORT: "0", OPERATOR_PORT: "0", ...env })
  return OperatorServer(Layer.mergeAll(MetricsRoute, ConsoleRoutes)).pipe(
    Layer.provide([AddressCheckLive, PastEstimatesLive, TypedPlacesLive, identity]),
    Layer.provideMerge(serviceOf(setup, identity, undefined, undefined, database)),
    Layer.provide(Logger.layer([]))
  )
}

export const ConsoleService = operatedService({}, fakeIdentity)

/** Opens a page of the console. */
export const look = Effect.fnUntraced(function* (path: string, headers: Readonly<Record<string, string>> = {}) {
  return yield* ask((yield* OperatorAddress) + path, { headers, redirect: "manual" })
})

/** Sends a form as a browser does from a page of the console, and follows the redirect. */
export const send = Effect.fnUntraced(function* (
  path: string,
  form: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {}
) {
  const address = yield* OperatorAddress
  return yield* ask(address + path, {
    method: "POST",
    headers: { origin: address, ...headers },
    body: new URLSearchParams(form)
  })
})
