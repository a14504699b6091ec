import { Effect, Layer } from "effect"
import { Identity, SignInRefused, UnknownProvider } from "../../layers/identity/identity.ts"

/** A provider that accepts the browser and then refuses every answer. */
export const fakeIdentity = Layer.succeed(Identity, {
  providers: [{ id: "local", name: "E-mail" }],
  begin: (provider) =>
    provider === "local"
      ? Effect.sync(() => {
          const state = crypto.randomUUID()
          return { state, nonce: "nonce", codeVerifier: "verifier", url: `https://id.example.gov/auth?state=${state}` }
        })
      : Effect.fail(new UnknownProvider({ provider })),
  complete: (provider) => Effect.fail(new SignInRefused({ provider, reason: "code_refused" }))
})
