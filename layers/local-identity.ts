import { Context, Effect, type Option, type Redacted } from "effect"
import type { Email } from "../schema/email.ts"
import type { OidcProvider } from "./config.ts"

/**
 * The OpenID provider that a deployment without one of its own runs beside itself (contract section 5). The provider is
 * an application in `src/local-identity`; this is all that its client knows of it.
 */
export class LocalIdentity extends Context.Service<
  LocalIdentity,
  {
    /**
     * How to reach it, with the secret of its client; none where the deployment has providers of its own, or is on
     * https at an address that is not this machine's, where a provider without TLS has no place.
     */
    readonly provider: Option.Option<OidcProvider>
  }
>()("civic-record/LocalIdentity") {}

/**
 * Whether a password is that of the account with an address: the local provider's second way in. Where nothing answers
 * it, there are no passwords. It must take as long for an address without an account as for one with.
 */
export const LocalPasswords = Context.Reference<{
  readonly passwordOf: (email: Email, password: Redacted.Redacted) => Effect.Effect<boolean>
}>("civic-record/LocalPasswords", { defaultValue: () => ({ passwordOf: () => Effect.succeed(false) }) })
