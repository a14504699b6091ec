import { Context, Effect, type Option, type Redacted } from "effect"
import type { Email } from "../../schema/email.ts"
import type { OidcProvider } from "../config/config.ts"

/**
 * The built-in OpenID provider, for a deployment without one of its own (contract section 5). The provider is an
 * application in `src/local-identity`; this is all that its client knows about it.
 */
export class LocalIdentity extends Context.Service<
  LocalIdentity,
  {
    /**
     * The provider's address and its client's secret. None if the deployment has providers of its own, or is on https
     * at an address other than this machine's, where a provider without TLS does not belong.
     */
    readonly provider: Option.Option<OidcProvider>
  }
>()("civic-record/LocalIdentity") {}

/**
 * Whether a password is correct for the account with an e-mail address: a second way to sign in with the local
 * provider. No password is correct by default. The check must take equally long whether or not the address has an
 * account.
 */
export const LocalPasswords = Context.Reference<{
  readonly passwordOf: (email: Email, password: Redacted.Redacted) => Effect.Effect<boolean>
}>("civic-record/LocalPasswords", { defaultValue: () => ({ passwordOf: () => Effect.succeed(false) }) })
