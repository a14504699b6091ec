import { randomBytes } from "node:crypto"
import { Effect } from "effect"
import { serviceRole } from "../stand/stand.ts"
import type { Fault } from "./fault.ts"
import { rolled } from "./rolling.ts"

const secret = () => randomBytes(32).toString("base64url")

/** Secrets that are replaced while everything runs, by the steps of docs/operations.md. */
export const rotations: ReadonlyArray<Fault> = [
  {
    name: "signing keys rotated",
    lasts: 85,
    run: ({ stand }) =>
      Effect.gen(function* () {
        const { settings } = stand
        const [former, next] = [settings.signingKeys, `k2:${secret()}`]
        // Known to all before any signs with it.
        settings.signingKeys = `${former},${next}`
        yield* rolled(stand)
        settings.signingKeys = `${next},${former}`
        yield* rolled(stand)
        return "two rolling restarts: known to all first, then signing"
      })
  },
  {
    name: "password of the database rotated",
    lasts: 48,
    run: ({ stand }) =>
      Effect.gen(function* () {
        const { settings, databases, bouncer, importer } = stand
        const former = [settings.role, settings.password] as const
        const next = ["service_b", secret()] as const
        yield* serviceRole(databases.primary(), ...next)
        yield* bouncer.know([former, next, importer])
        const [role, password] = next
        settings.role = role
        settings.password = password
        yield* rolled(stand)
        yield* Effect.orDie(databases.primary().ask(`alter role ${former[0]} nologin`))
        yield* bouncer.know([next, importer])
        return "a second role, one rolling restart, then the first may not log in"
      })
  },
  {
    name: "keys of the store rotated",
    lasts: 48,
    run: ({ stand }) =>
      Effect.gen(function* () {
        const { settings, media } = stand
        const next = { id: "second", secret: secret() }
        media.know([settings.storeKeys, next])
        settings.storeKeys = next
        yield* rolled(stand)
        media.know([next])
        return "both are good until one rolling restart is done"
      })
  }
]
