import { Effect, Result } from "effect"
import { IpNetwork } from "effect/net"
import { InvalidSetting } from "../config/config.ts"

/**
 * The networks in `TRUSTED_PROXIES`, whose `X-Forwarded-*` headers are trusted; a single address is a network of one.
 */
export const trustedNetworks = (entries: ReadonlyArray<string>) =>
  Effect.forEach(entries, (entry) =>
    Result.match(IpNetwork.fromString(entry.includes("/") ? entry : `${entry}/${entry.includes(":") ? 128 : 32}`), {
      onSuccess: Effect.succeed,
      onFailure: () =>
        Effect.fail(
          new InvalidSetting({
            setting: "TRUSTED_PROXIES",
            message: `TRUSTED_PROXIES must be addresses or networks joined by commas, such as 10.0.0.0/8; ${entry} is neither.`
          })
        )
    })
  )
