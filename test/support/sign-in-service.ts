import { Effect, Layer } from "effect"
import { Environment } from "../../layers/config/config.ts"
import { Identity } from "../../layers/identity/identity.ts"
import { RateLimits } from "../../layers/rate-limits.ts"
import { LocalIdentityLive } from "../../src/local-identity/local-identity.ts"
import { LocalPasswordsLive } from "../../src/services/accounts/passwords.ts"
import { freePort } from "./free-port.ts"
import { hosted, hostedClient, type Person } from "./hosted-provider.ts"
import { serviceOf, setupOf } from "./service.ts"

/** The real local provider beside configured ones, which would otherwise prevent it from running. */
export const localIdentity = Identity.layer.pipe(
  Layer.provide(
    LocalIdentityLive.pipe(
      Layer.provide(
        Layer.effect(
          Environment,
          Effect.map(Environment, (setup) => ({ ...setup, oidcProviders: [] }))
        )
      )
    )
  ),
  Layer.provide(LocalPasswordsLive),
  Layer.provide(RateLimits.layerMemory)
)

/**
 * The service as on a laptop, with the real local provider, and three hosted ones: `city_hall` and `library`, each of
 * which signs in its configured person, and `away`, which does not answer.
 */
export const signInService = (cityHall: Person, library: Person, observed?: Layer.Layer<never>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      // Providers know the address of a service before it listens.
      const base = `http://127.0.0.1:${yield* freePort}`
      const first = yield* hosted(cityHall, `${base}/api/auth/oidc/city_hall/callback`)
      const second = yield* hosted(library, `${base}/api/auth/oidc/library/callback`)
      const client = (name: string, issuer: string) => ({
        [`OIDC_${name}_ISSUER`]: issuer,
        [`OIDC_${name}_CLIENT_ID`]: hostedClient.id,
        [`OIDC_${name}_CLIENT_SECRET`]: hostedClient.secret
      })
      const setup = setupOf({
        PORT: new URL(base).port,
        IDENTITY_PUBLISHABLE_KEY: "pk_test",
        ...client("CITY_HALL", first.issuer),
        ...client("LIBRARY", second.issuer),
        // Nothing listens there.
        ...client("AWAY", "http://127.0.0.1:1")
      })
      return serviceOf(setup, localIdentity, observed)
    })
  )
