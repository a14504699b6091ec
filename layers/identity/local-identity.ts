import { Context, Effect, type Option, type Redacted } from "effect"
import type { Email } from "../../schema/email.ts"
import type { OidcProvider } from "../config/config.ts"

/**
 * The OpenID provider that runs beside a deployment without one of its own (contract section 5). The provider is an
 * application in `src/local-identity`; this is all that its client knows about it.
 */
export class LocalIdentity extends Context.Service<
  LocalIdentity,
  {
    /**
     * How to reach it, with its client's secret; none if the deployment has providers of its own, or is on https at an
     * address other than this machine's, where a provider without TLS does not belong.
     */
    readonly provider: Option.Option<OidcProvider>
  }
>()("civic-record/LocalIdentity") {}

/**
 * Whether a password is right for the account with an e-mail address: the local provider's second way in. By default no
 * password is. It must take the same time for an address without an account as for one with.
 */
export const LocalPasswords = Context.Reference<{
  readonly passwordOf: (email: Email, password: Redacted.Redacted) => Effect.Effect<boolean>
}>("civic-record/LocalPasswords", { defaultValue: () => ({ passwordOf: () => Effect.succeed(false) }) })
