import { Context } from "effect"
import { getDomain } from "tldts"
import type { PacedHost } from "../../services/sources/host-pace.ts"

/** The seconds between two requests to a vendor, by its registrable domain; the readers of calendars know them. */
export const VendorGaps = Context.Reference<ReadonlyMap<string, number>>("civic-record/VendorGaps", {
  defaultValue: () => new Map()
})

/**
 * Whose turn a request to an address is: hundreds of cities share a vendor's servers under names of their own. Domains
 * under which anybody may have one, such as those of clouds, are no vendor's.
 */
export const pacedHost = ({ host, hostname }: URL, gaps: ReadonlyMap<string, number>): PacedHost => {
  const vendor = getDomain(hostname, { allowPrivateDomains: true }) ?? host
  return { host, vendor, gap: gaps.get(vendor) }
}
