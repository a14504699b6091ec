import { Redacted } from "effect"

/** Where a database is: one server, or several of which the primary is wanted. */
export interface DatabaseAddress {
  /** One address for each server, in the order given. */
  readonly servers: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]
  /** Whether only a server that takes writes will do. */
  readonly wantsPrimary: boolean
}

/** A libpq URI: who connects, its hosts, the database, its parameters. */
const uri = /^(postgres(?:ql)?:\/\/)([^@/?#]*@)?([^/?#@]*)(\/[^?#]*)?(\?[^#]*)?$/u
const attribute = "target_session_attrs"
const attributes = ["any", "primary", "read-write"]

/**
 * Reads a libpq connection URI, several hosts included (PostgreSQL's documentation, 32.1.1.2 and 32.1.1.3). Of several
 * servers the primary is wanted unless `target_session_attrs` is `any`. Returns what is wrong with any other text.
 */
export const databaseAddress = (text: string): DatabaseAddress | string => {
  const [, protocol = "", who = "", hosts = "", path = "", query = ""] = uri.exec(text) ?? []
  const parameters = new URLSearchParams(query)
  const wanted = parameters.get(attribute)
  if (wanted !== null && !attributes.includes(wanted)) return `${attribute} must be ${attributes.join(", ")}`
  parameters.delete(attribute)
  const rest = parameters.size === 0 ? "" : `?${parameters}`
  const named = hosts.split(",")
  const [first = "", ...others] = named.map((host) => `${protocol}${who}${host}${path}${rest}`)
  const isOne =
    [first, ...others].every((server) => URL.canParse(server)) && (named.length === 1 || !named.includes(""))
  if (!isOne) return "not the address of a database"
  return {
    servers: [Redacted.make(first), ...others.map((server) => Redacted.make(server))],
    wantsPrimary: wanted === null ? others.length > 0 : wanted !== "any"
  }
}
