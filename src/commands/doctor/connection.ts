import { Effect, Predicate, type Redacted } from "effect"
import type { SqlError } from "effect/sql"
import { Db } from "../../../layers/db/db.ts"

/** Why a server cannot be used, and what to do; `setting` names its address. */
interface Why {
  readonly found: string
  readonly todo: string
}

/** By the codes of PostgreSQL (its documentation, appendix A) and of the system. */
const byCode: ReadonlyArray<readonly [code: RegExp, found: string, todo: (setting: string) => string]> = [
  [/^28P01$/, "refuses our password", (setting) => `Check the user and the password in ${setting}.`],
  [/^28/, "refuses our user", (setting) => `Check the user in ${setting}, and the server's pg_hba.conf.`],
  [/^3D000$/, "has no database of that name", (setting) => `Check the name at the end of ${setting}, or create it.`],
  [/^42501$/, "does not let our user into that database", () => "Grant CONNECT on the database to the user."],
  [/^53300$/, "takes no more connections", () => "Close some, or raise its max_connections."],
  [/^57P0/, "is starting or stopping", () => "Try again in a moment; its log says more."],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "has a host name that is not known", (setting) => `Check the host in ${setting}.`],
  [/^ECONNREFUSED$/, "is not there: its host refuses the port", () => "Check the port, and that the server runs."],
  [/^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/, "is away: its host cannot be reached", () => "Check the network."]
]

const codesOf = (fault: unknown): ReadonlyArray<string> => [
  ...(Predicate.hasProperty(fault, "code") ? [String(fault.code)] : []),
  ...(Predicate.hasProperty(fault, "errors") && Array.isArray(fault.errors) ? fault.errors.flatMap(codesOf) : []),
  ...(Predicate.hasProperty(fault, "cause") && fault.cause !== fault ? codesOf(fault.cause) : [])
]

/** The messages of the driver are not repeated, because they may quote an address. */
export const whyNot = ({ reason }: SqlError.SqlError, setting: string): Why => {
  const codes = codesOf(reason.cause)
  const known = byCode.find(([code]) => codes.some((one) => code.test(one)))
  return known === undefined
    ? { found: "does not answer", todo: `Check ${setting} and that the server runs.` }
    : { found: known[1], todo: known[2](setting) }
}

/** Why the server at an address cannot be used, if it cannot. */
export const probe = (url: Redacted.Redacted, setting: string): Effect.Effect<Why | undefined> =>
  Db.use((db) => db`select 1`).pipe(
    Effect.provide(Db.layerUrl(url)),
    Effect.match({ onSuccess: () => undefined, onFailure: (error) => whyNot(error, setting) })
  )
