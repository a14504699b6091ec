import { Context } from "effect"
import { getDomain } from "tldts"
import type { PacedHost } from "../../services/sources/host-pace.ts"

/** What a vendor asks of who reads there. */
export interface Manners {
  /** The registrable domains that its customers share. */
  readonly domains: ReadonlyArray<string>
  /** The seconds between two requests. */
  readonly gap: number
  /** Whether an address is one of its pages under a customer's own name. */
  readonly isAt?: (address: URL) => boolean
}

/** The manners at vendors; the readers of calendars know them. */
export const Vendors = Context.Reference<ReadonlyArray<Manners>>("civic-record/Vendors", { defaultValue: () => [] })

/**
 * Whose turn a request to an address is: hundreds of cities share a vendor's servers, under the vendor's name or their
 * own. Domains under which anybody may have one, such as those of clouds, are no vendor's.
 */
export const pacedHost = (address: URL, vendors: ReadonlyArray<Manners>): PacedHost => {
  const { host, hostname } = address
  const domain = getDomain(hostname, { allowPrivateDomains: true }) ?? host
  const known = vendors.find(({ domains }) => domains.includes(domain))
  if (known !== undefined) return { host, vendor: domain, gap: known.gap }
  const vendor = vendors.find(({ isAt }) => isAt?.(address) === true)
  return { host, vendor: vendor?.domains[0] ?? domain, gap: vendor?.gap }
}
